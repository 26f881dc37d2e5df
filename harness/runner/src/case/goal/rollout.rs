//! Whether a workload has replaced its pods: the rules of `kubectl rollout status`.

use serde_json::Value;

use super::{Sight, pod_summary, text};
use crate::{manifest::SINK_NAME, observe::Board};

pub(super) fn look(board: &Board, kind: &str) -> Sight {
    match board.of_kind(kind).first() {
        Some(object) => Sight { reached: is_rolled_out(kind, object), seen: summary(kind, object, &board.of_kind("Pod")) },
        None => Sight { reached: false, seen: format!("no {kind}") },
    }
}

fn is_rolled_out(kind: &str, object: &Value) -> bool {
    let number = |pointer: &str| object.pointer(pointer).and_then(Value::as_u64).unwrap_or(0);
    let status = |field: &str| number(&format!("/status/{field}"));
    let wanted = number("/spec/replicas");
    status("observedGeneration") >= number("/metadata/generation")
        && match kind {
            "Deployment" => [status("updatedReplicas"), status("replicas"), status("availableReplicas")] == [wanted; 3],
            "DaemonSet" => {
                let wanted = status("desiredNumberScheduled");
                wanted > 0 && [status("updatedNumberScheduled"), status("numberAvailable")] == [wanted; 2]
            }
            _ => {
                [status("readyReplicas"), status("updatedReplicas")] == [wanted; 2]
                    && text(object, "/status/currentRevision") == text(object, "/status/updateRevision")
            }
        }
}

fn summary(kind: &str, object: &Value, pods: &[Value]) -> String {
    let (ready, updated) = match kind {
        "DaemonSet" => ("numberReady", "updatedNumberScheduled"),
        _ => ("readyReplicas", "updatedReplicas"),
    };
    let count = |field: &str| object["status"][field].as_u64().unwrap_or(0);
    let pods = pods.iter().filter(|pod| pod["metadata"]["name"] != SINK_NAME);
    let pods: Vec<String> = pods.map(pod_summary).collect();
    format!("{kind} has {} ready, {} updated pods; {}", count(ready), count(updated), pods.join("; "))
}
