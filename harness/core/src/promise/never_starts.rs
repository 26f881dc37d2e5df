//! A container that never starts.
//!
//! Promised: a main does not start while a plain init container before it runs. "Never" can be seen only up to the end of
//! the trace, and only if the node had time to do otherwise: hence the heartbeat.

use serde_json::Value;

use super::ask::of_each_pod;
use crate::{
    case::{Case, INDEPENDENT},
    lives::status::statuses,
    order::{cannot_say, name},
    pulse::Lapse,
    quorum::Ruling,
    trace::{Act, PodId, Witness},
    verdict::{Outcome, Testimony},
};

/// The container did not start in any pod.
pub(super) fn never_starts(case: &Case<'_>, container: &str) -> Ruling {
    let ruling = of_each_pod(case, &INDEPENDENT, &[container], |witness, pod| absence(case, witness, pod, container));
    if ruling.outcome != Outcome::Held {
        return ruling;
    }
    match case.lapse() {
        None if case.window().is_some() => ruling,
        None => Ruling {
            outcome: Outcome::Undecidable,
            reason: "the trace does not say for how long it was watched".to_owned(),
            ..ruling
        },
        Some(lapse @ Lapse::NoHeartbeat) => {
            Ruling { outcome: Outcome::Undecidable, reason: format!("no start was seen, but {lapse}"), ..ruling }
        }
        Some(lapse) => Ruling { outcome: Outcome::Inconclusive, reason: format!("no start was seen, but {lapse}"), ..ruling },
    }
}

fn absence(case: &Case<'_>, witness: Witness, pod: &PodId, container: &str) -> Testimony {
    let label = case.label(pod, container);
    if let Some(start) =
        case.lives(witness, pod, container).iter().find_map(|life| life.started.clone().or_else(|| life.last.clone()))
    {
        return Testimony { witness, says: Some(false), because: name(case, &start), gap_ms: None, events: vec![start.seq] };
    }
    if witness == Witness::Kubelet {
        return waiting_status(case, pod, container, &label);
    }
    // A record without a single entry about this pod may as well be the record of something else.
    let about_pod = |event: &&crate::trace::Event| event.witness == witness && event.pod.as_ref() == Some(pod);
    match case.trace.events.iter().rfind(about_pod) {
        Some(last) => {
            let because = format!("its record of the pod is whole and has no start of {label}");
            Testimony { witness, says: Some(true), because, gap_ms: None, events: vec![last.seq] }
        }
        None => cannot_say(witness, "its record has nothing about the pod".to_owned()),
    }
}

/// What the kubelet published last of a container that has no incarnation.
fn waiting_status(case: &Case<'_>, pod: &PodId, container: &str, label: &str) -> Testimony {
    let of_container = |object: &Value| {
        let is_it = |status: &&Value| status.get("name").and_then(Value::as_str) == Some(container);
        statuses(object).find(is_it).is_some_and(|status| status.pointer("/state/waiting").is_some())
    };
    let waiting = case.trace.events.iter().rfind(|event| match &event.act {
        Act::Seen { object, .. } => PodId::of(object).as_ref() == Some(pod) && of_container(object),
        _ => false,
    });
    match waiting {
        Some(event) => {
            let because = format!("{label} is waiting in every status, without an earlier incarnation");
            Testimony { witness: Witness::Kubelet, says: Some(true), because, gap_ms: None, events: vec![event.seq] }
        }
        None => cannot_say(Witness::Kubelet, format!("no status of {label} was published")),
    }
}
