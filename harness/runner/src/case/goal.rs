//! Whether a goal is reached, and what is seen instead, from the newest states of the objects.

mod rollout;

use serde_json::Value;
use sidecheck_core::scenario::{ContainerGoal, ContainerState, Goal, JobState, PodState, Rollout, Sight as Wanted};

use crate::{manifest::SINK_NAME, observe::Board};

/// What the board says about a goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sight {
    /// Whether it is reached.
    pub(super) reached: bool,
    /// What was seen, for people: the last thing seen when a wait runs out.
    pub(super) seen: String,
}

pub(super) fn look(goal: &Goal, board: &Board) -> Sight {
    match goal {
        Goal::Pod(PodState::Gone) => {
            let left: Vec<String> = tested_pods(board).iter().map(pod_summary).collect();
            Sight { reached: left.is_empty(), seen: if left.is_empty() { "no pod".to_owned() } else { left.join("; ") } }
        }
        Goal::Pod(state) => match tested_pod(board) {
            Some(pod) => Sight { reached: pod_is(&pod, *state), seen: pod_summary(&pod) },
            None => Sight { reached: false, seen: "no pod".to_owned() },
        },
        Goal::Container(goal) => match tested_pod(board) {
            Some(pod) => Sight { reached: container_is(&pod, goal), seen: pod_summary(&pod) },
            None => Sight { reached: false, seen: "no pod".to_owned() },
        },
        Goal::Job(state) => match board.of_kind("Job").first() {
            Some(job) => Sight { reached: job_is(job, *state), seen: job_summary(job, tested_pod(board).as_ref()) },
            None => Sight { reached: false, seen: "no Job".to_owned() },
        },
        Goal::StatefulSet(Rollout::RolledOut) => rollout::look(board, "StatefulSet"),
        Goal::Deployment(Rollout::RolledOut) => rollout::look(board, "Deployment"),
        Goal::DaemonSet(Rollout::RolledOut) => rollout::look(board, "DaemonSet"),
        Goal::Shows(wanted) => shows(wanted, board),
        // These are polled.
        Goal::Recorded(_) | Goal::Kubectl(_) => Sight { reached: false, seen: "nothing was looked at".to_owned() },
    }
}

fn shows(wanted: &Wanted, board: &Board) -> Sight {
    let objects = match wanted.of.as_str() {
        "pod" => tested_pod(board).into_iter().collect(),
        kind => board.of_kind(kind),
    };
    let is_so = |object: &&Value| wanted.facts.iter().all(|fact| fact.holds(object));
    let Some(object) = objects.iter().find(is_so).or(objects.last()) else {
        return Sight { reached: false, seen: format!("no {}", wanted.of) };
    };
    let facts: Vec<String> = wanted.facts.iter().map(|fact| fact.seen(object)).collect();
    let pod = if wanted.of == "pod" { format!("; {}", pod_summary(object)) } else { String::new() };
    Sight { reached: is_so(&object), seen: format!("{}{pod}", facts.join(", ")) }
}

/// The bare pod or the pod of the Job: the newest one that is not the sink.
pub(super) fn tested_pod(board: &Board) -> Option<Value> {
    tested_pods(board).into_iter().max_by_key(|pod| text(pod, "/metadata/creationTimestamp").to_owned())
}

/// All pods but the sink.
pub(super) fn tested_pods(board: &Board) -> Vec<Value> {
    let pods = board.of_kind("Pod");
    pods.into_iter().filter(|pod| text(pod, "/metadata/name") != SINK_NAME).collect()
}

fn pod_is(pod: &Value, state: PodState) -> bool {
    match state {
        PodState::Ready => condition(pod, "Ready") == Some("True"),
        PodState::Pending => text(pod, "/status/phase") == "Pending",
        PodState::Gone => false,
        PodState::Ended => {
            matches!(text(pod, "/status/phase"), "Succeeded" | "Failed")
                && statuses(pod).all(|status| status.pointer("/state/running").is_none())
        }
    }
}

fn container_is(pod: &Value, goal: &ContainerGoal) -> bool {
    let Some(status) = status(pod, &goal.name) else {
        return goal.state == ContainerState::NotStarted;
    };
    let restarts = status["restartCount"].as_u64().unwrap_or(0);
    let state = |name: &str| status["state"].get(name).is_some();
    match goal.state {
        ContainerState::Running => state("running"),
        ContainerState::Terminated => state("terminated"),
        ContainerState::NotStarted => !state("running") && !state("terminated") && restarts == 0,
        ContainerState::Restarted => state("running") && restarts > 0,
    }
}

fn job_is(job: &Value, state: JobState) -> bool {
    let complete = condition(job, "Complete") == Some("True");
    let failed = condition(job, "Failed") == Some("True");
    match state {
        JobState::Complete => complete,
        JobState::Failed => failed,
        JobState::Active => !complete && !failed && job["status"]["active"].as_u64().unwrap_or(0) > 0,
    }
}

/// Where a container runs: the node, and the runtime's id of it.
///
/// # Errors
/// It does not run; what was seen of its pod.
pub(super) fn running<'a>(pod: &'a Value, container: &str) -> Result<(&'a str, &'a str), String> {
    let status = status(pod, container).filter(|status| status["state"].get("running").is_some());
    let id = status.and_then(|status| status["containerID"].as_str()?.split_once("://"));
    let (_, id) = id.ok_or_else(|| format!("{container} does not run: {}", pod_summary(pod)))?;
    Ok((text(pod, "/spec/nodeName"), id))
}

pub(super) fn pod_summary(pod: &Value) -> String {
    let states: Vec<String> = statuses(pod).map(container_summary).collect();
    let reason = pod.pointer("/status/reason").and_then(Value::as_str).map(|reason| format!(" ({reason})")).unwrap_or_default();
    format!("pod {} is {}{reason}: {}", text(pod, "/metadata/name"), text(pod, "/status/phase"), states.join(", "))
}

fn container_summary(status: &Value) -> String {
    let name = text(status, "/name");
    let restarts = match status["restartCount"].as_u64() {
        None | Some(0) => String::new(),
        Some(count) => format!(", {count} restarts"),
    };
    let state = if status.pointer("/state/running").is_some() {
        if status["ready"] == true { "running and ready".to_owned() } else { "running, not ready".to_owned() }
    } else if let Some(ended) = status.pointer("/state/terminated") {
        // A witness's message is its digest of acts; what others say matters when they fail.
        let failed = ended["exitCode"] != 0;
        let message = if failed { text(ended, "/message").trim() } else { "" };
        let message = if message.is_empty() { String::new() } else { format!(" ({message})") };
        format!("ended with {}{message}", ended["exitCode"])
    } else {
        let waiting = text(status, "/state/waiting/reason");
        let message = text(status, "/state/waiting/message");
        if message.is_empty() { format!("waiting: {waiting}") } else { format!("waiting: {waiting} ({message})") }
    };
    format!("{name} {state}{restarts}")
}

fn job_summary(job: &Value, pod: Option<&Value>) -> String {
    let count = |field: &str| job["status"][field].as_u64().unwrap_or(0);
    let pod = pod.map(|pod| format!("; {}", pod_summary(pod))).unwrap_or_default();
    format!("Job has {} active, {} succeeded, {} failed pods{pod}", count("active"), count("succeeded"), count("failed"))
}

/// The status of a container, where one is published.
pub(super) fn status<'a>(pod: &'a Value, container: &str) -> Option<&'a Value> {
    statuses(pod).find(|status| status["name"] == container)
}

fn statuses(pod: &Value) -> impl Iterator<Item = &Value> {
    let list = |field: &str| pod["status"][field].as_array().map(Vec::as_slice).unwrap_or_default();
    list("initContainerStatuses").iter().chain(list("containerStatuses"))
}

fn condition<'a>(object: &'a Value, kind: &str) -> Option<&'a str> {
    let conditions = object.pointer("/status/conditions")?.as_array()?;
    conditions.iter().find(|condition| condition["type"] == kind)?.get("status")?.as_str()
}

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests;
