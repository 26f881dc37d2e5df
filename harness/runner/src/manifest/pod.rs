//! A pod's metadata and spec.

use serde_json::{Value, json};
use sidecheck_cluster::labels;
use sidecheck_core::scenario::{Pod, RestartPolicy};

use super::{
    Context, SERVICE_ACCOUNT, agent,
    container::{Role, container},
    merged,
};

/// Labels of every tested pod.
pub(super) fn marks(context: &Context) -> Value {
    json!({labels::RUN: context.run, "app": "sidecheck"})
}

/// The spec; `default_policy` is the restart policy where the scenario names none.
pub(super) fn spec(context: &Context, pod: &Pod, default_policy: RestartPolicy) -> Value {
    let inits: Vec<Value> = pod.init_containers.iter().map(|init| container(context, pod, init, Role::Init)).collect();
    let mains: Vec<Value> = pod.mains.iter().map(|main| container(context, pod, main, Role::Main)).collect();
    let mut volumes = vec![evidence_volume(context), json!({"name": "logs", "emptyDir": {}})];
    volumes.extend(agent::volumes(context, pod));
    let mut spec = json!({
        "restartPolicy": pod.restart_policy.unwrap_or(default_policy),
        "terminationGracePeriodSeconds": pod.grace.millis().div_ceil(1000),
        "serviceAccountName": SERVICE_ACCOUNT,
        "volumes": volumes,
        "containers": mains,
    });
    if !inits.is_empty() {
        spec["initContainers"] = json!(inits);
    }
    merged(spec, &pod.spec)
}

/// The folder on the node in which the witnesses of one case write. It outlives the pods, since the kubelet removes
/// volumes of the pod's own, and one file for all containers gives an order between them.
pub(super) fn evidence_volume(context: &Context) -> Value {
    json!({"name": "evidence", "hostPath": {"path": context.evidence(), "type": "DirectoryOrCreate"}})
}
