//! The workload's objects.

use serde_json::{Value, json};
use sidecheck_cluster::labels;
use sidecheck_core::scenario::{Job, Pod, RestartPolicy, StatefulSet, Submitted, Workload};

use super::{Context, merged, pod};

pub(super) fn objects(context: &Context, workload: Workload<'_>) -> Vec<Value> {
    let name = workload.name();
    let service = matches!(workload, Workload::StatefulSet(_)).then(|| headless_service(context, name));
    service.into_iter().chain([object(context, name, workload)]).collect()
}

/// The object of a question to the API server: no evidence depends on it, so it has no finalizer of ours.
pub(super) fn submitted(context: &Context, submitted: &Submitted) -> Value {
    let name = "submitted";
    let mut object = object(context, name, submitted.workload());
    if let Some(metadata) = object["metadata"].as_object_mut() {
        metadata.remove("finalizers");
    }
    object
}

fn object(context: &Context, name: &str, workload: Workload<'_>) -> Value {
    match workload {
        Workload::Pod(pod) => bare_pod(context, name, pod),
        Workload::Job(job) => job_object(context, name, job),
        Workload::StatefulSet(set) => stateful_set(context, name, set),
    }
}

fn bare_pod(context: &Context, name: &str, pod: &Pod) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": context.namespace, "labels": pod::marks(context), "finalizers": [labels::EVIDENCE]},
        "spec": pod::spec(context, pod, RestartPolicy::Always),
    })
}

fn job_object(context: &Context, name: &str, job: &Job) -> Value {
    let spec = json!({
        "backoffLimit": job.backoff_limit,
        "template": {
            "metadata": {"labels": pod::marks(context), "finalizers": [labels::EVIDENCE]},
            "spec": pod::spec(context, &job.pod, RestartPolicy::Never),
        },
    });
    json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "namespace": context.namespace},
        "spec": merged(spec, &job.spec),
    })
}

fn headless_service(context: &Context, name: &str) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name, "namespace": context.namespace},
        "spec": {"clusterIP": "None", "selector": {"app": "sidecheck"}},
    })
}

/// No finalizer here: it would hold the name of an ordinal, and so change the rolling update that is tested.
fn stateful_set(context: &Context, name: &str, set: &StatefulSet) -> Value {
    let spec = json!({
        "serviceName": name,
        "replicas": set.replicas,
        "podManagementPolicy": "OrderedReady",
        "selector": {"matchLabels": {"app": "sidecheck"}},
        "template": {
            "metadata": {"labels": pod::marks(context)},
            "spec": pod::spec(context, &set.pod, RestartPolicy::Always),
        },
    });
    json!({
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "metadata": {"name": name, "namespace": context.namespace},
        "spec": merged(spec, &set.spec),
    })
}
