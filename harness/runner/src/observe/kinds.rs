//! What is watched.

use sidecheck_core::scenario::{Scenario, Workload};

/// A kind of objects: `apiVersion` and kind.
pub(crate) type Kind = (&'static str, &'static str);

/// Its pods, their events, and what the controllers make of the scenario's objects: each watch costs the API server something.
pub(crate) fn kinds(scenario: &Scenario) -> Vec<Kind> {
    let workload = scenario.workload();
    let mut kinds = vec![("v1", "Pod"), ("v1", "Event")];
    if !matches!(workload, Workload::Pod(_)) {
        kinds.push((workload.api_version(), workload.kind()));
    }
    if matches!(workload, Workload::Deployment(_)) {
        kinds.push(("apps/v1", "ReplicaSet"));
    }
    if !scenario.objects.is_empty() {
        kinds.push(("discovery.k8s.io/v1", "EndpointSlice"));
    }
    kinds
}
