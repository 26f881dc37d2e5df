//! The pods of a scenario as the API watch showed them, in the order in which they were created.

use jiff::Timestamp;
use serde_json::Value;

use crate::{
    scenario::Workload,
    trace::{Act, PodId, Trace},
};

/// One pod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SeenPod {
    /// Name and uid.
    pub(crate) id: PodId,
    /// `metadata.creationTimestamp`.
    pub(crate) created: Option<Timestamp>,
    /// The node it was bound to.
    pub(crate) node: Option<String>,
    /// Whether its deletion was seen to be asked for.
    pub(crate) deleting: bool,
}

/// All pods of the workload, the oldest first; the sink's and others in the namespace are none of them.
pub(crate) fn seen(trace: &Trace) -> Vec<SeenPod> {
    let mut pods: Vec<SeenPod> = Vec::new();
    for event in &trace.events {
        let Act::Seen { change, object } = &event.act else { continue };
        let Some(id) = PodId::of(object).filter(|id| belongs(trace.header.scenario.workload(), &id.name)) else { continue };
        let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str);
        let index = pods.iter().position(|pod| pod.id == id).unwrap_or_else(|| {
            let created = text("/metadata/creationTimestamp").and_then(|at| at.parse().ok());
            pods.push(SeenPod { id, created, node: None, deleting: false });
            pods.len() - 1
        });
        let pod = &mut pods[index];
        pod.deleting |= change == "deleted" || text("/metadata/deletionTimestamp").is_some();
        if pod.node.is_none() {
            pod.node = text("/spec/nodeName").map(str::to_owned);
        }
    }
    // Stable: within one second, the order of the watch decides. For pods of one name it is the order of creation in any
    // case, since a name is free only after the pod before is gone.
    pods.sort_by_key(|pod| pod.created);
    pods
}

/// Kubernetes names the pods of a Job `job-<random>`, those of a StatefulSet `web-<ordinal>`, of a Deployment
/// `web-<template>-<random>`, and of a DaemonSet `web-<random>`.
fn belongs(workload: Workload<'_>, pod: &str) -> bool {
    let rest = pod.strip_prefix(workload.name());
    match workload {
        Workload::Pod(_) => rest == Some(""),
        _ => rest.is_some_and(|rest| rest.starts_with('-')),
    }
}
