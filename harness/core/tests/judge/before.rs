//! `before` and `together`: moments in their order, kept, broken, and still to come.

use serde_json::json;
use sidecheck_core::{
    judge,
    trace::{Act, StepOutcome, Witness},
    verdict::Outcome::{self, Held, Undecidable, Violated},
};

use crate::story::{NODE, Story, What::*, plain};

/// Promises `check` of a pod with a plain init container, two sidecars and a main.
fn promising(check: &str) -> Story {
    promising_after(check, "create")
}

fn promising_after(check: &str, steps: &str) -> Story {
    Story::new(&format!(
        "
about: Order.
source: [KEP-753]
pod:
  init_containers:
  - {{name: i1}}
  - {{name: s1, sidecar: true, startup_probe: {{}}}}
  - {{name: s2, sidecar: true, post_start: {{}}}}
  mains: [{{name: app, pre_stop: {{}}}}, {{name: web}}]
steps: [{steps}]
promises:
  - {{name: it, since: '1.28', check: {check}}}
"
    ))
}

/// Runs through: i1, s1, s2, app, one after the other.
fn started(check: &str) -> Story {
    let story = promising(check).fact(1_000, "i1", Start).fact(3_000, "i1", Exit(0)).fact(5_000, "s1", Start);
    story.fact(7_000, "s1", Probe("startup", true)).fact(9_000, "s2", Start).fact(12_000, "app", Start)
}

fn says(story: &Story) -> Vec<Option<bool>> {
    story.verdicts()[0].testimonies.iter().map(|one| one.says).collect()
}

#[test]
fn a_chain_is_asked_pair_by_pair() {
    let right = started("{before: [start of i1, exit of i1, start of s1, pass of s1, start of s2, start of app]}");
    assert_eq!(right.outcome(), Held, "{}", right.reason());
    let wrong = started("{before: [start of i1, exit of i1, start of s2, pass of s1]}");
    assert_eq!(wrong.outcome(), Violated);
    assert!(wrong.reason().starts_with("pod, start of s2 before pass of s1: "), "{}", wrong.reason());
    let open = started("{before: [start of i1, exit of i1, start of web]}");
    assert_eq!(open.outcome(), Undecidable);
    assert!(open.reason().contains("no start of web"), "{}", open.reason());
}

#[test]
fn one_witness_is_not_enough_and_a_missing_record_is_told() {
    for check in ["{before: [exit of i1, start of s1]}", "{before: [start of s1, exit of i1]}"] {
        let alone = started(check).without(Witness::Runtime).without(Witness::Api);
        assert_eq!(alone.outcome(), Undecidable, "no pod was seen");
        let mut alone = started(check).with(Witness::Runtime, Act::EvidenceMissing { what: "the disk was full".to_owned() });
        alone = alone.with(Witness::Api, Act::WatchGap { kind: Some("Pod".to_owned()), cause: "410 Gone".to_owned() });
        assert_eq!(alone.outcome(), Undecidable);
        assert!(alone.reason().contains("only the program can say"), "{}", alone.reason());
        assert!(alone.reason().contains("the disk was full") && alone.reason().contains("410 Gone"), "{}", alone.reason());
    }
}

#[test]
fn signals_probes_and_hooks_are_not_asked_of_the_kubelet() {
    assert_eq!(says(&started("{before: [pass of s1, start of s2]}")), [Some(true); 2]);
    assert_eq!(says(&started("{before: [exit of i1, start of s2]}")), [Some(true); 3]);
}

#[test]
fn a_start_before_the_exit_is_broken_however_close_first_instructions_are() {
    // s1 starts 0.4 s before i1 has ended: the program's mark is late, and still before the last word of i1.
    let story = promising("{before: [exit of i1, start of s1]}").fact(1_000, "i1", Start);
    let story = story.fact(5_000, "i1", Exit(0)).fact(4_600, "s1", Start);
    assert_eq!(says(&story), [Some(false), Some(false), None]);
    assert_eq!(story.outcome(), Violated);
}

#[test]
fn first_instructions_that_come_late_are_no_broken_order() {
    // Started 20 ms before app got its TERM or exited; the first instruction came later than both.
    for (check, fact) in [("{before: [start of web, term of app]}", Term), ("{before: [start of web, exit of app]}", Exit(1))] {
        for seed in 0..30 {
            let mut story = promising(check).fact(1_000, "app", Start).fact(9_000, "web", Start).fact(9_020, "app", fact.clone());
            story.lags = crate::story::Lags { seed, program_ms: 900, runtime_ms: 3 };
            assert_ne!(story.outcome(), Violated, "seed {seed}: {}", story.reason());
        }
    }
}

#[test]
fn too_close_is_the_resolution_as_measured() {
    let check = "{before: [exit of app, exit of web]}";
    let story = promising(check).fact(1_000, "app", Start).fact(1_000, "web", Start);
    let story = story.fact(9_000, "app", Exit(0)).fact(9_400, "web", Exit(0));
    assert_eq!(says(&story), [Some(true), Some(true), None]);
    let mut trace = story.trace();
    let slow = Act::Resolution { calibrated_ms: 150, late_ms: 700 };
    for event in trace.events.iter_mut().filter(|event| event.witness == Witness::Runtime) {
        if let (Some(at), Act::Exited { .. }) = (&mut event.at, &event.act) {
            at.earliest = at.latest.checked_sub(jiff::SignedDuration::from_millis(850)).expect("must be in range");
        }
    }
    trace.events.push(plain(Witness::Node, 0, slow));
    let verdict = judge(&trace).expect("must judge").remove(0);
    assert_eq!(verdict.outcome, Undecidable);
    assert!(verdict.reason.contains("runtime: too close"), "{}", verdict.reason);
    assert!(verdict.reason.contains("with a resolution of 850 ms"), "{}", verdict.reason);
}

#[test]
fn incarnations_are_told_apart() {
    let restarted = |check: &str| {
        let story = promising(check).fact(1_000, "s1", Start).fact(3_000, "app", Start).fact(6_000, "s1", Exit(1));
        story.fact_of(9_000, "pod", "uid-1", "s1", 1, Start).fact(12_000, "app", Exit(0))
    };
    assert_eq!(restarted("{before: [start of s1, start of app]}").outcome(), Held);
    assert_eq!(restarted("{before: [start of app, start of s1@1]}").outcome(), Held);
    assert_eq!(restarted("{before: [start of s1@1, start of app]}").outcome(), Violated);
    assert_eq!(restarted("{before: [exit of s1@0, start of s1@1]}").outcome(), Held);
    assert_eq!(restarted("{before: [exit of s1@0, exit of app]}").outcome(), Held);
    assert_eq!(restarted("{before: [start of app, exit of s1@1]}").outcome(), Undecidable, "it is not there yet");
    assert_eq!(restarted("{before: [start of s1@2, exit of app]}").outcome(), Undecidable);
    // The last exit is the one that counts, and it is still to come.
    assert_eq!(restarted("{before: [exit of app, exit of s1]}").outcome(), Held);
}

#[test]
fn each_term_counts() {
    let story = |check: &str| {
        let story = promising(check).fact(1_000, "s1", Start).fact(2_000, "app", Start).fact(6_000, "s1", Term);
        let story = story.fact(7_000, "s1", Exit(0)).fact_of(8_000, "pod", "uid-1", "s1", 1, Start);
        story.fact(10_000, "app", Exit(0)).fact_of(12_000, "pod", "uid-1", "s1", 1, Term)
    };
    assert_eq!(story("{before: [exit of app, term of s1]}").outcome(), Violated);
    assert_eq!(story("{before: [exit of app, term of s1@1]}").outcome(), Held);
    assert_eq!(story("{before: [term of s1@0, exit of app]}").outcome(), Held);
}

#[test]
fn an_exit_to_come_is_later_than_all_that_was() {
    let story = started("{before: [start of app, exit of s1]}");
    assert_eq!(says(&story), [Some(true); 3]);
    assert!(story.reason().contains("s1 had not exited when the evidence ended"), "{}", story.reason());
    assert_eq!(started("{together: [s1, s2, app]}").outcome(), Held);
}

#[test]
fn two_exits_to_come_have_no_order() {
    // Their last signs of life have one, which is none of the exits'.
    for check in ["{before: [exit of app, exit of s1]}", "{before: [exit of s1, exit of app]}"] {
        let story = started(check);
        assert_eq!(says(&story), [None; 3], "{}", story.reason());
    }
}

/// While a pod is deleted, what has not ended may have ended by now.
#[test]
fn the_last_sign_of_life_is_no_exit() {
    let story = started("{together: [s1, app]}").fact(20_000, "app", Term);
    assert_eq!(story.outcome(), Undecidable, "{}", story.reason());
    let story = story.fact(22_000, "app", Exit(0)).fact(23_000, "s1", Term).fact(24_000, "s1", Exit(137));
    assert_eq!(says(&story)[3..], [None, Some(true), Some(true)], "the program of s1 was killed: {:#?}", story.verdicts());
    assert_eq!(story.outcome(), Held);
    let story = promising("{before: [exit of app, exit of s1]}").fact(1_000, "s1", Start).fact(2_000, "app", Start);
    let story = story.fact(9_000, "s1", Term).fact(9_500, "app", Term).fact(10_000, "app", Exit(0));
    assert_eq!(says(&story), [None; 3]);
}

/// The same mark shows that an exit came later than something else.
#[test]
fn a_sign_of_life_is_before_the_exit() {
    let story = started("{before: [exit of app, term of s1]}").fact(20_000, "s1", Term).fact(21_000, "app", Term);
    assert_eq!(story.outcome(), Violated);
}

#[test]
fn a_reboot_ends_all_without_a_record() {
    let steps = "create, {disrupt: reboot_node}, {rest: 1s}";
    let story = promising_after("{before: [start of app, exit of s1]}", steps).fact(1_000, "s1", Start);
    let mut story = story.fact(22_000, "app", Start);
    assert_eq!(story.outcome(), Held, "without a reboot s1 runs on");
    story.recorder.push(15_000);
    assert_eq!(says(&story)[..2], [None, None], "s1 has not outlived the node");
    assert_eq!(story.outcome(), Undecidable);
    let again = story.clone().fact_of(21_000, "pod", "uid-1", "s1", 1, Start);
    assert_eq!(again.outcome(), Held, "it came back: {}", again.reason());
    // Only a reboot explains a recorder that starts anew.
    let mut restart = again.clone();
    let yaml = "{before: [start of app, exit of s1]}";
    restart.scenario = promising_after(yaml, "create, {disrupt: restart_kubelet}, {rest: 1s}").scenario;
    assert!(restart.verdicts()[0].testimonies[1].because.contains("started anew"), "{:#?}", restart.verdicts());
    let mut outside = again;
    outside.recorder.push(25_000);
    assert!(outside.verdicts()[0].testimonies[1].because.contains("started anew"), "{:#?}", outside.verdicts());
}

#[test]
fn an_exit_that_the_kubelet_no_longer_shows_running_is_not_to_come() {
    let story = started("{before: [start of app, exit of s1]}");
    let mut trace = story.trace();
    // The last status has s1 waiting, as after a sandbox was lost: nobody knows when it ended.
    let last = trace.events.iter_mut().rfind(|event| matches!(event.act, Act::Seen { .. })).expect("must be there");
    let Act::Seen { object, .. } = &mut last.act else { panic!("it is one") };
    object["status"]["initContainerStatuses"][1]["state"] = json!({"waiting": {"reason": "PodInitializing"}});
    let verdict = judge(&trace).expect("must judge").remove(0);
    assert_eq!(verdict.testimonies[2].says, None, "{verdict:#?}");
}

#[test]
fn disjoint_is_not_together() {
    let story = |exit: i64, start: i64| {
        promising("{together: [s1, app]}").fact(1_000, "s1", Start).fact(exit, "s1", Exit(0)).fact(start, "app", Start)
    };
    assert_eq!(story(5_000, 9_000).outcome(), Violated);
    assert!(story(5_000, 9_000).reason().contains("pod, app with s1: "), "{}", story(5_000, 9_000).reason());
    assert_eq!(story(9_000, 5_000).outcome(), Held);
    let back = story(5_000, 9_000).fact_of(12_000, "pod", "uid-1", "s1", 1, Start);
    assert_eq!(back.outcome(), Held, "it had not exited for good");
    assert_eq!(started("{together: [s1, web]}").outcome(), Undecidable);
}

#[test]
fn the_runtime_sees_hooks_as_commands() {
    let story = |check: &str| {
        let story = promising(check).fact(1_000, "s2", Start).fact(1_500, "s2", HookBegins("post_start"));
        let story = story.fact(4_000, "s2", HookEnds("post_start", true)).fact(5_000, "app", Start);
        let story = story.fact(10_000, "app", HookBegins("pre_stop")).fact(12_000, "app", HookEnds("pre_stop", false));
        story.fact(12_300, "app", Term).fact(13_000, "app", Exit(0))
    };
    for (check, outcome) in [
        ("{before: [start of s2, postStart begin of s2, postStart end of s2, start of app]}", Held),
        ("{before: [preStop begin of app, preStop end of app, term of app, exit of app]}", Held),
        ("{before: [start of app, postStart end of s2]}", Violated),
        ("{before: [term of app, preStop end of app]}", Violated),
        ("{before: [preStop begin of app, postStart begin of s2]}", Violated),
    ] {
        let story = story(check);
        assert_eq!(story.outcome(), outcome, "{check}: {}", story.reason());
        assert_eq!(story.clone().without(Witness::Runtime).outcome(), Undecidable, "{check}");
        assert_eq!(story.without(Witness::Program).outcome(), Undecidable, "{check}");
    }
}

/// A hook that never ended, and one that was killed without a word.
#[test]
fn a_hook_without_end_has_none() {
    let story = promising("{before: [preStop end of app, term of app]}").fact(1_000, "app", Start);
    let story = story.fact(10_000, "app", HookBegins("pre_stop")).fact(15_000, "app", Term).fact(16_000, "app", Exit(0));
    assert_eq!(story.outcome(), Undecidable);
    assert!(story.reason().contains("no preStop end of app"), "{}", story.reason());
}

#[test]
fn each_pod_is_asked() {
    const SET: &str = "
about: Two pods.
source: [KEP-753]
stateful_set:
  replicas: 2
  pod:
    init_containers: [{name: s1, sidecar: true}]
    mains: [{name: app}]
steps: [create]
promises:
  - {name: it, since: '1.28', check: {before: [start of s1, start of app]}}
  - {name: both, since: '1.28', check: {together: [s1, app]}}
";
    let set = |times: [(i64, i64); 2]| {
        (0_u32..).zip(times).fold(Story::new(SET), |story, (ordinal, (s1, app))| {
            let (pod, uid) = (format!("web-{ordinal}"), format!("u-{ordinal}"));
            story.fact_of(s1, &pod, &uid, "s1", 0, Start).fact_of(app, &pod, &uid, "app", 0, Start)
        })
    };
    let outcomes = |story: &Story| -> Vec<Outcome> { story.verdicts().iter().map(|one| one.outcome).collect() };
    assert_eq!(outcomes(&set([(1_000, 4_000), (5_000, 9_000)])), [Held, Held]);
    let wrong = set([(1_000, 4_000), (9_000, 5_000)]);
    assert_eq!(outcomes(&wrong), [Violated, Held]);
    assert!(wrong.reason().starts_with("web-1: web-1/app started"), "{}", wrong.reason());
    let ended = wrong.fact_of(7_000, "web-1", "u-1", "app", 0, Exit(0));
    assert_eq!(outcomes(&ended), [Violated, Violated]);
}

#[test]
fn foreign_containers_are_left_to_the_runtime() {
    let mut story = started("{before: [exit of i1, start of s1]}");
    let mut scenario = story.scenario.clone();
    scenario.pod.as_mut().expect("is one").init_containers[0].agent = Some("busybox".to_owned());
    story.scenario = scenario;
    assert_eq!(story.outcome(), Held);
    assert_eq!(story.verdicts()[0].testimonies.len(), 2, "runtime and kubelet");
}

#[test]
fn what_a_failed_step_left_open_is_inconclusive() {
    let failed = StepOutcome::Failed { cause: format!("{NODE} is gone") };
    let story = promising("{before: [exit of i1, start of s1]}").fact(1_000, "i1", Start).step(0, 0, 9_000, failed);
    assert_eq!(story.outcome(), Outcome::Inconclusive);
}
