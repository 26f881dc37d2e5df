//! When a witness may not testify: its evidence has a hole.

use sidecheck_core::{
    trace::{Act, StepOutcome, Witness},
    verdict::{Outcome, Standing},
};

use crate::{
    scenarios::{RESTART, STOP},
    story::{Story, What::*},
};

fn kept() -> Story {
    let story = Story::new(STOP).fact(1_000, "s1", Start).fact(2_000, "s2", Start).fact(3_000, "app", Start);
    let story = story.fact(10_000, "app", Term).fact(13_000, "app", Exit(0));
    let story = story.fact(13_290, "s2", Term).fact(14_290, "s2", Exit(0));
    story.fact(14_500, "s1", Term).fact(15_500, "s1", Exit(0))
}

#[test]
fn a_recorder_that_was_started_anew_lost_events() {
    let mut story = kept();
    story.recorder.push(5_000);
    assert_eq!(story.outcome(), Outcome::Undecidable);
    assert!(story.reason().contains("started anew"), "{}", story.reason());
}

#[test]
fn a_recorder_must_run_before_the_scenario() {
    for recorder in [vec![], vec![60_000]] {
        let mut story = kept();
        story.recorder = recorder;
        assert_eq!(story.outcome(), Outcome::Undecidable);
        assert!(story.reason().contains("did not run before"), "{}", story.reason());
    }
}

#[test]
fn missing_evidence_is_named() {
    let what = "the disk was full".to_owned();
    for witness in [Witness::Program, Witness::Runtime, Witness::Node] {
        let story = kept().with(witness, Act::EvidenceMissing { what: what.clone() });
        assert_eq!(story.outcome(), Outcome::Undecidable);
        assert!(story.reason().contains(&what), "{}", story.reason());
        assert_eq!(story.verdicts()[0].standing, Standing::Undecided);
    }
    // What the sink lost says nothing about order.
    assert_eq!(kept().with(Witness::Sink, Act::EvidenceMissing { what }).outcome(), Outcome::Held);
}

#[test]
fn a_gap_in_the_watch_silences_the_kubelet() {
    let story = Story::new(RESTART).fact(1_000, "s1", Start).fact(2_000, "app", Start).fact(12_000, "app", Term);
    let story = story.with(Witness::Api, Act::WatchGap { kind: None, cause: "410 Gone".to_owned() });
    let verdict = story.verdict("once");
    assert_eq!(verdict.outcome, Outcome::Held, "the two others still agree");
    assert!(verdict.testimonies[2].because.contains("410 Gone"));
    assert_eq!(story.without(Witness::Program).verdict("once").outcome, Outcome::Undecidable);
}

#[test]
fn what_lacks_evidence_because_a_step_failed_is_inconclusive() {
    let failed = StepOutcome::Failed { cause: "the API server is gone".to_owned() };
    let story = kept().step(1, 10_000, 20_000, failed);
    assert_eq!(story.outcome(), Outcome::Held, "what was decided from whole evidence stays");
    let story = story.without(Witness::Program);
    assert_eq!(story.outcome(), Outcome::Inconclusive);
    assert!(story.reason().contains("step 2 failed: the API server is gone"), "{}", story.reason());
}

#[test]
fn what_lacks_evidence_on_a_starved_node_is_inconclusive() {
    let mut story = kept().without(Witness::Program);
    story.beats.retain(|beat| !(4_000..12_000).contains(beat));
    assert_eq!(story.outcome(), Outcome::Inconclusive);
    assert!(story.reason().contains("paused for 8.5 s"), "{}", story.reason());
}

#[test]
fn no_pod_at_all_is_undecidable() {
    let story = Story::new(STOP).without(Witness::Api);
    assert_eq!(story.outcome(), Outcome::Undecidable);
}

#[test]
fn the_same_trace_gives_the_same_bytes() {
    let bytes = || serde_json::to_string(&kept().verdicts()).expect("must serialize");
    assert_eq!(bytes(), bytes());
}
