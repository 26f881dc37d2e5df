//! Agents that never worked: what rests on them is inconclusive, with their own words; all else is judged as ever.

use rstest::rstest;
use serde_json::{Value, json};
use sidecheck_core::{
    evidence::{line::compose, sink},
    trace::{Act, Event, PodId, StepOutcome, Tag, Witness},
    verdict::{Outcome, Verdict},
};

use crate::story::{NODE, Story, What::*, plain};

const POD: &str = "
about: An agent that reads what its main writes.
source: [documentation]
sink: syslog_tcp
pod:
  init_containers: [{name: agent, sidecar: true, agent: rsyslog/mine}]
  mains: [{name: app, writes: {lines: 100}}]
steps:
  - create
  - await: {goal: {pod: ready}, promise: ready}
  - delete
  - await: {goal: {pod: ended}, promise: ended}
promises:
  - {name: whole, since: '1.28', check: {delivers_every_line: {producer: app}}}
  - {name: once, since: '1.28', check: {delivers_lines_once: {producer: app}}}
  - {name: agent_runs_once, since: '1.28', check: {runs_once: {container: agent}}}
  - {name: app_after_agent, since: '1.28', check: {starts_after: {first: agent, then: app}}}
  - {name: settles, since: '1.28', check: {shows: {finally: phase is Succeeded}}}
";

/// The main writes its lines, the sink gets none of them, and the first wait runs out.
fn lost(yaml: &str) -> Story {
    let story = Story::new(yaml).fact(5_000, "app", Start).fact(6_000, "app", Wrote(100));
    let mut story = story.step(1, 10_000, 18_000, StepOutcome::TimedOut { last_seen: "not ready".to_owned() });
    story.extra.extend(sink::read(NODE, b"".as_slice()));
    story
}

/// The agent's incarnations: start, exit and code of each.
fn agent(story: Story, lives: &[(i64, i64, i32)]) -> Story {
    (0..).zip(lives).fold(story, |story, (incarnation, (start, exit, code))| {
        let story = story.fact_of(*start, "pod", "uid-1", "agent", incarnation, Start);
        story.fact_of(*exit, "pod", "uid-1", "agent", incarnation, Exit(*code))
    })
}

const CRASHES: [(i64, i64, i32); 3] = [(1_000, 1_200, 1), (12_000, 12_200, 1), (33_000, 33_200, 1)];

/// What the API server published of the agent, at that time, in a pod in which it has a startup probe or not.
fn published(mut story: Story, ms: i64, probed: bool, mut status: Value) -> Story {
    status["name"] = json!("agent");
    let mut container = json!({"name": "agent"});
    if probed {
        container["startupProbe"] = json!({"tcpSocket": {"port": 1}});
    }
    let object = json!({
        "kind": "Pod",
        "metadata": {"name": "pod", "uid": "uid-1"},
        "spec": {"nodeName": NODE, "initContainers": [container], "containers": [{"name": "app"}]},
        "status": {"initContainerStatuses": [status]},
    });
    story.extra.push(plain(Witness::Api, ms, Act::Seen { change: "modified".to_owned(), object }));
    story
}

fn noted(mut story: Story, witness: Witness, act: Act) -> Story {
    let pod = Some(PodId { name: "pod".to_owned(), uid: "uid-1".to_owned() });
    story.extra.push(Event { pod, container: Some("agent".to_owned()), ..plain(witness, 40_000, act) });
    story
}

fn said(story: Story, lines: &[&str]) -> Story {
    noted(story, Witness::Api, Act::Said { lines: lines.iter().map(ToString::to_string).collect() })
}

fn outcomes(story: &Story) -> Vec<(String, Outcome)> {
    story.verdicts().into_iter().map(|verdict| (verdict.promise, verdict.outcome)).collect()
}

fn whole(story: &Story) -> Verdict {
    story.verdict("whole")
}

#[test]
fn a_refused_configuration_is_inconclusive_with_the_agents_own_words() {
    let story = said(agent(lost(POD), &CRASHES), &["error in line 2", "giving up"]);
    insta::assert_snapshot!(whole(&story).reason, @"agent rsyslog/mine (container agent) did not start: exit code 1, 3 times; it said: error in line 2 | giving up. Without it: app (pod, incarnation 0): 100 of 100 lines lost, nothing arrived");
    for (promise, outcome) in outcomes(&story) {
        let stands = ["app_after_agent", "ended"].contains(&promise.as_str());
        assert_eq!(outcome == Outcome::Held, stands, "{promise} {outcome:?}");
        assert!(stands || outcome == Outcome::Inconclusive, "{promise} {outcome:?}");
    }
    let waited = story.verdict("ready").reason;
    assert!(waited.starts_with("agent rsyslog/mine") && waited.contains("last seen: not ready"), "{waited}");
}

/// Old traces have no last words: then the published message of the container's end counts.
#[test]
fn without_a_log_the_published_message_speaks() {
    let ended = json!({"restartCount": 2, "state": {"waiting": {"reason": "CrashLoopBackOff"}}, "lastState": {"terminated":
        {"exitCode": 1, "startedAt": "2026-11-30T12:00:33Z", "finishedAt": "2026-11-30T12:00:33Z", "message": "bad line\n\nend\n"}}});
    let story = published(agent(lost(POD), &CRASHES), 34_000, false, ended);
    assert!(whole(&story).reason.contains("exit code 1, 3 times; it said: bad line | end."), "{}", whole(&story).reason);
    // The runtime's record is what tells who ended it; without it, the back-off does.
    let blind = story.without(Witness::Runtime);
    assert_eq!(whole(&blind).outcome, Outcome::Inconclusive);
    assert!(whole(&blind).reason.contains("exit code 1, 3 times"), "{}", whole(&blind).reason);
    let blind = agent(lost(POD), &CRASHES).without(Witness::Runtime);
    assert_eq!(whole(&blind).outcome, Outcome::Violated);
}

#[test]
fn what_it_said_may_be_unknown() {
    let what = "failed to read the log of agent in pod pod: gone".to_owned();
    let story = noted(agent(lost(POD), &CRASHES[..1]), Witness::Harness, Act::EvidenceMissing { what });
    let told = "did not start: exit code 1; what it said is not known: failed to read the log of agent in pod pod: gone.";
    assert!(whole(&story).reason.contains(told), "{}", whole(&story).reason);
    let silent = said(agent(lost(POD), &CRASHES[..2]), &[]);
    assert!(whole(&silent).reason.contains("did not start: exit code 1, twice; it said nothing."), "{}", whole(&silent).reason);
}

#[rstest]
#[case::image("ErrImageNeverPull", "did not start: its image can't be had: ErrImageNeverPull (not there). Without it: ")]
#[case::container("CreateContainerError", "did not start: its container can't be created: CreateContainerError (not there). ")]
fn an_agent_that_can_t_be_created_is_inconclusive(#[case] reason: &str, #[case] told: &str) {
    let waiting = json!({"restartCount": 0, "state": {"waiting": {"reason": reason, "message": "not there"}}});
    let story = published(lost(POD), 7_000, false, waiting.clone());
    for promise in ["whole", "ready"] {
        let verdict = story.verdict(promise);
        assert_eq!(verdict.outcome, Outcome::Inconclusive, "{}", verdict.reason);
        assert!(verdict.reason.contains(told), "{}", verdict.reason);
    }
    // One that came up at last is an agent like any other.
    let story = agent(published(lost(POD), 7_000, false, waiting), &[(8_000, 30_000, 0)]);
    assert_eq!(whole(&story).outcome, Outcome::Violated);
}

#[rstest]
#[case::never(json!(false), Outcome::Inconclusive)]
#[case::at_last(json!(true), Outcome::Violated)]
fn a_startup_probe_says_whether_it_worked(#[case] started: Value, #[case] outcome: Outcome) {
    let running = |started: &Value| json!({"restartCount": 0, "started": started, "state": {"running": {}}});
    let runs = published(lost(POD).fact(1_000, "agent", Start), 1_500, true, running(&json!(false)));
    let story = said(published(runs, 17_000, true, running(&started)), &["still thinking"]);
    assert_eq!(whole(&story).outcome, outcome, "{}", whole(&story).reason);
    assert_eq!(story.verdict("ready").outcome, outcome);
    // Where no wait ran out, nobody can say that it would not have come.
    let in_time = story.step(1, 10_000, 18_000, StepOutcome::Done);
    assert_eq!(whole(&in_time).outcome, Outcome::Violated);
}

#[test]
fn a_probed_agent_that_ended_before_its_probe_succeeded_was_refused_however_long_it_took() {
    let ended = json!({"restartCount": 0, "started": false, "state": {"terminated": {"exitCode": 0}}});
    let story = published(agent(lost(POD), &[(1_000, 16_000, 0)]), 16_500, true, ended);
    assert_eq!(whole(&story).outcome, Outcome::Inconclusive, "{}", whole(&story).reason);
    // It may have succeeded while nobody looked.
    let gap = Act::WatchGap { kind: Some("Pod".to_owned()), cause: "410 Gone".to_owned() };
    assert_eq!(whole(&story.with(Witness::Api, gap)).outcome, Outcome::Violated);
}

#[rstest]
#[case::settled_then_crashed(&[(1_000, 15_000, 1)])]
#[case::settled_then_killed(&[(1_000, 15_000, 137), (16_000, 16_200, 1)])]
#[case::crashed_then_settled(&[(1_000, 1_200, 1), (12_000, 30_000, 1)])]
#[case::killed_early(&[(1_000, 3_000, 137)])]
#[case::ended_well(&[(1_000, 3_000, 0)])]
fn an_agent_that_worked_or_was_killed_hides_nothing(#[case] lives: &[(i64, i64, i32)]) {
    let story = agent(lost(POD), lives);
    assert_eq!(whole(&story).outcome, Outcome::Violated, "{}", whole(&story).reason);
    assert_eq!(story.verdict("ready").outcome, Outcome::Violated);
}

#[test]
fn an_agent_that_was_told_to_stop_hides_nothing() {
    let story = agent(lost(POD), &[(5_500, 8_000, 1)]).fact(7_500, "agent", Term);
    assert_eq!(whole(&story).outcome, Outcome::Violated, "{}", whole(&story).reason);
}

#[test]
fn a_probed_agent_that_crashed_after_its_probe_succeeded_hides_nothing() {
    let runs = json!({"restartCount": 0, "started": true, "state": {"running": {}}});
    let story = published(agent(lost(POD), &[(1_000, 4_000, 1)]), 2_000, true, runs);
    assert_eq!(whole(&story).outcome, Outcome::Violated, "{}", whole(&story).reason);
}

#[test]
fn an_agent_through_which_lines_came_worked() {
    let mut story = agent(lost(POD), &CRASHES);
    let mut line = Vec::new();
    compose(&mut line, Tag::of("r1", "uid-1", "app", 0), 1, 119, true);
    let line = String::from_utf8(line).expect("must be ASCII");
    let stored = json!({"received_ns": 1, "from": "10.0.0.1:1", "message": line}).to_string();
    story.extra.extend(sink::read(NODE, stored.as_bytes()));
    assert_eq!(whole(&story).outcome, Outcome::Violated);
    assert!(whole(&story).reason.contains("99 of 100 lines lost"), "{}", whole(&story).reason);
}

/// Order is Kubernetes' own, and a pod that is deleted ends whatever its containers do.
#[test]
fn what_breaks_without_the_agent_stays_broken() {
    let late = [(8_000, 8_200, 1), (19_000, 19_200, 1)];
    let story = agent(lost(POD), &late);
    let story = story.step(3, 30_000, 38_000, StepOutcome::TimedOut { last_seen: "still there".to_owned() });
    assert_eq!(whole(&story).outcome, Outcome::Inconclusive);
    for promise in ["app_after_agent", "ended"] {
        let verdict = story.verdict(promise);
        assert_eq!(verdict.outcome, Outcome::Violated, "{}", verdict.reason);
        assert!(!verdict.reason.contains("agent rsyslog"), "{}", verdict.reason);
    }
}

#[test]
fn a_pod_without_an_agent_is_judged_as_ever() {
    let yaml = POD.replace(", agent: rsyslog/mine", "");
    let story = said(agent(lost(&yaml), &CRASHES), &["no agent's word"]);
    let broken = outcomes(&story).into_iter().filter(|(_, outcome)| *outcome == Outcome::Violated);
    let broken: Vec<String> = broken.map(|(promise, _)| promise).collect();
    assert_eq!(broken, ["whole", "agent_runs_once", "settles", "ready"]);
    assert!(story.verdicts().iter().all(|verdict| !verdict.reason.contains("no agent's word")));
}
