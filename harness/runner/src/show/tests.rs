use sidecheck_core::{
    expectation::{Expectation, Expected},
    verdict::{Outcome, Standing, Verdict},
};

use super::{CaseSummary, RunSummary, closing, explanations, flips, verdict_table};

fn verdict(promise: &str, outcome: Outcome, expected: Expected) -> Verdict {
    let because = if expected == Expected::Held { "promised since 1.28" } else { "1.28 signals all at once (kubernetes#120620)" };
    Verdict {
        promise: promise.to_owned(),
        check: "s2 gets TERM after app has exited".to_owned(),
        outcome,
        expectation: Expectation { expected, because: because.to_owned() },
        standing: Standing::of(outcome, expected),
        reason: "s2 got TERM at 19:40:41.058Z, 2913 ms before app exited at 19:40:43.971Z".to_owned(),
        lines: None,
        testimonies: vec![],
    }
}

fn case(entry: &str, repetition: u32, verdicts: Vec<Verdict>) -> CaseSummary {
    CaseSummary {
        entry: entry.to_owned(),
        scenario: "ordering/stop".to_owned(),
        repetition,
        tested: None,
        seconds: 7.1,
        verdicts,
        not_applicable: None,
        broken: None,
        evidence: Some(format!("runs/r/{entry}/ordering.stop")),
        clean_up_problem: None,
    }
}

fn summary(cases: Vec<CaseSummary>) -> RunSummary {
    let entries = ["1.28-alpha", "1.28-off", "1.29"].map(str::to_owned).to_vec();
    RunSummary { format: 1, run: "r".to_owned(), sidecheck: "0.1.0".to_owned(), entries, interrupted: false, asked: None, cases }
}

fn all_sorts() -> RunSummary {
    let off = CaseSummary { not_applicable: Some("needs the gate on".to_owned()), evidence: None, ..case("1.28-off", 1, vec![]) };
    summary(vec![
        case("1.28-alpha", 1, vec![verdict("stops", Outcome::Violated, Expected::Violated)]),
        off,
        case("1.29", 1, vec![verdict("stops", Outcome::Held, Expected::Held)]),
        case("1.29", 2, vec![verdict("stops", Outcome::Violated, Expected::Held)]),
    ])
}

#[test]
fn table_has_a_column_per_cluster_and_counts_where_outcomes_differ() {
    insta::assert_snapshot!(verdict_table(&all_sorts(), false), @r"
      scenario        promise   1.28-alpha           1.28-off         1.29
    ────────────────────────────────────────────────────────────────────────────────────────
      ordering/stop   stops     violated, as known   not applicable   1x held, 1x VIOLATED
    ");
}

#[test]
fn colours_only_where_they_are_asked_for() {
    assert!(!verdict_table(&all_sorts(), false).contains('\u{1b}'));
    assert!(verdict_table(&all_sorts(), true).contains('\u{1b}'));
}

#[test]
fn broken_promise_is_explained_and_everything_left_out_is_named() {
    insta::assert_snapshot!(explanations(&all_sorts()), @r"

    ordering/stop on 1.29:
      `stops` was violated: s2 got TERM at 19:40:41.058Z, 2913 ms before app exited at 19:40:43.971Z. Checked: s2 gets TERM after app has exited. Expected: held (promised since 1.28).
      evidence: runs/r/1.29/ordering.stop

    Known deviations, seen as expected:
      1.28-alpha: stops: 1.28 signals all at once (kubernetes#120620)

    Not applicable (1):
      1.28-off: ordering/stop: needs the gate on
    ");
}

#[test]
fn closing_sentence_counts_what_needs_a_look_in_capitals() {
    assert_eq!(
        closing(&all_sorts()),
        "3 verdicts: 1 held, 1 violated, as known, 1 NOT AS EXPECTED. 1 cases do not apply to their cluster."
    );
}

#[test]
fn known_deviation_that_does_not_show_is_no_pass() {
    let surprise = summary(vec![case("1.28-alpha", 1, vec![verdict("stops", Outcome::Held, Expected::Violated)])]);
    assert!(verdict_table(&surprise, false).contains("HELD, not expected"));
    assert!(explanations(&surprise).contains("`stops` was held"));
    assert!(closing(&surprise).contains("1 NOT AS EXPECTED"));
}

#[test]
fn what_differs_between_repetitions_is_named_and_counted() {
    insta::assert_snapshot!(flips(&all_sorts()), @r"

    2 checks, up to 2 times each: 1 flipped:
      1.29: ordering/stop: stops (s2 gets TERM after app has exited): 1x held, 1x violated
    ");
    let open = |repetition, outcome| case("1.29", repetition, vec![verdict("stops", outcome, Expected::Unspecified)]);
    insta::assert_snapshot!(flips(&summary(vec![open(1, Outcome::Held), open(2, Outcome::Violated)])), @r"

    1 checks, 2 times each: 0 flipped, beside 1 that Kubernetes leaves open:
      1.29: ordering/stop: stops (s2 gets TERM after app has exited): 1x held, 1x violated, which Kubernetes leaves open
    ");
    assert_eq!(flips(&summary(vec![open(1, Outcome::Held)])), "", "nothing can flip in one run");
}
