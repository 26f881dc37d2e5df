//! `shows`: what the API server published.

use rstest::rstest;
use serde_json::{Value, json};
use sidecheck_core::{
    trace::{Act, StepOutcome, Witness},
    verdict::Outcome::{self, Held, Inconclusive, Undecidable, Violated},
};

use crate::story::{Story, plain};

/// A pod's published states, one a second; the watch is interrupted where there is `null`.
fn published(shows: &str, states: &[Value]) -> Story {
    let mut story = Story::new(&format!(
        "
about: Statuses.
source: [documentation]
pod:
  mains: [{{name: app}}]
steps: [create, {{rest: 1s}}]
promises:
  - {{name: it, since: '1.28', check: {{shows: {{{shows}}}}}}}
"
    ));
    for (ms, state) in (1_000..).step_by(1_000).zip(states) {
        let act = if state.is_null() {
            Act::WatchGap { kind: Some("Pod".to_owned()), cause: "410 Gone".to_owned() }
        } else {
            Act::Seen { change: "modified".to_owned(), object: pod("uid-1", state) }
        };
        story.extra.push(plain(Witness::Api, ms, act));
    }
    story
}

fn pod(uid: &str, status: &Value) -> Value {
    json!({
        "kind": "Pod", "metadata": {"name": "pod", "uid": uid}, "spec": {"nodeName": "n1", "containers": []}, "status": status,
    })
}

fn outcome(shows: &str, phases: &[&str]) -> Outcome {
    let states: Vec<Value> =
        phases.iter().map(|phase| if *phase == "gap" { Value::Null } else { json!({"phase": phase}) }).collect();
    published(shows, &states).outcome()
}

#[rstest]
#[case::always("always: phase is Running", &["Running", "Running"], Held)]
#[case::not_always("always: phase is Running", &["Running", "Failed", "Running"], Violated)]
#[case::gap_hides_others("always: phase is Running", &["Running", "gap", "Running"], Undecidable)]
#[case::broken_in_spite_of_a_gap("always: phase is Running", &["Failed", "gap", "Running"], Violated)]
#[case::ever("ever: phase is Failed", &["Running", "Failed", "Running"], Held)]
#[case::not_ever("ever: phase is Failed", &["Running", "Running"], Violated)]
#[case::gap_hides_the_one("ever: phase is Failed", &["Running", "gap", "Running"], Undecidable)]
#[case::seen_in_spite_of_a_gap("ever: phase is Failed", &["Failed", "gap", "Running"], Held)]
#[case::never("never: phase is Failed", &["Running", "Succeeded"], Held)]
#[case::not_never("never: phase is Failed", &["Running", "Failed"], Violated)]
#[case::gap_hides_it("never: phase is Failed", &["Running", "gap", "Succeeded"], Undecidable)]
#[case::finally("finally: phase is Succeeded", &["Running", "Succeeded"], Held)]
#[case::not_finally("finally: phase is Succeeded", &["Succeeded", "Running"], Violated)]
#[case::caught_up("finally: phase is Succeeded", &["Running", "gap", "Succeeded"], Held)]
#[case::not_caught_up("finally: phase is Succeeded", &["Running", "gap"], Undecidable)]
#[case::not_caught_up_either("finally: phase is Running", &["Running", "gap"], Undecidable)]
#[case::last_of_those("where: [phase is not Succeeded], finally: phase is Running", &["Running", "gap", "Succeeded"], Undecidable)]
#[case::given("where: [phase is Running], always: phase is Running", &["Failed", "Running"], Held)]
#[case::given_none("where: [phase is Unknown], always: phase is Running", &["Failed", "Running"], Undecidable)]
#[case::given_none_never("where: [phase is Unknown], never: phase is Unknown", &["Failed", "Running"], Held)]
#[case::given_none_ever("where: [phase is Unknown], ever: phase is Unknown", &["Failed", "Running"], Violated)]
#[case::given_none_finally("where: [phase is Unknown], finally: phase is Unknown", &["Failed"], Undecidable)]
fn says(#[case] shows: &str, #[case] phases: &[&str], #[case] expected: Outcome) {
    // The story shows the pod once without a phase; `where` leaves that out.
    let shows = if shows.starts_with("where: [") {
        shows.replacen("where: [", "where: [phase is present, ", 1)
    } else {
        format!("where: [phase is present], {shows}")
    };
    assert_eq!(outcome(&shows, phases), expected);
}

#[test]
fn nothing_published_is_nothing_known() {
    for when in ["always", "ever", "never", "finally"] {
        let nothing = published(&format!("of: event, {when}: reason is BackOff"), &[]);
        assert_eq!(nothing.outcome(), Undecidable, "{when}");
        assert_eq!(nothing.reason(), "no event was published");
        let blind = published(&format!("{when}: app.state.running is present"), &[]).without(Witness::Api);
        assert_eq!(blind.outcome(), Undecidable, "{when}");
    }
    let what = "the watch was refused".to_owned();
    let refused = published("never: phase is Failed", &[json!({})]).with(Witness::Api, Act::EvidenceMissing { what });
    assert_eq!(refused.outcome(), Undecidable);
}

#[test]
fn a_pod_that_went_while_nobody_looked_has_no_last_state() {
    let deleted = |states: &[Value]| {
        let mut story = published("where: [phase is present], finally: phase is Running", states);
        let object = pod("uid-1", &json!({"phase": "Running"}));
        story.extra.push(plain(Witness::Api, 9_000, Act::Seen { change: "deleted".to_owned(), object }));
        story
    };
    assert_eq!(deleted(&[json!({"phase": "Running"})]).outcome(), Held, "the watch saw it go");
    assert_eq!(deleted(&[json!({"phase": "Running"}), Value::Null]).outcome(), Undecidable);
    let mut after = deleted(&[json!({"phase": "Running"})]);
    after.extra.push(plain(Witness::Api, 9_500, Act::WatchGap { kind: None, cause: "410 Gone".to_owned() }));
    assert_eq!(after.outcome(), Held, "nothing comes after");
}

#[test]
fn gaps_before_the_creation_and_of_other_kinds_hide_nothing() {
    let gap = |kind: &str, ms: i64| {
        let mut story = published("where: [phase is present], never: phase is Failed", &[json!({"phase": "Running"})]);
        let act = Act::WatchGap { kind: Some(kind.to_owned()), cause: "410 Gone".to_owned() };
        story.extra.insert(0, plain(Witness::Api, ms, act));
        story.outcome()
    };
    assert_eq!(gap("Pod", 500), Undecidable);
    assert_eq!(gap("Pod", -1_000), Undecidable, "it may not have been caught up with");
    assert_eq!(gap("Pod", -5_000), Held);
    assert_eq!(gap("Event", 500), Held);
}

#[test]
fn a_scenario_that_was_cut_short_shows_no_end() {
    let failed = StepOutcome::Failed { cause: "connection refused".to_owned() };
    for (shows, outcome) in [
        ("always: phase is Running", Inconclusive),
        ("never: phase is Failed", Inconclusive),
        ("ever: phase is Succeeded", Inconclusive),
        ("finally: phase is Running", Inconclusive),
        ("finally: phase is Succeeded", Inconclusive),
        ("ever: phase is Running", Held),
        ("never: phase is Running", Violated),
        ("always: phase is Succeeded", Violated),
    ] {
        let story = published(&format!("where: [phase is present], {shows}"), &[json!({"phase": "Running"})]);
        let story = story.step(1, 10_000, 11_000, failed.clone());
        assert_eq!(story.outcome(), outcome, "{shows}: {}", story.reason());
    }
}

#[test]
fn what_was_created_is_one_answer() {
    let created = |shows: &str| {
        let mut story = published(&format!("of: created, {shows}"), &[Value::Null]);
        let service = json!({"kind": "Service", "metadata": {"name": "web"}, "spec": {}});
        let pod = json!({"kind": "Pod", "metadata": {"name": "pod"}, "spec": {"restartPolicy": "Always"}});
        for object in [service, pod] {
            story.extra.push(plain(Witness::Api, 100, Act::ReadBack { object }));
        }
        story.step(1, 10_000, 10_000, StepOutcome::Failed { cause: "gone".to_owned() })
    };
    assert_eq!(created("always: /spec/restartPolicy is Always").outcome(), Held, "neither gap nor end matters");
    assert_eq!(created("never: /spec/restartPolicy is Always").outcome(), Violated);
    let nothing = published("of: created, never: /spec/restartPolicy is Always", &[]);
    assert_eq!(nothing.outcome(), Undecidable);
}

#[test]
fn other_pods_are_not_meant_and_other_kinds_are() {
    let mut story = published("where: [phase is present], always: phase is Running", &[json!({"phase": "Running"})]);
    let mut sink = pod("uid-2", &json!({"phase": "Failed"}));
    sink["metadata"]["name"] = json!("sink");
    story.extra.push(plain(Witness::Api, 5_000, Act::Seen { change: "added".to_owned(), object: sink }));
    assert_eq!(story.outcome(), Held);
    let mut story = published("of: event, ever: reason is BackOff", &[]);
    let object = json!({"kind": "Event", "metadata": {"name": "e"}, "reason": "BackOff"});
    story.extra.push(plain(Witness::Api, 5_000, Act::Seen { change: "added".to_owned(), object }));
    assert_eq!(story.outcome(), Held);
}
