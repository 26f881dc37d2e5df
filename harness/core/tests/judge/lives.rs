//! Restarts, single runs, and containers that never start.

use serde_json::json;
use sidecheck_core::{
    trace::{Act, Witness},
    verdict::Outcome,
};

use crate::{
    scenarios::{BLOCKED, RESTART},
    story::{Story, What::*},
};

fn sidecar_exits() -> Story {
    Story::new(RESTART).fact(1_000, "s1", Start).fact(2_000, "app", Start).fact(5_000, "s1", Exit(1))
}

fn restarted(story: Story, ms: i64) -> Story {
    story.fact_of(ms, "pod", "uid-1", "s1", 1, Start)
}

#[test]
fn a_restart_while_the_main_runs_is_kept() {
    let story = restarted(sidecar_exits(), 6_000).fact(12_000, "app", Term).fact(13_000, "app", Exit(0));
    let verdict = story.verdict("restarts");
    assert_eq!(verdict.outcome, Outcome::Held, "{verdict:#?}");
    assert_eq!(verdict.testimonies.iter().map(|one| one.says).collect::<Vec<_>>(), [Some(true); 3]);
    assert_eq!(story.verdict("once").outcome, Outcome::Held);
    assert_eq!(story.without(Witness::Kubelet).without(Witness::Runtime).verdict("once").outcome, Outcome::Held);
}

#[test]
fn no_restart_until_the_main_has_exited_is_broken() {
    let story = sidecar_exits().fact(12_000, "app", Exit(0));
    assert_eq!(story.outcome(), Outcome::Violated);
    assert!(story.reason().contains("it was not started again"), "{}", story.reason());
    let late = restarted(sidecar_exits().fact(12_000, "app", Exit(0)), 13_000);
    assert_eq!(late.outcome(), Outcome::Violated);
}

#[test]
fn no_restart_needs_time_to_be_broken() {
    assert_eq!(sidecar_exits().outcome(), Outcome::Undecidable, "the record ends 15 s after the exit");
    let mut story = sidecar_exits();
    story.steps[1].1 = 40_000;
    assert_eq!(story.outcome(), Outcome::Violated, "it goes on for 35 s");
}

#[test]
fn an_exit_that_was_asked_for_is_no_restart() {
    let story = Story::new(RESTART).fact(1_000, "s1", Start).fact(2_000, "app", Start);
    let story = story.fact(10_000, "s1", Term).fact(11_000, "s1", Exit(0)).fact(13_000, "app", Exit(0));
    assert_eq!(story.outcome(), Outcome::Undecidable);
    assert!(story.reason().contains("did not exit by itself"), "{}", story.reason());
}

#[test]
fn a_second_run_of_the_main_is_seen() {
    let story = restarted(sidecar_exits(), 6_000).fact(7_000, "app", Exit(1));
    let story = story.fact_of(8_000, "pod", "uid-1", "app", 1, Start);
    assert_eq!(story.verdict("once").outcome, Outcome::Violated);
}

#[test]
fn never_needs_a_heartbeat() {
    let story = Story::new(BLOCKED).fact(1_000, "init", Start);
    assert_eq!(story.outcome(), Outcome::Held);
    let mut starved = story.clone();
    starved.beats.retain(|beat| !(9_000..17_000).contains(beat));
    assert_eq!(starved.outcome(), Outcome::Inconclusive);
    assert_eq!(starved.verdict("stays_pending").outcome, Outcome::Inconclusive);
    let mut silent = story;
    silent.beats.clear();
    assert_eq!(silent.outcome(), Outcome::Undecidable);
    assert_eq!(silent.verdict("stays_pending").outcome, Outcome::Undecidable);
}

#[test]
fn a_start_is_a_start_on_any_node() {
    let mut story = Story::new(BLOCKED).fact(1_000, "init", Start).fact(3_000, "app", Start);
    story.beats.clear();
    assert_eq!(story.outcome(), Outcome::Violated);
}

#[test]
fn a_dropped_field_is_a_fact_of_the_api() {
    let yaml = BLOCKED.replace("{never_starts: {container: app}}", "{restart_policy_dropped: {container: init}}");
    let object = |policy: Option<&str>| json!({"spec": {"template": {"spec": {"initContainers": [{"name": "init", "restartPolicy": policy}]}}}});
    let story = |sent, back| {
        let story = Story::new(&yaml).with(Witness::Harness, Act::Applied { object: object(sent) });
        story.with(Witness::Api, Act::ReadBack { object: object(back) })
    };
    assert_eq!(story(Some("Always"), None).outcome(), Outcome::Held);
    assert_eq!(story(Some("Always"), Some("Always")).outcome(), Outcome::Violated);
    assert_eq!(story(None, None).outcome(), Outcome::Undecidable);
    assert_eq!(Story::new(&yaml).outcome(), Outcome::Undecidable);
}
