use std::{path::PathBuf, time::Duration};

use sidecheck_core::{
    agent::LogSource,
    expectation::{Expectation, Expected},
    scenario::{Placement, Tested},
    verdict::{LineTotals, Outcome, Standing, Verdict},
};

use super::*;

const CASE: (&str, &str) = ("1.29", "logs/job-ends/rsyslog");

fn verdict(producer: &str, outcome: Outcome) -> Verdict {
    let lost_tail = if outcome == Outcome::Violated { 7 } else { 0 };
    Verdict {
        promise: "all_arrive".to_owned(),
        check: "every line arrives".to_owned(),
        outcome,
        expectation: Expectation { expected: Expected::Held, because: "promised".to_owned() },
        standing: Standing::of(outcome, Expected::Held),
        reason: "the ledger".to_owned(),
        lines: Some(LineTotals { producer: producer.to_owned(), producers: 1, written: 10, lost_tail, ..LineTotals::default() }),
        testimonies: vec![],
    }
}

fn finished(verdicts: Vec<Verdict>) -> Finished {
    let tested = Tested {
        situation: "logs/job-ends".to_owned(),
        agent: "rsyslog".to_owned(),
        version: "1".to_owned(),
        configuration: "lossless".to_owned(),
        placement: Placement::Native,
        source: LogSource::File,
    };
    Finished {
        entry: CASE.0.to_owned(),
        scenario: CASE.1.to_owned(),
        repetition: 1,
        tested: Some(tested),
        took: Duration::ZERO,
        result: CaseResult::Judged { verdicts, evidence: PathBuf::new(), clean_up_problem: None },
    }
}

fn runs(settling: &Settling, outcome: Outcome, number: usize) -> Option<String> {
    (0..number).filter_map(|_| settling.note(&finished(vec![verdict("app", outcome)]))).last()
}

#[test]
fn what_loses_each_time_is_settled_after_a_few_runs_and_says_so_once() {
    let settling = Settling::new(20, 10.0);
    assert_eq!(runs(&settling, Outcome::Violated, 1), None);
    assert!(!settling.is_settled(CASE.0, CASE.1));
    let said = runs(&settling, Outcome::Violated, 1).expect("it is settled now");
    assert_eq!(
        said.trim_start(),
        "1.29        logs/job-ends/rsyslog: settled after 2 of 20 runs: it loses lines (2 of 2 runs lose, 15-100 %)"
    );
    assert!(settling.is_settled(CASE.0, CASE.1));
    assert!(!settling.is_settled("1.28-alpha", CASE.1), "each cluster counts for itself");
    assert_eq!(runs(&settling, Outcome::Violated, 1), None);
}

#[test]
fn what_never_loses_needs_thirty_six_runs() {
    let settling = Settling::new(50, 10.0);
    assert_eq!(runs(&settling, Outcome::Held, 35), None);
    let said = runs(&settling, Outcome::Held, 1).expect("it is settled now");
    assert!(said.contains("settled after 36 of 50 runs: complete (0 of 36 runs lose, 0-9.8 %)"), "{said}");
}

#[test]
fn runs_that_were_not_decided_are_none() {
    let settling = Settling::new(20, 10.0);
    runs(&settling, Outcome::Violated, 1);
    runs(&settling, Outcome::Inconclusive, 5);
    let broken = CaseResult::Broken { error: "no place".to_owned() };
    assert_eq!(settling.note(&Finished { result: broken, ..finished(vec![]) }), None);
    assert!(!settling.is_settled(CASE.0, CASE.1));
    let said = runs(&settling, Outcome::Violated, 1).expect("it is settled now");
    assert!(said.contains("settled after 8 of 20 runs: it loses lines (2 of 2 runs lose"), "{said}");
}

#[test]
fn each_producer_has_to_be_settled() {
    let settling = Settling::new(50, 10.0);
    let both = |number: usize| {
        let run = || finished(vec![verdict("a", Outcome::Held), verdict("b", Outcome::Violated)]);
        (0..number).filter_map(|_| settling.note(&run())).last()
    };
    assert_eq!(both(35), None);
    assert!(both(1).is_some());
}

#[test]
fn the_last_run_and_cases_that_are_about_no_agent_say_nothing() {
    let settling = Settling::new(2, 10.0);
    assert_eq!(runs(&settling, Outcome::Violated, 2), None);
    let settling = Settling::new(20, 10.0);
    let other = Finished { tested: None, ..finished(vec![verdict("app", Outcome::Violated)]) };
    assert!((0..5).all(|_| settling.note(&other).is_none()));
    assert!(!settling.is_settled(CASE.0, CASE.1));
}
