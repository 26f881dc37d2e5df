//! A field that the API server drops.
//!
//! Where the gate SidecarContainers is off, the API server removes `restartPolicy` from init containers of new pods, without
//! an error and without a warning: the sidecar becomes a plain init container. Source: KEP-753, "Version skew strategy".

use serde_json::Value;

use crate::{
    case::Case,
    order::cannot_say,
    quorum::Ruling,
    trace::{Act, Witness},
    verdict::Testimony,
};

/// `restartPolicy` of the init container was sent and did not come back.
pub(super) fn restart_policy_dropped(case: &Case<'_>, container: &str) -> Ruling {
    let objects = case.trace.events.iter().filter_map(|event| match &event.act {
        Act::Applied { object } => Some((false, event.seq, init_container(object, container)?)),
        Act::ReadBack { object } => Some((true, event.seq, init_container(object, container)?)),
        _ => None,
    });
    let objects: Vec<_> = objects.collect();
    let first = |read_back: bool| {
        let found = objects.iter().find(|(one, _, _)| *one == read_back);
        found.map(|(_, seq, init)| (*seq, init.get("restartPolicy").and_then(Value::as_str)))
    };
    let testimony = match (first(false), first(true)) {
        (Some((sent, Some(policy))), Some((back, returned))) => {
            let because = match returned {
                None => {
                    format!("restartPolicy {policy} of {container} was sent, and the API server returned the object without it")
                }
                Some(kept) => format!("restartPolicy {policy} of {container} was sent, and the API server returned {kept}"),
            };
            Testimony { witness: Witness::Api, says: Some(returned.is_none()), because, gap_ms: None, events: vec![sent, back] }
        }
        (Some((_, None)), _) => cannot_say(Witness::Api, format!("no restartPolicy was sent for {container}")),
        (None, _) => cannot_say(Witness::Api, format!("the trace has no object with {container} as it was sent")),
        (_, None) => cannot_say(Witness::Api, format!("the trace has no object with {container} as the API server returned it")),
    };
    Ruling::by_one(testimony)
}

/// The init container in a pod or a pod template.
fn init_container<'a>(object: &'a Value, container: &str) -> Option<&'a Value> {
    let inits = ["/spec/initContainers", "/spec/template/spec/initContainers"];
    let mut all = inits.iter().filter_map(|pointer| object.pointer(pointer).and_then(Value::as_array)).flatten();
    all.find(|init| init.get("name").and_then(Value::as_str) == Some(container))
}
