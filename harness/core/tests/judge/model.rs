//! The judge against the simulated kubelet: right ones are never found broken, wrong ones never kept, under any jitter.

use proptest::prelude::*;
use sidecheck_core::verdict::Outcome::{self, Held, Undecidable, Violated};

use crate::{
    kubelet::{Bug, Plan, run},
    story::{Fact, Lags, Story, What::*},
};

const LIFE: &str = "
about: A whole life.
source: [KEP-753]
pod:
  init_containers: [{name: s1, sidecar: true, startup_probe: {}}, {name: s2, sidecar: true}]
  mains: [{name: app}]
steps: [create, delete]
promises:
  - {name: after_main, since: '1.29', check: {stops_after: {first: app, then: s2}}}
  - {name: after_main_too, since: '1.29', check: {stops_after: {first: app, then: s1}}}
  - {name: reverse, since: '1.29', check: {stops_after: {first: s2, then: s1}}}
  - {name: restarts, since: '1.28', check: {restarts_during: {container: s2, during: app}}}
  - {name: gated, since: '1.28', check: {starts_after_probe: {gate: s1, then: s2}}}
  - {name: in_order, since: '1.28', check: {starts_after: {first: s2, then: app}}}
  - {name: once, since: '1.28', check: {runs_once: {container: app}}}
";

/// The same life, and more of it, in the words of the composable checks.
const COMPOSED: &str = "
about: A whole life.
source: [KEP-753]
pod:
  init_containers: [{name: s1, sidecar: true, startup_probe: {}}, {name: s2, sidecar: true}]
  mains: [{name: app}]
steps: [create, delete]
promises:
  - {name: after_main, since: '1.29', check: {before: [exit of app, term of s2@1]}}
  - {name: reverse, since: '1.29', check: {before: [start of s2@1, term of s2@1, exit of s2, term of s1, exit of s1]}}
  - {name: restarts, since: '1.28', check: {runs: {container: s2, at_least: 2}}}
  - {name: gated, since: '1.28', check: {before: [start of s1, pass of s1, start of s2, start of app, exit of s2@0]}}
  - {name: once, since: '1.28', check: {runs: {container: app, exactly: 1}}}
  - {name: in_time, since: '1.28', check: {exits: {container: app, code: 0}}}
  - {name: together, since: '1.28', check: {together: [s1, s2, app]}}
  - {name: stops, since: '1.28', check: {takes: {from: term of s1, to: exit of s1, at_most: 5s}}}
";

/// The promise that a bug breaks for sure.
fn broken_by(bug: Bug) -> Option<&'static str> {
    match bug {
        Bug::None => None,
        Bug::SignalsAllAtOnce => Some("after_main"),
        Bug::StopsInStartOrder => Some("reverse"),
        Bug::ForgetsToRestart => Some("restarts"),
        Bug::IgnoresStartupProbe => Some("gated"),
        Bug::RestartsMain => Some("once"),
        Bug::GivesNoGrace => Some("in_time"),
    }
}

prop_compose! {
    fn plans()(
        reaction in 120_i64..1_500,
        probe_passes in 2_000_i64..5_000,
        exits_after in 3_000_i64..4_000,
        deleted_after in 1_000_i64..4_000,
        stops in prop::array::uniform3(500_i64..3_000),
    ) -> Plan {
        Plan { reaction, probe_passes, exits_after, deleted_after, stops }
    }
}

prop_compose! {
    fn all_lags()(seed: u64, program_ms in 0_u64..60, runtime_ms in 0_u64..=100) -> Lags {
        Lags { seed, program_ms, runtime_ms }
    }
}

fn story(facts: Vec<Fact>, lags: Lags) -> Story {
    Story { facts, lags, ..Story::new(LIFE) }
}

fn composed(facts: Vec<Fact>, lags: Lags) -> Story {
    Story { facts, lags, ..Story::new(COMPOSED) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_right_kubelet_keeps_all(plan in plans(), mut lags in all_lags()) {
        // The kubelet acts on an exit after the runtime has noticed it: stamps are late by less than the reaction takes.
        lags.runtime_ms = lags.runtime_ms.min(50);
        let facts = run(&plan, Bug::None);
        for verdict in story(facts.clone(), lags.clone()).verdicts().into_iter().chain(composed(facts, lags).verdicts()) {
            prop_assert_eq!(verdict.outcome, Held, "{:#?}", verdict);
        }
    }

    #[test]
    fn a_bug_breaks_its_promise(
        plan in plans(),
        lags in all_lags(),
        bug in prop::sample::select(vec![Bug::SignalsAllAtOnce, Bug::StopsInStartOrder, Bug::ForgetsToRestart, Bug::IgnoresStartupProbe]),
    ) {
        let mut plan = plan;
        if bug == Bug::IgnoresStartupProbe {
            // Else the probe passes before the next container would have come anyway.
            plan.reaction = plan.reaction.min(1_000);
        }
        let verdict = story(run(&plan, bug), lags).verdict(broken_by(bug).expect("it breaks one"));
        prop_assert_eq!(verdict.outcome, Violated, "{:#?}", verdict);
    }

    #[test]
    fn a_bug_breaks_its_composed_promise(
        plan in plans(),
        lags in all_lags(),
        bug in prop::sample::select(vec![
            Bug::SignalsAllAtOnce, Bug::StopsInStartOrder, Bug::ForgetsToRestart, Bug::IgnoresStartupProbe, Bug::RestartsMain,
            Bug::GivesNoGrace,
        ]),
    ) {
        let mut plan = plan;
        plan.reaction = plan.reaction.min(1_000);
        let verdict = composed(run(&plan, bug), lags).verdict(broken_by(bug).expect("it breaks one"));
        prop_assert_eq!(verdict.outcome, Violated, "{:#?}", verdict);
    }

    /// However close the two instants are, the judge may be unable to say, but it never says the opposite.
    #[test]
    fn never_the_opposite(distance in -300_i64..300, lags in all_lags()) {
        let end = 14_000;
        let facts = Story::new(LIFE)
            .fact(1_000, "s1", Start).fact(2_000, "s2", Start).fact(3_000, "app", Start)
            .fact(11_000, "app", Term).fact(end, "app", Exit(0))
            .fact(end + distance, "s2", Term).fact(end + 2_000, "s2", Exit(0));
        let verdict = story(facts.facts, lags).verdict("after_main");
        let truth = if distance > 0 { Held } else { Violated };
        prop_assert!([truth, Undecidable].contains(&verdict.outcome), "{:#?}", verdict);
        if distance.abs() > 220 {
            prop_assert_eq!(verdict.outcome, truth, "{:#?}", verdict);
        }
    }

    /// The same for a probe and the start that it gates.
    #[test]
    fn never_the_opposite_for_probes(distance in -300_i64..300, lags in all_lags()) {
        let passed = 5_000;
        let facts = Story::new(LIFE).fact(1_000, "s1", Start).fact(passed, "s1", Probe("startup", true));
        let verdict = story(facts.fact(passed + distance, "s2", Start).facts, lags).verdict("gated");
        let truth: Outcome = if distance > 0 { Held } else { Violated };
        prop_assert!([truth, Undecidable].contains(&verdict.outcome), "{:#?}", verdict);
        if distance.abs() > 220 {
            prop_assert_eq!(verdict.outcome, truth, "{:#?}", verdict);
        }
    }
}
