//! The workload's objects.

use serde_json::{Value, json};
use sidecheck_cluster::labels;
use sidecheck_core::scenario::{Job, Pod, RestartPolicy, StatefulSet, Workload};

use super::{Context, pod};

pub(super) fn objects(context: &Context, workload: Workload<'_>) -> Vec<Value> {
    match workload {
        Workload::Pod(pod) => vec![bare_pod(context, workload.name(), pod)],
        Workload::Job(job) => vec![job_object(context, workload.name(), job)],
        Workload::StatefulSet(set) => {
            vec![headless_service(context, workload.name()), stateful_set(context, workload.name(), set)]
        }
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
    json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "namespace": context.namespace},
        "spec": {
            "backoffLimit": job.backoff_limit,
            "template": {
                "metadata": {"labels": pod::marks(context), "finalizers": [labels::EVIDENCE]},
                "spec": pod::spec(context, &job.pod, RestartPolicy::Never),
            },
        },
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
    json!({
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "metadata": {"name": name, "namespace": context.namespace},
        "spec": {
            "serviceName": name,
            "replicas": set.replicas,
            "podManagementPolicy": "OrderedReady",
            "selector": {"matchLabels": {"app": "sidecheck"}},
            "template": {
                "metadata": {"labels": pod::marks(context)},
                "spec": pod::spec(context, &set.pod, RestartPolicy::Always),
            },
        },
    })
}
