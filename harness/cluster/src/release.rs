//! Letting go of pods that were kept readable.

use k8s_openapi::api::core::v1::Pod;
use kube::{
    Api, Client, ResourceExt as _,
    api::{ListParams, Patch, PatchParams},
};
use serde_json::json;

use crate::labels::EVIDENCE;

/// Removes our finalizer, and no other, from all pods of a namespace, and returns how many pods are still there. Where the
/// namespace is to go, do it after its deletion has begun, so that no controller makes new pods with it.
///
/// # Errors
/// The API server refuses or does not answer; a pod that goes by itself in between is none.
pub async fn release_pods(client: &Client, namespace: &str) -> Result<usize, kube::Error> {
    let pods = Api::<Pod>::namespaced(client.clone(), namespace);
    let mut left = 0;
    for pod in pods.list(&ListParams::default()).await? {
        let kept: Vec<&String> = pod.finalizers().iter().filter(|finalizer| *finalizer != EVIDENCE).collect();
        if kept.len() == pod.finalizers().len() {
            left += 1;
            continue;
        }
        // With its version: a list that is made from an old one would bring back what its owner has removed since.
        let patch = json!({"metadata": {"finalizers": kept, "resourceVersion": pod.resource_version()}});
        match pods.patch(&pod.name_any(), &PatchParams::default(), &Patch::Merge(patch)).await {
            Err(kube::Error::Api(status)) if status.code == 404 => {}
            // Changed since: whoever calls comes round again until all are gone.
            Err(kube::Error::Api(status)) if status.code == 409 => left += 1,
            patched => left += usize::from(!is_gone(&patched?)),
        }
    }
    Ok(left)
}

/// A pod that has ended and waits for its last finalizer only goes with it, and is returned once more.
fn is_gone(pod: &Pod) -> bool {
    pod.finalizers().is_empty() && pod.metadata.deletion_grace_period_seconds == Some(0)
}
