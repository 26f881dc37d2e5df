//! Facts as each witness records them, by way of the texts that the parsers read in real runs.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sidecheck_core::{
    evidence::{heartbeat, program, recorder, runtime},
    trace::{Act, Event, Witness},
};

use crate::story::{Fact, NODE, RESOLUTION_MS, Story, What, at, plain};

pub(crate) fn events(story: &Story) -> Vec<Event> {
    let mut facts = story.facts.clone();
    facts.sort_by_key(|fact| fact.ms);
    let mut events = program::parse(NODE, &program_text(story, &facts));
    let (stream, journal) = runtime_texts(story, &facts);
    events.extend(runtime::parse(NODE, "ns", &stream, &journal, RESOLUTION_MS));
    events.extend(heartbeat::parse(
        NODE,
        &lines(story.beats.iter().map(|ms| json!({"boot_ns": 0, "wall_ns": ns(*ms)}).to_string())),
    ));
    events.extend(recorder::parse(NODE, &lines(story.recorder.iter().map(|ms| ns(*ms).to_string()))));
    events.extend(watched(story, &facts));
    events
}

fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.map(|line| line + "\n").collect()
}

fn ns(ms: i64) -> i64 {
    at(ms).as_nanosecond() as i64
}

/// The program's marks: `exiting` and probes before the fact, all others after it.
fn program_text(story: &Story, facts: &[Fact]) -> String {
    let mut lags = story.lags.clone();
    let mut marks: Vec<(i64, String)> = Vec::new();
    let agents: Vec<_> =
        all_containers(story).filter(|container| container.agent.is_some()).map(|one| one.name.clone()).collect();
    for fact in facts.iter().filter(|fact| !agents.contains(&fact.container)) {
        let lag = lags.next(story.lags.program_ms);
        let (act, ms) = match &fact.what {
            What::Start => (json!({"act": "started"}), fact.ms + lag),
            What::Probe(kind, ok) => (json!({"act": "probe", "probe": kind, "ok": ok}), fact.ms - lag),
            What::Term => (json!({"act": "term"}), fact.ms + lag),
            // Killed: no last word.
            What::Exit(137) => continue,
            What::Exit(code) => (json!({"act": "exiting", "code": code}), fact.ms - lag),
            What::Wrote(lines) => (json!({"act": "wrote", "lines": lines}), fact.ms),
            What::HookBegins(hook) => (json!({"act": "hook", "hook": hook, "end": false}), fact.ms + lag),
            What::HookEnds(hook, ok) => (json!({"act": "hook", "hook": hook, "end": true, "ok": ok}), fact.ms - lag),
            What::Alive => (json!({"act": "alive"}), fact.ms),
            What::Called(ok) => (json!({"act": "called", "ok": ok, "path": "/"}), fact.ms),
        };
        let mut line = json!({
            "pod": fact.pod, "uid": fact.uid, "container": fact.container, "incarnation": fact.incarnation,
            "boot_ns": 0, "wall_ns": ns(ms),
        });
        line.as_object_mut().expect("is one").extend(act.as_object().expect("is one").clone());
        marks.push((ms, line.to_string()));
    }
    marks.sort_by_key(|(ms, _)| *ms);
    lines(marks.into_iter().map(|(_, line)| line))
}

/// The runtime's event stream and journal: exits are stamped after the fact, stop lines before it.
fn runtime_texts(story: &Story, facts: &[Fact]) -> (String, String) {
    let mut lags = story.lags.clone();
    let (mut stream, mut journal) = (Vec::new(), Vec::new());
    let mut sandboxes: BTreeMap<&str, String> = BTreeMap::new();
    let told = |ms: i64, topic: &str, json: Value| {
        format!("{} +0000 UTC k8s.io {topic} {json}", at(ms).strftime("%Y-%m-%d %H:%M:%S%.f"))
    };
    let said = |ms: i64, message: String| format!("time=\"{}\" level=info msg={}", at(ms), json!(message));
    for (number, fact) in facts.iter().enumerate() {
        let lag = lags.next(story.lags.runtime_ms);
        let Fact { ms, pod, uid, container, incarnation, what } = fact;
        let id = format!("{uid}-{container}-{incarnation}");
        let sandbox = sandboxes.entry(uid).or_insert_with(|| {
            let id = format!("sandbox-{uid}");
            let metadata = format!("&PodSandboxMetadata{{Name:{pod},Uid:{uid},Namespace:ns,Attempt:0,}}");
            journal.push((ms - 50, said(ms - 50, format!("RunPodSandbox for {metadata} returns sandbox id \"{id}\""))));
            id
        });
        match what {
            What::Start => {
                let metadata = format!("&ContainerMetadata{{Name:{container},Attempt:{incarnation},}}");
                let made = format!("CreateContainer within sandbox \"{sandbox}\" for {metadata} returns container id \"{id}\"");
                journal.push((ms - 20, said(ms - 20, made)));
                journal.push((ms - lag, said(ms - lag, format!("StartContainer for \"{id}\""))));
                stream.push((ms + lag, told(ms + lag, "/tasks/start", json!({"container_id": id, "pid": 1}))));
                journal.push((ms + lag, said(ms + lag, format!("StartContainer for \"{id}\" returns successfully"))));
            }
            What::Probe(_, ok) => {
                let exec = format!("exec-{number}");
                let began = ms - 10;
                stream.push((began, told(began, "/tasks/exec-started", json!({"container_id": id, "exec_id": exec, "pid": 2}))));
                let exit =
                    json!({"container_id": id, "id": exec, "exit_status": i32::from(!ok), "exited_at": at(ms + lag).to_string()});
                stream.push((ms + lag, told(ms + lag, "/tasks/exit", exit)));
            }
            What::Term => journal.push((ms - lag, said(ms - lag, format!("Stop container \"{id}\" with signal terminated")))),
            What::Exit(code) => {
                let exit = json!({"container_id": id, "id": id, "exit_status": code, "exited_at": at(ms + lag).to_string()});
                stream.push((ms + lag, told(ms + lag, "/tasks/exit", exit)));
            }
            What::HookBegins(hook) => {
                let began = json!({"container_id": id, "exec_id": hook, "pid": 2});
                stream.push((ms + lag, told(ms + lag, "/tasks/exec-started", began)));
            }
            What::HookEnds(hook, ok) => {
                let at = at(ms + lag).to_string();
                let exit = json!({"container_id": id, "id": hook, "exit_status": i32::from(!ok), "exited_at": at});
                stream.push((ms + lag, told(ms + lag, "/tasks/exit", exit)));
            }
            What::Wrote(_) | What::Alive | What::Called(_) => {}
        }
    }
    stream.sort_by_key(|(ms, _)| *ms);
    journal.sort_by_key(|(ms, _)| *ms);
    (lines(stream.into_iter().map(|(_, line)| line)), lines(journal.into_iter().map(|(_, line)| line)))
}

fn all_containers(story: &Story) -> impl Iterator<Item = &sidecheck_core::scenario::Container> {
    story.scenario.workload().pod().containers()
}

/// What a watch shows: each pod as it is made, and after each fact about it.
fn watched(story: &Story, facts: &[Fact]) -> Vec<Event> {
    let mut pods: Vec<(&str, &str)> = Vec::new();
    for fact in facts {
        if !pods.contains(&(&fact.pod, &fact.uid)) {
            pods.push((&fact.pod, &fact.uid));
        }
    }
    if pods.is_empty() && story.creates() {
        pods.push(("pod", "uid-1"));
    }
    let mut events = Vec::new();
    for (name, uid) in pods {
        let of_pod: Vec<&Fact> = facts.iter().filter(|fact| fact.uid == uid).collect();
        let made = of_pod.first().map_or(0, |fact| fact.ms - 100);
        for known in 0..=of_pod.len() {
            let change = if known == 0 { "added" } else { "modified" };
            let ms = if known == 0 { made } else { of_pod[known - 1].ms + 200 };
            let object = object(story, name, uid, made, &of_pod[..known]);
            events.push(plain(Witness::Api, ms, Act::Seen { change: change.to_owned(), object }));
        }
    }
    events.sort_by_key(|event| event.at.map(|at| at.earliest));
    events
}

fn object(story: &Story, name: &str, uid: &str, made: i64, facts: &[&Fact]) -> Value {
    let pod = story.scenario.workload().pod();
    let statuses = |containers: &[sidecheck_core::scenario::Container]| -> Vec<Value> {
        containers.iter().map(|container| status(uid, &container.name, facts)).collect()
    };
    let mut metadata = json!({"name": name, "uid": uid, "creationTimestamp": seconds(made)});
    if facts.iter().any(|fact| fact.what == What::Term) {
        metadata["deletionTimestamp"] = json!(seconds(made));
    }
    json!({
        "kind": "Pod",
        "metadata": metadata,
        "spec": {"nodeName": NODE, "containers": []},
        "status": {
            "initContainerStatuses": statuses(&pod.init_containers),
            "containerStatuses": statuses(&pod.mains),
        },
    })
}

fn status(uid: &str, container: &str, facts: &[&Fact]) -> Value {
    let of = |incarnation: u32| facts.iter().filter(move |fact| fact.container == container && fact.incarnation == incarnation);
    let state = |incarnation: u32| {
        let start = of(incarnation).find(|fact| fact.what == What::Start)?;
        let exit = of(incarnation).find_map(|fact| match fact.what {
            What::Exit(code) => Some((fact.ms, code)),
            _ => None,
        });
        let id = format!("containerd://{uid}-{container}-{incarnation}");
        Some(match exit {
            None => json!({"running": {"startedAt": seconds(start.ms)}}),
            Some((ms, code)) => json!({"terminated": {
                "startedAt": seconds(start.ms), "finishedAt": seconds(ms), "exitCode": code, "containerID": id,
            }}),
        })
    };
    let count = facts.iter().filter(|fact| fact.container == container).map(|fact| fact.incarnation).max().unwrap_or(0);
    let last = count.checked_sub(1).and_then(state).unwrap_or_else(|| json!({}));
    json!({
        "name": container,
        "restartCount": count,
        "containerID": format!("containerd://{uid}-{container}-{count}"),
        "state": state(count).unwrap_or_else(|| json!({"waiting": {"reason": "PodInitializing"}})),
        "lastState": last,
    })
}

fn seconds(ms: i64) -> String {
    at(ms).strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
