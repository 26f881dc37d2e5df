//! The workload's objects.

use serde_json::{Value, json};
use sidecheck_cluster::labels;
use sidecheck_core::scenario::{DaemonSet, Job, Pod, Replicated, RestartPolicy, Submitted, Workload};

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
        Workload::Deployment(deployment) => self::deployment(context, name, deployment),
        Workload::DaemonSet(set) => daemon_set(context, name, set),
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

fn stateful_set(context: &Context, name: &str, set: &Replicated) -> Value {
    let spec = json!({"serviceName": name, "replicas": set.replicas, "podManagementPolicy": "OrderedReady"});
    rolled_out(context, "StatefulSet", name, &set.pod, &merged(spec, &set.spec))
}

fn deployment(context: &Context, name: &str, deployment: &Replicated) -> Value {
    rolled_out(context, "Deployment", name, &deployment.pod, &merged(json!({"replicas": deployment.replicas}), &deployment.spec))
}

fn daemon_set(context: &Context, name: &str, set: &DaemonSet) -> Value {
    rolled_out(context, "DaemonSet", name, &set.pod, &merged(json!({}), &set.spec))
}

/// No finalizer here: it would hold the name of an ordinal or the place of a pod, and so change the rollout that is tested.
fn rolled_out(context: &Context, kind: &str, name: &str, pod: &Pod, own: &Value) -> Value {
    let spec = json!({
        "selector": {"matchLabels": {"app": "sidecheck"}},
        "template": {
            "metadata": {"labels": pod::marks(context)},
            "spec": pod::spec(context, pod, RestartPolicy::Always),
        },
    });
    json!({
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": {"name": name, "namespace": context.namespace},
        "spec": merged(spec, own),
    })
}
