//! The catalogue of behaviours, and its join with what scenarios claim.

use rstest::rstest;
use sidecheck_core::catalogue::{Catalogue, Claim, Coverage, NO_SCENARIO_YET, Row, coverage, line_of_claim};

const SMALL: &str = "\
sections:
  - name: Start
    behaviours:
      - id: starts
        says: It starts.
        upstream: e2e
      - {id: starts-late, says: It starts late., upstream: unit, why_not: nothing outside shows it}
  - name: Stop
    behaviours:
      - id: stops
        says: It stops.
        upstream: kep
";

fn small() -> Catalogue {
    Catalogue::parse("suites/catalogue.yaml", SMALL).expect("a usable catalogue")
}

fn claim(behaviour: &str, promise: &str, entries: &[&str]) -> Claim {
    Claim {
        behaviour: behaviour.to_owned(),
        scenario: "t/s".to_owned(),
        promise: promise.to_owned(),
        file: "suites/t/s.yaml".to_owned(),
        line: 7,
        entries: entries.iter().map(|entry| (*entry).to_owned()).collect(),
    }
}

#[rstest]
#[case::unknown_key(&SMALL.replace("upstream: kep", "upsteam: kep"), "suites/catalogue.yaml:12: unknown field `upsteam`")]
#[case::unknown_evidence(&SMALL.replace("upstream: kep", "upstream: rumour"), "suites/catalogue.yaml:12: unknown variant `rumour`")]
#[case::no_sentence(&SMALL.replace("        says: It stops.\n", ""), "missing field `says`")]
#[case::id_twice(
    &SMALL.replace("id: stops", "id: starts"),
    "suites/catalogue.yaml:10: two behaviours have the id `starts`, the other one in line 4"
)]
fn catalogue_that_can_t_be_used(#[case] text: &str, #[case] message: &str) {
    let error = Catalogue::parse("suites/catalogue.yaml", text).expect_err("not usable");
    assert!(error.to_string().contains(message), "{error}");
}

#[test]
fn behaviour_is_covered_where_a_scenario_applies() {
    let claims = [
        claim("starts", "p", &["1.28-alpha"]),
        claim("starts", "p", &["1.28-alpha"]),
        claim("starts", "q", &["1.28-alpha", "1.29"]),
    ];
    let rows = coverage(&small(), &claims).expect("all claims fit");
    assert_eq!(rows.len(), 3);
    let Coverage::Covered { by } = &rows[0].coverage else { panic!("{rows:?}") };
    assert_eq!(by.iter().map(|cover| cover.promise.as_str()).collect::<Vec<_>>(), ["p", "q"], "each once");
    assert!(rows[0].is_covered_on("1.29") && !rows[0].is_covered_on("1.28-off"));
}

#[test]
fn behaviour_without_a_scenario_says_why() {
    let rows = coverage(&small(), &[]).expect("no claim");
    assert_eq!(rows[1].coverage, Coverage::NotCovered { why: "nothing outside shows it".to_owned() });
    assert_eq!(rows[2].coverage, Coverage::NotCovered { why: NO_SCENARIO_YET.to_owned() });
    assert_eq!(rows.iter().map(Row::is_open).collect::<Vec<_>>(), [true, false, true]);
}

#[test]
fn claim_of_an_unknown_behaviour_is_told_with_its_place() {
    let error = coverage(&small(), &[claim("stopps", "p", &[])]).expect_err("no such behaviour");
    assert_eq!(error.to_string(), "suites/t/s.yaml:7: `p` covers `stopps`, which is no id in suites/catalogue.yaml");
}

#[test]
fn why_not_of_a_covered_behaviour_is_told_with_its_place() {
    let error = coverage(&small(), &[claim("starts-late", "p", &[])]).expect_err("the why_not is not true");
    assert_eq!(error.to_string(), "suites/catalogue.yaml:7: `starts-late` has a why_not, but t/s covers it");
}

#[test]
fn line_of_a_claim_is_that_of_the_whole_id_in_covers() {
    let text = "about: starts\npromises:\n  - name: p # covers: [starts]\n    covers: [starts-late,\n      starts]\n";
    assert_eq!(line_of_claim(text, "starts-late"), 4);
    assert_eq!(line_of_claim(text, "starts"), 5);
    assert_eq!(line_of_claim("covers: *shared\n", "starts"), 1);
}
