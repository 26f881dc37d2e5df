//! `runs`, `exits` and `calls_are_answered`.

use sidecheck_core::{
    trace::{Act, StepOutcome, Witness},
    verdict::Outcome::{Held, Inconclusive, Undecidable, Violated},
};

use crate::story::{Story, What::*, plain};

fn promising(check: &str) -> Story {
    Story::new(&format!(
        "
about: Counts.
source: [documentation]
pod:
  init_containers: [{{name: s1, sidecar: true}}]
  mains: [{{name: app, calls: 'localhost:80/'}}]
steps: [create, delete]
promises:
  - {{name: it, since: '1.28', check: {{{check}}}}}
"
    ))
}

/// app runs that often, for 2 s each, with the codes 1, 2, 3, ...; the last one runs on.
fn ran(check: &str, times: u32) -> Story {
    (0..times).fold(promising(check), |story, number| {
        let begin = 1_000 + 4_000 * i64::from(number);
        let story = story.fact_of(begin, "pod", "uid-1", "app", number, Start);
        if number + 1 == times {
            story
        } else {
            story.fact_of(begin + 2_000, "pod", "uid-1", "app", number, Exit(number.cast_signed() + 1))
        }
    })
}

fn says(story: &Story) -> Vec<Option<bool>> {
    story.verdicts()[0].testimonies.iter().map(|one| one.says).collect()
}

#[test]
fn incarnations_are_counted() {
    for (bound, times, outcome) in [
        ("exactly: 1", 1, Held),
        ("exactly: 1", 2, Violated),
        ("exactly: 3", 3, Held),
        ("exactly: 3", 2, Violated),
        ("exactly: 3", 4, Violated),
        ("at_least: 2", 2, Held),
        ("at_least: 2", 3, Held),
        ("at_least: 2", 1, Violated),
    ] {
        let story = ran(&format!("runs: {{container: app, {bound}}}"), times);
        assert_eq!(story.outcome(), outcome, "{bound}, {times}: {}", story.reason());
        let silent = |witness| story.clone().with(witness, Act::EvidenceMissing { what: "lost".to_owned() });
        let alone = silent(Witness::Runtime).with(Witness::Program, Act::EvidenceMissing { what: "lost".to_owned() });
        assert_eq!(alone.outcome(), Undecidable, "the kubelet alone");
    }
}

#[test]
fn without_a_start_nothing_is_counted() {
    let story = promising("runs: {container: app, exactly: 1}").fact(1_000, "s1", Start);
    assert_eq!(story.outcome(), Undecidable);
    assert!(story.reason().contains("no start of app"), "{}", story.reason());
}

/// A kubelet that never published the second of three incarnations, or has not published the last one yet.
#[test]
fn the_kubelet_may_have_missed_some() {
    let missed = |check: &str, keep: fn(u64) -> bool| {
        let mut trace = ran(check, 3).trace();
        trace.events.retain(|event| match &event.act {
            Act::Seen { object, .. } => {
                keep(object.pointer("/status/containerStatuses/0/restartCount").and_then(serde_json::Value::as_u64).unwrap_or(0))
            }
            _ => true,
        });
        sidecheck_core::judge(&trace).expect("must judge").remove(0)
    };
    let says = |verdict: &sidecheck_core::verdict::Verdict| verdict.testimonies[2].says;
    let hole = missed("runs: {container: app, exactly: 3}", |count| count != 1);
    assert_eq!((hole.outcome, says(&hole)), (Held, Some(true)));
    let behind = missed("runs: {container: app, exactly: 3}", |count| count < 2);
    assert_eq!((behind.outcome, says(&behind)), (Held, None), "fewer than there were say nothing");
    let behind = missed("runs: {container: app, at_least: 3}", |count| count < 2);
    assert_eq!((behind.outcome, says(&behind)), (Held, None));
    let behind = missed("runs: {container: app, exactly: 2}", |count| count < 2);
    assert_eq!(behind.outcome, Undecidable, "it is at odds with the others");
    let code = missed("exits: {container: app, code: 2}", |count| count < 2);
    assert_eq!((code.outcome, says(&code)), (Undecidable, Some(true)), "the others know of a third one that has not ended");
}

#[test]
fn what_a_cut_scenario_did_not_show_may_have_come_later() {
    let failed = StepOutcome::Failed { cause: "connection refused".to_owned() };
    for (check, times, outcome) in [
        ("runs: {container: app, at_least: 2}", 1, Inconclusive),
        ("runs: {container: app, exactly: 2}", 1, Inconclusive),
        ("runs: {container: app, exactly: 1}", 1, Inconclusive),
        ("runs_once: {container: app}", 1, Inconclusive),
        // What was seen was seen.
        ("runs: {container: app, at_least: 2}", 2, Held),
        ("runs: {container: app, exactly: 1}", 2, Violated),
        ("runs_once: {container: app}", 2, Violated),
    ] {
        let story = ran(check, times).step(1, 10_000, 11_000, failed.clone());
        assert_eq!(story.outcome(), outcome, "{check}, {times}: {}", story.reason());
    }
    let skipped = ran("runs: {container: app, at_least: 2}", 1).step(1, 10_000, 10_000, StepOutcome::Skipped);
    assert_eq!(skipped.outcome(), Undecidable, "interrupted");
    let late = StepOutcome::TimedOut { last_seen: "nothing".to_owned() };
    assert_eq!(ran("runs: {container: app, at_least: 2}", 1).step(1, 10_000, 18_000, late).outcome(), Violated);
}

#[test]
fn codes_of_the_last_and_of_each_incarnation() {
    let story = |check: &str| ran(check, 3).fact_of(15_000, "pod", "uid-1", "app", 2, Exit(7));
    for (check, outcome) in [
        ("exits: {container: app, code: 7}", Held),
        ("exits: {container: app, code: 0}", Violated),
        ("exits: {container: app, code: 1, incarnation: 0}", Held),
        ("exits: {container: app, code: 2, incarnation: 1}", Held),
        ("exits: {container: app, code: 1, incarnation: 1}", Violated),
        ("exits: {container: app, code: 7, incarnation: 3}", Undecidable),
    ] {
        let story = story(check);
        assert_eq!(story.outcome(), outcome, "{check}: {}", story.reason());
        if outcome != Undecidable {
            assert_eq!(says(&story), [Some(outcome == Held); 3], "lastState is known, too");
        }
    }
    assert_eq!(ran("exits: {container: app, code: 2}", 3).outcome(), Undecidable, "the last one has not exited");
}

#[test]
fn a_kill_is_seen_by_those_outside() {
    let story = promising("exits: {container: app, code: 137}").fact(1_000, "app", Start).fact(5_000, "app", Exit(137));
    assert_eq!(says(&story), [None, Some(true), Some(true)]);
    assert_eq!(story.outcome(), Held);
    assert_eq!(story.without(Witness::Runtime).outcome(), Undecidable);
}

#[test]
fn a_program_that_is_killed_after_its_last_word_is_at_odds() {
    let story = promising("exits: {container: app, code: 0}").fact(1_000, "app", Start).fact(5_000, "app", Exit(137));
    let mut trace = story.trace();
    let last = trace.events.iter().rfind(|event| event.witness == Witness::Program).expect("must be there").clone();
    trace.events.push(sidecheck_core::trace::Event { line: Some(99), act: Act::Exiting { code: 0 }, ..last });
    assert_eq!(sidecheck_core::judge(&trace).expect("must judge")[0].outcome, Undecidable);
}

fn called(answers: &[(i64, bool)]) -> Story {
    let story = promising("calls_are_answered: {container: app}").fact(1_000, "app", Start);
    answers.iter().fold(story, |story, (ms, ok)| story.fact(*ms, "app", Called(*ok)))
}

#[test]
fn from_the_first_answer_on_every_call_counts() {
    let kept = called(&[(2_000, false), (2_500, false), (3_000, true), (3_500, true)]);
    assert_eq!(kept.outcome(), Held);
    assert_eq!(kept.reason(), "app made 2 calls, and each was answered");
    let broken = called(&[(2_000, false), (3_000, true), (3_500, false), (4_000, true)]);
    assert_eq!(broken.outcome(), Violated);
    assert_eq!(broken.reason(), "1 of 3 calls of app were not answered");
    assert_eq!(called(&[(2_000, true), (3_000, false)]).outcome(), Violated, "the last one");
    for none in [called(&[]), called(&[(2_000, false)])] {
        assert_eq!(none.outcome(), Undecidable);
        assert!(none.reason().contains("no call of app was ever answered"), "{}", none.reason());
    }
    let lost = kept.with(Witness::Program, Act::EvidenceMissing { what: "line 7 is damaged".to_owned() });
    assert_eq!(lost.outcome(), Undecidable);
}

#[test]
fn each_pod_has_a_first_answer_of_its_own() {
    const SET: &str = "
about: Two pods.
source: [KEP-753]
stateful_set:
  replicas: 2
  pod:
    mains: [{name: app, calls: 'localhost:80/'}]
steps: [create]
promises:
  - {name: it, since: '1.28', check: {calls_are_answered: {container: app}}}
";
    let set = |second: &[(i64, bool)]| {
        let first = [(2_000, true), (3_000, true), (6_000, true)].map(|call| ("web-0", "u-0", call));
        let calls = first.into_iter().chain(second.iter().map(|call| ("web-1", "u-1", *call)));
        calls.fold(Story::new(SET), |story, (pod, uid, (ms, ok))| story.fact_of(ms, pod, uid, "app", 0, Called(ok)))
    };
    // The second one begins to call while the first is served already.
    assert_eq!(set(&[(4_000, false), (5_000, true)]).outcome(), Held);
    assert_eq!(set(&[(4_000, true), (5_000, false)]).outcome(), Violated);
    assert_eq!(set(&[(4_000, false)]).outcome(), Undecidable);
}

#[test]
fn only_the_program_counts_calls() {
    let mut story = called(&[(2_000, true), (3_000, true)]);
    let mut other = plain(Witness::Program, 4_000, Act::Called { ok: false });
    other.container = Some("s1".to_owned());
    story.extra.push(other);
    assert_eq!(story.outcome(), Held, "calls of another container");
}
