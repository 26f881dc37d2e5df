//! Entries of the matrix, from files and from exact releases.

use std::collections::BTreeMap;

use rstest::rstest;
use sidecheck_core::matrix::Entry;

#[rstest]
#[case::beta("1.29.0", "1.29.0", true)]
#[case::alpha("1.28.15", "1.28.15", false)]
#[case::alpha_on("1.28.15,SidecarContainers=true", "1.28.15-sidecarcontainers-true", true)]
#[case::beta_off("1.29.15,SidecarContainers=false", "1.29.15-sidecarcontainers-false", false)]
#[case::stable("1.33.6", "1.33.6", true)]
fn exact_release_says_what_its_cluster_must_show(#[case] text: &str, #[case] name: &str, #[case] on: bool) {
    let entry = Entry::exact(text).expect("an exact release").expect("its gates can be read");
    assert_eq!(entry.name, name);
    assert_eq!(entry.expect_gates, BTreeMap::from([("SidecarContainers".to_owned(), on)]));
}

#[test]
fn what_is_no_exact_release_is_left_to_the_matrix() {
    assert!(Entry::exact("1.29").is_none());
    assert!(Entry::exact("1.28-alpha").is_none());
    assert!(Entry::exact("1.29.0,SidecarContainers").expect("an exact release").is_err());
    assert!(Entry::exact("1.29.0,SidecarContainers=on").expect("an exact release").is_err());
}

#[test]
fn entry_file_with_a_wrong_release_is_told_with_its_line() {
    let error = Entry::parse("clusters/matrix/x.yaml", "x", "expect_gates: {}\nrelease: 1.29\n").expect_err("no exact release");
    assert_eq!(error.to_string(), "clusters/matrix/x.yaml:2: `1.29` is not an exact release such as 1.29.14");
}
