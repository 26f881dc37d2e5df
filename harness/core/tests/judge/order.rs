//! Start and stop order: kept, broken, and all the ways of not being able to say.

use sidecheck_core::{
    trace::Witness,
    verdict::{Outcome, explain},
};

use crate::{
    scenarios::{START, STOP},
    story::{Story, What::*},
};

/// Everything started; the stops are for each test to add.
fn started() -> Story {
    Story::new(STOP).fact(1_000, "s1", Start).fact(2_000, "s2", Start).fact(3_000, "app", Start)
}

/// As 1.29 does it.
fn one_by_one() -> Story {
    let story = started().fact(10_000, "app", Term).fact(13_000, "app", Exit(0));
    let story = story.fact(13_290, "s2", Term).fact(14_290, "s2", Exit(0));
    story.fact(14_500, "s1", Term).fact(15_500, "s1", Exit(0))
}

/// As 1.28 does it.
fn all_at_once() -> Story {
    let story = started().fact(10_000, "app", Term).fact(10_010, "s2", Term).fact(10_020, "s1", Term);
    story.fact(11_010, "s2", Exit(0)).fact(11_020, "s1", Exit(0)).fact(13_000, "app", Exit(0))
}

#[test]
fn one_by_one_is_kept_with_both_instants_told() {
    let verdict = one_by_one().verdict("after_main");
    assert_eq!(verdict.outcome, Outcome::Held);
    insta::assert_snapshot!(explain(&verdict), @"`after_main` was held: app exited at 12:00:13.001Z, 286 ms before s2 got TERM at 12:00:13.287Z (runtime; program agrees). Checked: s2 gets TERM after app has exited. Expected: held (promised since 1.29).");
    assert_eq!(one_by_one().verdict("reverse").outcome, Outcome::Held);
}

#[test]
fn all_at_once_is_broken() {
    let verdict = all_at_once().verdict("after_main");
    assert_eq!(verdict.outcome, Outcome::Violated);
    insta::assert_snapshot!(explain(&verdict), @"`after_main` was violated: s2 got TERM at 12:00:10.009Z, 2994 ms before app exited at 12:00:13.003Z (runtime; program agrees). Checked: s2 gets TERM after app has exited. Expected: held (promised since 1.29).");
    assert_eq!(all_at_once().verdict("reverse").outcome, Outcome::Violated);
}

#[test]
fn one_witness_is_not_enough() {
    for missing in [Witness::Program, Witness::Runtime] {
        for story in [one_by_one(), all_at_once()] {
            let story = story.without(missing);
            assert_eq!(story.outcome(), Outcome::Undecidable);
            assert!(story.reason().contains(&format!("{missing}: its record has no")), "{}", story.reason());
        }
    }
}

#[test]
fn witnesses_at_odds_are_both_told() {
    let mut trace = all_at_once().trace();
    // A program that lies: app's last word moved to the front of the record.
    let app = trace.events.iter_mut().find(|event| {
        event.witness == Witness::Program
            && matches!(event.act, sidecheck_core::trace::Act::Exiting { .. })
            && event.container.as_deref() == Some("app")
    });
    app.expect("must be there").line = Some(0);
    let verdict = sidecheck_core::judge(&trace).expect("must judge").remove(0);
    assert_eq!(verdict.outcome, Outcome::Undecidable);
    assert!(verdict.reason.contains("at odds: program says app was about to exit"), "{}", verdict.reason);
    assert!(verdict.reason.contains("runtime says s2 got TERM at 12:00:10"), "{}", verdict.reason);
}

#[test]
fn under_the_resolution_is_too_close() {
    // Broken by 20 ms: the program sees it, the runtime can't.
    let story = started().fact(10_000, "app", Term).fact(13_000, "app", Exit(0)).fact(12_980, "s2", Term);
    let story = story.fact(14_000, "s2", Exit(0)).fact(14_100, "s1", Term);
    assert_eq!(story.outcome(), Outcome::Undecidable);
    assert!(story.reason().contains("runtime: too close"), "{}", story.reason());
    assert!(story.reason().contains("resolution of 100 ms"), "{}", story.reason());
}

#[test]
fn a_container_without_exit_can_still_be_shown_alive() {
    // Killed after everything: the program has no last word of it, and yet it lived on after s2 got TERM.
    let story = started().fact(10_000, "s2", Term).fact(11_000, "s2", Exit(0)).fact(12_000, "app", Term);
    assert_eq!(story.outcome(), Outcome::Violated);
}

#[test]
fn never_asked_to_stop_is_no_order() {
    let story = started().fact(10_000, "app", Term).fact(13_000, "app", Exit(0));
    assert_eq!(story.outcome(), Outcome::Undecidable);
    assert!(story.reason().contains("no TERM of s2"), "{}", story.reason());
}

#[test]
fn for_foreign_images_the_runtime_decides_alone_and_the_verdict_says_so() {
    let yaml = STOP.replace("{name: s2, sidecar: true}", "{name: s2, sidecar: true, agent: rsyslog}");
    for (facts, outcome) in [(one_by_one().facts, Outcome::Held), (all_at_once().facts, Outcome::Violated)] {
        let mut story = Story::new(&yaml);
        story.facts = facts;
        assert_eq!(story.outcome(), outcome);
        assert!(story.reason().contains("by the runtime alone: s2 is no witness program"), "{}", story.reason());
        assert_eq!(story.without(Witness::Runtime).outcome(), Outcome::Undecidable);
    }
}

fn gate(passed: i64, app: i64) -> Story {
    Story::new(START)
        .fact(1_000, "s1", Start)
        .fact(2_000, "s1", Probe("startup", false))
        .fact(passed, "s1", Probe("startup", true))
        .fact(app, "app", Start)
}

#[test]
fn a_startup_probe_gates() {
    assert_eq!(gate(3_000, 3_900).outcome(), Outcome::Held);
    assert_eq!(gate(4_000, 2_500).outcome(), Outcome::Violated);
    assert_eq!(gate(3_000, 3_900).without(Witness::Runtime).outcome(), Outcome::Undecidable);
}

#[test]
fn swapped_first_instructions_are_no_broken_order() {
    // The program alone would say that app came first, by up to 0.8 s.
    let mut story = Story::new(START).fact(1_000, "s1", Start).fact(1_001, "app", Start);
    story.lags.program_ms = 800;
    for seed in 0..200 {
        story.lags.seed = seed;
        assert_ne!(story.verdict("in_order").outcome, Outcome::Violated, "seed {seed}");
    }
}

#[test]
fn start_order_is_seen_by_all_three() {
    let verdict = gate(3_000, 4_500).verdict("in_order");
    assert_eq!(verdict.outcome, Outcome::Held);
    assert_eq!(verdict.testimonies.iter().map(|one| one.says).collect::<Vec<_>>(), [Some(true); 3]);
    // Stamps cut to whole seconds order only what is two seconds apart.
    let close = gate(1_200, 2_100).verdict("in_order");
    assert_eq!(close.testimonies.iter().map(|one| one.says).collect::<Vec<_>>(), [Some(true), Some(true), None]);
    assert_eq!(close.outcome, Outcome::Held);
    let reverse = Story::new(START).fact(5_000, "s1", Start).fact(1_000, "app", Start).verdict("in_order");
    assert_eq!(reverse.outcome, Outcome::Violated);
}
