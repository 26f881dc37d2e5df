//! `takes`: lengths of time and their bounds.

use jiff::SignedDuration;
use sidecheck_core::{
    judge,
    trace::{Act, Witness},
    verdict::Outcome::{Held, Undecidable, Violated},
};

use crate::story::{Story, What::*, plain};

fn promising(takes: &str) -> Story {
    Story::new(&format!(
        "
about: Lengths.
source: [documentation]
pod:
  init_containers: [{{name: s1, sidecar: true, startup_probe: {{}}}}]
  mains: [{{name: app, pre_stop: {{}}}}]
steps: [create, delete]
promises:
  - {{name: it, since: '1.28', check: {{takes: {{{takes}}}}}}}
"
    ))
}

/// app gets TERM at 10 s and exits after `stop` milliseconds.
fn stopped(bounds: &str, stop: i64) -> Story {
    let story = promising(&format!("from: term of app, to: exit of app, {bounds}")).fact(1_000, "app", Start);
    story.fact(10_000, "app", Term).fact(10_000 + stop, "app", Exit(0))
}

fn says(story: &Story) -> Vec<Option<bool>> {
    story.verdicts()[0].testimonies.iter().map(|one| one.says).collect()
}

#[test]
fn bounds_are_kept_and_broken() {
    for (bounds, stop, outcome) in [
        ("at_least: 5s", 6_000, Held),
        ("at_least: 5s", 3_000, Violated),
        ("at_most: 5s", 4_000, Held),
        ("at_most: 5s", 7_000, Violated),
        ("at_least: 2s, at_most: 5s", 3_500, Held),
        ("at_least: 2s, at_most: 5s", 500, Violated),
        ("at_least: 2s, at_most: 5s", 6_500, Violated),
    ] {
        let story = stopped(bounds, stop);
        assert_eq!(story.outcome(), outcome, "{bounds}, {stop}: {}", story.reason());
        assert_eq!(story.clone().without(Witness::Program).outcome(), Undecidable);
        assert_eq!(story.without(Witness::Runtime).outcome(), Undecidable);
    }
    insta::assert_snapshot!(stopped("at_least: 5s", 6_000).reason(), @"app got TERM at 12:00:09.997Z, and app exited at 12:00:16.001Z 6004 ms later (runtime; program agrees)");
}

#[test]
fn around_the_bound_is_too_close() {
    for (bounds, stop) in [("at_least: 5s", 4_950), ("at_least: 5s", 5_010), ("at_most: 5s", 5_050), ("at_most: 5s", 4_998)] {
        let story = stopped(bounds, stop);
        assert_eq!(story.outcome(), Undecidable, "{bounds}, {stop}");
        assert!(story.reason().contains("too close to the bound"), "{}", story.reason());
    }
    // The program's marks may be late by a second: what is broken by less is not broken for it.
    assert_eq!(says(&stopped("at_least: 5s", 4_200)), [None, Some(false)]);
    assert_eq!(says(&stopped("at_least: 5s", 3_900)), [Some(false), Some(false)]);
}

#[test]
fn a_killed_program_was_alive_for_a_while() {
    let killed = |bounds: &str, alive: &[i64]| {
        let story = stopped(bounds, 6_000);
        let mut story = alive.iter().fold(story, |story, ms| story.fact(10_000 + ms, "app", Alive));
        story.facts.retain(|fact| fact.what != Exit(0));
        story.fact(16_000, "app", Exit(137))
    };
    let story = killed("at_least: 5s", &[250, 3_000, 5_750]);
    assert_eq!(story.outcome(), Held, "{}", story.reason());
    assert!(story.verdicts()[0].testimonies[0].because.contains("app was alive 5"), "{:#?}", story.verdicts());
    assert_eq!(says(&killed("at_least: 5s", &[250, 3_000])), [None, Some(true)]);
    assert_eq!(says(&killed("at_most: 5s", &[250, 3_000, 5_750])), [Some(false), Some(false)]);
    assert_eq!(killed("at_most: 5s", &[250, 3_000, 5_750]).outcome(), Violated);
    assert_eq!(says(&killed("at_most: 9s", &[250, 3_000, 5_750])), [None, Some(true)], "nothing bounds it from above");
    assert_eq!(says(&killed("at_least: 2s, at_most: 9s", &[250, 3_000])), [None, Some(true)]);
}

/// A later incarnation's signs of life are none of the one that is asked about.
#[test]
fn the_next_incarnation_does_not_count() {
    let story = promising("from: term of app@0, to: exit of app@0, at_least: 5s").fact(1_000, "app", Start);
    let story = story.fact(10_000, "app", Term).fact(11_000, "app", Exit(137));
    let story = story.fact_of(12_000, "pod", "uid-1", "app", 1, Start).fact_of(30_000, "pod", "uid-1", "app", 1, Alive);
    assert_eq!(says(&story), [None, Some(false)], "{:#?}", story.verdicts());
}

/// The last sign of life of a killed container is not when it ended.
#[test]
fn a_length_does_not_begin_with_a_sign_of_life() {
    let story = promising("from: exit of app, to: exit of s1, at_most: 5s").fact(1_000, "s1", Start).fact(2_000, "app", Start);
    let story = story.fact(20_000, "app", Exit(137)).fact(22_000, "s1", Term).fact(23_000, "s1", Exit(0));
    assert_eq!(says(&story), [None, Some(true), Some(true)], "{:#?}", story.verdicts());
    assert_eq!(story.outcome(), Held);
}

#[test]
fn from_the_first_of_several_terms_to_the_last() {
    let story = promising("from: term of app, to: exit of app, at_least: 5s").fact(1_000, "app", Start);
    let story = story.fact(10_000, "app", Term).fact(14_000, "app", Term).fact(17_000, "app", Exit(0));
    assert_eq!(story.outcome(), Held, "a kubelet that was restarted asks again");
}

#[test]
fn a_bound_from_above_is_about_the_distance_in_either_order() {
    let reversed = |bound: &str| {
        let story = promising(&format!("from: exit of app, to: exit of s1, {bound}")).fact(1_000, "s1", Start);
        story.fact(2_000, "app", Start).fact(9_000, "s1", Exit(0)).fact(15_000, "app", Exit(0))
    };
    assert_eq!(reversed("at_most: 7s").outcome(), Held);
    assert_eq!(reversed("at_most: 3s").outcome(), Violated);
    assert!(reversed("at_most: 3s").reason().contains("in the other order: s1 "), "{}", reversed("at_most: 3s").reason());
    assert_eq!(reversed("at_least: 5s").outcome(), Violated);
}

#[test]
fn missing_moments_are_told() {
    let story = promising("from: pass of s1, to: start of app, at_most: 5s").fact(1_000, "s1", Start).fact(3_000, "app", Start);
    assert_eq!(story.outcome(), Undecidable);
    assert!(story.reason().contains("no successful probe of s1"), "{}", story.reason());
    let story = stopped("at_most: 60s", 1_000);
    let open = Story { facts: story.facts[..2].to_vec(), ..story };
    assert_eq!(open.outcome(), Undecidable, "it has not ended yet");
}

#[test]
fn hooks_and_whole_seconds() {
    let story = promising("from: preStop begin of app, to: preStop end of app, at_least: 2s").fact(1_000, "app", Start);
    let story = story.fact(10_000, "app", HookBegins("pre_stop")).fact(13_000, "app", HookEnds("pre_stop", true));
    assert_eq!(says(&story), [Some(true); 2]);
    // The kubelet's stamps are worth a second.
    let ran = |ms: i64| {
        let story = promising("from: start of app, to: exit of app, at_most: 9s").fact(1_500, "app", Start);
        story.fact(1_500 + ms, "app", Exit(0))
    };
    assert_eq!(says(&ran(6_000)), [Some(true); 3]);
    assert_eq!(says(&ran(8_600)), [Some(true), Some(true), None]);
    assert_eq!(says(&ran(12_000)), [Some(false); 3]);
}

#[test]
fn a_late_node_widens_the_bounds() {
    let story = stopped("at_most: 5s", 5_400);
    assert_eq!(says(&story), [None, Some(false)]);
    let mut trace = story.trace();
    for event in trace.events.iter_mut().filter(|event| event.witness == Witness::Runtime) {
        if let (Some(at), Act::Exited { .. }) = (&mut event.at, &event.act) {
            at.earliest = at.latest.checked_sub(SignedDuration::from_millis(850)).expect("must be in range");
        }
    }
    trace.events.push(plain(Witness::Node, 0, Act::Resolution { calibrated_ms: 150, late_ms: 700 }));
    let verdict = judge(&trace).expect("must judge").remove(0);
    assert_eq!(verdict.testimonies[1].says, None, "{verdict:#?}");
}
