//! Waits as promises, and what skipped steps come to.

use sidecheck_core::{
    trace::{StepOutcome, Witness},
    verdict::Outcome,
};

use crate::story::{Story, What::*};

const WAITS: &str = "
about: Waits.
source: [documentation]
pod:
  mains: [{name: app}]
steps:
  - create
  - await: {goal: {pod: ready}, within: 8s}
  - stays: {goal: {pod: ready}, lasting: 9s, promise: stays_ready}
  - await: {goal: {pod: ended}, promise: ends}
";

fn story() -> Story {
    Story::new(WAITS).fact(1_000, "app", Start)
}

fn timed_out() -> Story {
    let story = story().step(1, 10_000, 18_000, StepOutcome::TimedOut { last_seen: "phase Pending".to_owned() });
    story.step(2, 18_000, 18_000, StepOutcome::Skipped).step(3, 18_000, 18_000, StepOutcome::Skipped)
}

#[test]
fn waits_that_came_true_are_kept() {
    let verdicts = story().verdicts();
    let names: Vec<&str> = verdicts.iter().map(|verdict| verdict.promise.as_str()).collect();
    assert_eq!(names, ["pod_is_ready", "stays_ready", "ends"]);
    assert!(verdicts.iter().all(|verdict| verdict.outcome == Outcome::Held), "{verdicts:#?}");
    insta::assert_snapshot!(verdicts[1].reason, @"pod is ready for 9.9 s (the nodes lived: no pause of their heartbeat over 5 s up to 12:00:29.900Z)");
}

#[test]
fn a_timeout_on_a_live_node_is_broken_and_the_rest_not_reached() {
    let verdicts = timed_out().verdicts();
    assert_eq!(verdicts[0].outcome, Outcome::Violated);
    assert!(verdicts[0].reason.contains("last seen: phase Pending"), "{}", verdicts[0].reason);
    assert_eq!(verdicts[1].outcome, Outcome::Undecidable);
    assert_eq!(verdicts[1].reason, "not reached: step 2 ran out of its budget");
}

#[test]
fn a_timeout_on_a_starved_node_is_inconclusive() {
    let mut story = timed_out();
    story.beats.retain(|beat| *beat < 12_000 || *beat > 17_500);
    let verdicts = story.verdicts();
    assert!(verdicts.iter().all(|verdict| verdict.outcome == Outcome::Inconclusive), "{verdicts:#?}");
    let mut dead = timed_out();
    dead.beats.retain(|beat| *beat < 11_000);
    assert_eq!(dead.outcome(), Outcome::Inconclusive);
    assert_eq!(timed_out().without(Witness::Node).outcome(), Outcome::Undecidable, "no heartbeat was collected");
}

#[test]
fn a_change_is_broken() {
    let changed = StepOutcome::Changed { seen: "the pod is not ready".to_owned() };
    let verdict = story().step(2, 20_000, 23_000, changed).verdict("stays_ready");
    assert_eq!(verdict.outcome, Outcome::Violated);
    assert!(verdict.reason.contains("the pod is not ready"));
}

#[test]
fn watching_for_too_short_a_time_shows_nothing() {
    assert_eq!(story().step(2, 20_000, 28_000, StepOutcome::Done).verdict("stays_ready").outcome, Outcome::Undecidable);
}

#[test]
fn failed_and_skipped_after_it_are_inconclusive() {
    let story = story().step(1, 10_000, 11_000, StepOutcome::Failed { cause: "connection refused".to_owned() });
    let story = story.step(2, 11_000, 11_000, StepOutcome::Skipped).step(3, 11_000, 11_000, StepOutcome::Skipped);
    for verdict in story.verdicts() {
        assert_eq!(verdict.outcome, Outcome::Inconclusive, "{verdict:#?}");
        assert!(verdict.reason.contains("connection refused"));
    }
}

#[test]
fn an_interrupted_run_is_not_decided() {
    let story = story().step(2, 20_000, 20_000, StepOutcome::Skipped).step(3, 20_000, 20_000, StepOutcome::Skipped);
    let verdict = story.verdict("ends");
    assert_eq!((verdict.outcome, verdict.reason.as_str()), (Outcome::Undecidable, "not reached: the run was interrupted"));
}
