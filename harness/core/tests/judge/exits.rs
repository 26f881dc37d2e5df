//! Expectations, standings and exit codes.

use rstest::rstest;
use sidecheck_core::{
    deviation::Deviations,
    expectation::Expected,
    expectations, judge,
    verdict::{Exit, Outcome, Standing},
};

use crate::{
    scenarios::STOP,
    story::{Story, What::*, environment},
};

const DEVIATIONS: &str = "
deviations:
  - promise: after_main
    releases: '>=1.28.0, <1.29.0'
    gates: {SidecarContainers: true}
    expect: violated
    because: all at once
    source: kubernetes#120620
  - promise: reverse
    releases: '>=1.28.0, <1.29.0'
    expect: unspecified
    because: left open
    source: kubernetes#120620
";

fn deviations() -> Deviations {
    Deviations::parse("deviations.yaml", DEVIATIONS).expect("must parse")
}

fn all_at_once() -> Story {
    let story = Story::new(STOP).fact(1_000, "s1", Start).fact(2_000, "s2", Start).fact(3_000, "app", Start);
    let story = story.fact(10_000, "app", Term).fact(10_010, "s2", Term).fact(10_020, "s1", Term);
    story.fact(11_010, "s2", Exit(0)).fact(11_020, "s1", Exit(0)).fact(13_000, "app", Exit(0))
}

#[test]
fn a_known_deviation_is_as_expected_and_elsewhere_it_is_not() {
    let mut story = all_at_once();
    assert_eq!(Exit::of(&story.verdicts()), Exit::Unexpected);
    story.environment = environment("1.28.15");
    story.deviations = deviations();
    let verdicts = story.verdicts();
    assert_eq!(verdicts.iter().map(|one| one.standing).collect::<Vec<_>>(), [Standing::Expected; 2]);
    assert_eq!(verdicts[0].expectation.because, "all at once (kubernetes#120620)");
    assert_eq!(Exit::of(&verdicts), Exit::AsExpected);
}

#[test]
fn an_older_release_without_a_deviation_has_no_expectation() {
    let mut story = all_at_once();
    story.environment = environment("1.28.15");
    let error = judge(&story.trace()).expect_err("must be refused");
    assert_eq!(error.promise, "after_main");
    assert!(expectations(&story.scenario, &story.deviations, &story.environment).is_err());
    let found = expectations(&story.scenario, &deviations(), &story.environment).expect("must be covered");
    let found: Vec<_> = found.iter().map(|(name, one)| (name.as_str(), one.expected)).collect();
    assert_eq!(found, [("after_main", Expected::Violated), ("reverse", Expected::Unspecified)]);
}

#[test]
fn a_scenario_that_does_not_apply_needs_no_expectation() {
    let mut story = all_at_once();
    story.environment = environment("1.28.15");
    story.environment.gates.insert("SidecarContainers".to_owned(), false);
    story.scenario.needs.gates.insert("SidecarContainers".to_owned(), true);
    let verdicts = story.verdicts();
    assert!(verdicts.iter().all(|one| (one.outcome, one.standing) == (Outcome::NotApplicable, Standing::LeftOut)));
    assert_eq!(Exit::of(&verdicts), Exit::AsExpected);
}

#[rstest]
#[case(Outcome::Held, Expected::Held, Standing::Expected)]
#[case(Outcome::Held, Expected::Violated, Standing::Unexpected)]
#[case(Outcome::Held, Expected::Unspecified, Standing::Expected)]
#[case(Outcome::Violated, Expected::Held, Standing::Unexpected)]
#[case(Outcome::Violated, Expected::Violated, Standing::Expected)]
#[case(Outcome::Violated, Expected::Unspecified, Standing::Expected)]
#[case(Outcome::Undecidable, Expected::Held, Standing::Undecided)]
#[case(Outcome::Inconclusive, Expected::Violated, Standing::Undecided)]
#[case(Outcome::Undecidable, Expected::Unspecified, Standing::Undecided)]
#[case(Outcome::NotApplicable, Expected::Held, Standing::LeftOut)]
fn stands(#[case] outcome: Outcome, #[case] expected: Expected, #[case] standing: Standing) {
    assert_eq!(Standing::of(outcome, expected), standing);
}

#[test]
fn exit_codes_combine() {
    let all = [Exit::AsExpected, Exit::Unexpected, Exit::BadInput, Exit::Undecided, Exit::Interrupted];
    assert_eq!(all.map(Exit::code), [0, 1, 2, 3, 130]);
    assert_eq!(Exit::Undecided.and(Exit::Unexpected), Exit::Unexpected);
    assert_eq!(Exit::Unexpected.and(Exit::Undecided), Exit::Unexpected);
    assert_eq!(Exit::AsExpected.and(Exit::Undecided), Exit::Undecided);
    assert_eq!(Exit::Unexpected.and(Exit::Interrupted), Exit::Interrupted);
}
