//! Letting go of pods that were kept readable.

use k8s_openapi::api::core::v1::Pod;
use kube::{
    Api, Client, ResourceExt as _,
    api::{ListParams, Patch, PatchParams},
};
use serde_json::json;

use crate::labels::EVIDENCE;

/// Removes our finalizer, and no other, from all pods of a namespace. Do it after the namespace's deletion has begun, so that
/// no controller makes new pods with it.
///
/// # Errors
/// The API server refuses or does not answer; a pod that goes by itself in between is none.
pub async fn release_pods(client: &Client, namespace: &str) -> Result<(), kube::Error> {
    let pods = Api::<Pod>::namespaced(client.clone(), namespace);
    for pod in pods.list(&ListParams::default()).await? {
        let kept: Vec<&String> = pod.finalizers().iter().filter(|finalizer| *finalizer != EVIDENCE).collect();
        if kept.len() == pod.finalizers().len() {
            continue;
        }
        // With its version: a list that is made from an old one would bring back what its owner has removed since.
        let patch = json!({"metadata": {"finalizers": kept, "resourceVersion": pod.resource_version()}});
        match pods.patch(&pod.name_any(), &PatchParams::default(), &Patch::Merge(patch)).await {
            // Gone, or changed since: whoever calls comes round again until the namespace is gone.
            Err(kube::Error::Api(status)) if status.code == 404 || status.code == 409 => {}
            patched => drop(patched?),
        }
    }
    Ok(())
}
