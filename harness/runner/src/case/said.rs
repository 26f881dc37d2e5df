//! The last words of agents that seem to have failed, before their pods are cleaned up.

use std::time::Duration;

use serde_json::Value;
use sidecheck_core::{
    scenario::Pod,
    trace::{Act, PodId, Witness},
};
use tokio::time::timeout;

use super::{goal, prepare::Stage};
use crate::act::Objects;

/// How many lines are kept. They are asked for from the end, and the node splits long ones, so the answer is small.
const LINES: u8 = 10;
/// How many bytes of them are kept.
const BYTES: usize = 4 * 1024;
/// How long the API server may take for one log.
const PATIENCE: Duration = Duration::from_secs(5);

/// Notes what each agent said last that seems to have failed, or why that can't be had. An agent that runs, or ended well, costs
/// nothing.
pub(super) async fn note(stage: &Stage, pod: &Pod) {
    let Some(objects) = &stage.objects else { return };
    let agents: Vec<&str> =
        pod.containers().filter(|container| container.agent.is_some()).map(|container| container.name.as_str()).collect();
    if agents.is_empty() {
        return;
    }
    for pod in goal::tested_pods(&stage.board) {
        let Some(id) = PodId::of(&pod) else { continue };
        for container in agents.iter().filter(|container| seems_failed(&pod, container)) {
            // What can't be had here says nothing about the API server's own word on pods, so it is the harness that misses it.
            let (witness, act) = match last_words(objects, &id.name, container).await {
                Ok(lines) => (Witness::Api, Act::Said { lines }),
                Err(what) => (Witness::Harness, Act::EvidenceMissing { what }),
            };
            stage.record.note_about((&id, container), witness, act);
        }
    }
}

/// Whether the container failed at some time and does not run well now, by its last status. The judge decides whether it ever
/// worked; here it is enough to miss none.
fn seems_failed(pod: &Value, container: &str) -> bool {
    let Some(status) = goal::status(pod, container) else { return false };
    let failed = |state: &str| status.pointer(state).is_some_and(|ended| ended["exitCode"] != 0);
    let waits_to_start = status.pointer("/state/running").is_some() && status["started"] != true;
    failed("/state/terminated") || failed("/lastState/terminated") || waits_to_start
}

/// The last lines of the present incarnation; of the one before, where that one has said nothing yet.
async fn last_words(objects: &Objects, pod: &str, container: &str) -> Result<Vec<String>, String> {
    let log = async |previous: bool| {
        let asked = timeout(PATIENCE, objects.log(pod, container, LINES.into(), previous)).await;
        let late = || format!("the API server did not give the log of {container} in pod {pod} within {} s", PATIENCE.as_secs());
        asked.map_err(|_| late())?.map(|text| last_lines(&text))
    };
    match log(false).await {
        Ok(lines) if !lines.is_empty() => Ok(lines),
        // There may be no one before: then the first answer counts.
        present => match log(true).await {
            Ok(lines) if !lines.is_empty() => Ok(lines),
            _ => present,
        },
    }
}

/// The last lines of a text that are not empty, without control characters, and not more than [`BYTES`] of them: a longer line is
/// cut at its beginning.
fn last_lines(text: &str) -> Vec<String> {
    let mut left = BYTES;
    let clean = |line: &str| line.chars().filter(|c| !c.is_control()).collect::<String>().trim().to_owned();
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines().rev().map(clean).filter(|line| !line.is_empty()).take(LINES.into()) {
        let from = (line.len().saturating_sub(left)..=line.len()).find(|at| line.is_char_boundary(*at)).unwrap_or(line.len());
        if from == line.len() {
            break;
        }
        left -= line.len() - from;
        lines.push(line[from..].to_owned());
    }
    lines.reverse();
    lines
}

#[cfg(test)]
mod tests;
