//! The heartbeat: a pod on every node whose lines show that the node was alive and not starved.

use std::time::Duration;

use k8s_openapi::api::apps::v1::DaemonSet;
use kube::{
    Api, Client,
    api::{DynamicObject, Patch, PatchParams},
    core::{ApiResource, GroupVersionKind, TypeMeta},
};
use serde_json::Value;
use sidecheck_core::yaml::{self, YamlError};
use tokio::time::Instant;

use crate::{labels::SYSTEM_NAMESPACE, paths::Paths};

const MANIFEST: &str = "clusters/manifests/heartbeat.yaml";
/// An image that is there starts within two seconds; a node that is still settling takes longer.
const START: Duration = Duration::from_secs(60);

/// Why there is no heartbeat.
#[derive(Debug, thiserror::Error)]
pub enum HeartbeatError {
    /// Its manifest can't be read.
    #[error("failed to read {MANIFEST}: {0}")]
    Manifest(#[from] std::io::Error),
    /// Its manifest is not what it should be.
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// The API server refused or failed.
    #[error("failed to start the heartbeat: {0}")]
    Api(#[from] kube::Error),
    /// It did not start.
    #[error("the heartbeat did not start on every node within {} s; last seen: {last}", START.as_secs())]
    NotStarted {
        /// How many were running.
        last: String,
    },
}

/// Starts the heartbeat with the witness image, and waits until it runs on every node.
pub(crate) async fn start(client: &Client, paths: &Paths, image: &str) -> Result<(), HeartbeatError> {
    let text = std::fs::read_to_string(paths.root.join(MANIFEST))?;
    for document in documents(&text, image)? {
        apply(client, document).await?;
    }
    let sets = Api::<DaemonSet>::namespaced(client.clone(), SYSTEM_NAMESPACE);
    let begin = Instant::now();
    loop {
        let status = sets.get_status("heartbeat").await?.status.unwrap_or_default();
        if status.desired_number_scheduled > 0 && status.number_ready == status.desired_number_scheduled {
            return Ok(());
        }
        if begin.elapsed() > START {
            return Err(HeartbeatError::NotStarted {
                last: format!("{} of {} ready", status.number_ready, status.desired_number_scheduled),
            });
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// The manifest's objects, with the pods' image replaced.
fn documents(text: &str, image: &str) -> Result<Vec<Value>, YamlError> {
    let mut documents = Vec::new();
    for part in text.split("\n---\n") {
        let mut document: Value = yaml::from_str(MANIFEST, part)?;
        if let Some(found) = document.pointer_mut("/spec/template/spec/containers/0/image") {
            *found = image.into();
        }
        documents.push(document);
    }
    Ok(documents)
}

async fn apply(client: &Client, document: Value) -> Result<(), kube::Error> {
    let object: DynamicObject = serde_json::from_value(document).map_err(kube::Error::SerdeError)?;
    let types = object.types.clone().unwrap_or_else(TypeMeta::list::<DaemonSet>);
    let (group, version) = types.api_version.split_once('/').unwrap_or(("", &types.api_version));
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, version, &types.kind));
    let api = match &object.metadata.namespace {
        Some(namespace) => Api::<DynamicObject>::namespaced_with(client.clone(), namespace, &resource),
        None => Api::all_with(client.clone(), &resource),
    };
    let name = object.metadata.name.clone().unwrap_or_default();
    api.patch(&name, &PatchParams::apply("sidecheck").force(), &Patch::Apply(&object)).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifest_is_read_and_its_image_replaced() {
        let text = include_str!("../../../clusters/manifests/heartbeat.yaml");
        let documents = documents(text, "sidecheck/witness:1").unwrap();
        assert_eq!(documents.len(), 2);
        assert_eq!(documents[0]["metadata"]["name"], SYSTEM_NAMESPACE);
        assert_eq!(documents[1]["spec"]["template"]["spec"]["containers"][0]["image"], "sidecheck/witness:1");
    }
}
