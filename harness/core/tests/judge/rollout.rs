//! Rolling updates: every ordinal counts.

use sidecheck_core::{trace::Witness, verdict::Outcome};

use crate::story::{Story, What::*};

const SET: &str = "
about: A rolling update.
source: [documentation]
stateful_set:
  replicas: 3
  pod:
    init_containers: [{name: s1, sidecar: true}]
    mains: [{name: app, readiness_probe: {}}]
steps: [create, update]
promises:
  - {name: highest_first, since: '1.28', check: replaces_highest_ordinal_first}
  - {name: one_at_a_time, since: '1.28', check: replaces_one_at_a_time}
  - {name: waits_for_ready, since: '1.28', check: {waits_for_ready_above: {container: app}}}
  - {name: old_gone, since: '1.28', check: {old_gone_before_new_starts: {container: s1}}}
";

const ALL: [&str; 4] = ["highest_first", "one_at_a_time", "waits_for_ready", "old_gone"];

/// A pod comes up at that time: sidecar at once, main half a second later, ready after one more second.
fn up(story: Story, ms: i64, ordinal: u32, uid: &str) -> Story {
    let pod = format!("web-{ordinal}");
    let uid = format!("{uid}-{ordinal}");
    let story = story.fact_of(ms, &pod, &uid, "s1", 0, Start).fact_of(ms + 500, &pod, &uid, "app", 0, Start);
    story.fact_of(ms + 1_000, &pod, &uid, "app", 0, Probe("readiness", false)).fact_of(
        ms + 1_500,
        &pod,
        &uid,
        "app",
        0,
        Probe("readiness", true),
    )
}

/// An old pod goes down: main first, gone after two seconds.
fn down(story: Story, ms: i64, ordinal: u32) -> Story {
    let pod = format!("web-{ordinal}");
    let uid = format!("old-{ordinal}");
    let story = story.fact_of(ms, &pod, &uid, "app", 0, Term).fact_of(ms + 500, &pod, &uid, "app", 0, Exit(0));
    story.fact_of(ms + 700, &pod, &uid, "s1", 0, Term).fact_of(ms + 2_000, &pod, &uid, "s1", 0, Exit(0))
}

/// Three old pods are up; each goes down and comes up again at the given times.
fn rolled(times: [(i64, i64); 3]) -> Story {
    let mut story = Story::new(SET);
    for ordinal in 0..3 {
        story = up(story, 1_000 + 2_000 * i64::from(ordinal), ordinal, "old");
    }
    for (ordinal, (gone, back)) in (0..3).zip(times) {
        story = up(down(story, gone, ordinal), back, ordinal, "new");
    }
    story
}

fn right() -> Story {
    rolled([(30_000, 32_500), (20_000, 22_500), (10_000, 12_500)])
}

fn outcomes(story: &Story) -> Vec<Outcome> {
    ALL.iter().map(|promise| story.verdict(promise).outcome).collect()
}

#[test]
fn highest_first_and_one_by_one_is_kept() {
    let story = right();
    assert_eq!(outcomes(&story), [Outcome::Held; 4], "{:#?}", story.verdicts());
    assert!(story.reason().contains("the same everywhere else"), "{}", story.reason());
}

#[test]
fn lowest_first_is_broken() {
    let story = rolled([(10_000, 12_500), (20_000, 22_500), (30_000, 32_500)]);
    assert_eq!(outcomes(&story), [Outcome::Violated, Outcome::Violated, Outcome::Violated, Outcome::Held]);
}

#[test]
fn one_wrong_pair_of_many_breaks_it() {
    // web-0 goes before web-1 is back.
    let story = rolled([(21_000, 32_500), (20_000, 24_500), (10_000, 12_500)]);
    assert_eq!(story.verdict("one_at_a_time").outcome, Outcome::Violated);
    assert!(story.verdict("one_at_a_time").reason.starts_with("web-1 and web-0: "), "{}", story.verdict("one_at_a_time").reason);
}

#[test]
fn not_waiting_for_readiness_is_its_own_fault() {
    // web-0 goes when web-1 has started, but is not ready.
    let story = rolled([(23_500, 26_000), (20_000, 22_500), (10_000, 12_500)]);
    assert_eq!(outcomes(&story), [Outcome::Held, Outcome::Held, Outcome::Violated, Outcome::Held]);
}

#[test]
fn a_successor_beside_the_old_sidecar_is_broken() {
    let story = rolled([(30_000, 32_500), (20_000, 22_500), (10_000, 11_500)]);
    assert_eq!(outcomes(&story), [Outcome::Held, Outcome::Held, Outcome::Held, Outcome::Violated]);
}

#[test]
fn an_ordinal_that_was_not_replaced_leaves_it_open() {
    let mut story = right();
    story.facts.retain(|fact| fact.uid != "new-0");
    let outcomes = outcomes(&story);
    assert_eq!(outcomes[0], Outcome::Undecidable);
    assert!(story.reason().contains("web-0 was not seen to be replaced"), "{}", story.reason());
    let mut story = right();
    story = up(story, 40_000, 1, "third");
    assert!(story.reason().contains("web-1 was created 3 times"), "{}", story.reason());
}

#[test]
fn both_witnesses_are_needed_here_too() {
    for missing in [Witness::Program, Witness::Runtime] {
        assert_eq!(right().without(missing).verdict("highest_first").outcome, Outcome::Undecidable);
    }
}
