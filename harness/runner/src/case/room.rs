//! The rooms of a cluster: a few namespaces that cases use one after the other. To delete a namespace costs a cluster more than a
//! hundred requests, about as much as the case before, so it is done only where a case could not tidy up after itself.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};
use sidecheck_core::scenario::Scenario;

use crate::{
    act::Objects,
    manifest::{Context, IN_USE, SINK_NAME},
};

/// How long a namespace that was left in disorder may take to go.
const GONE: Duration = Duration::from_secs(60);
/// The label that Kubernetes itself puts on each namespace.
const NAME: &str = "kubernetes.io/metadata.name";
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// The namespace of a room.
pub(super) fn name(room: usize) -> String {
    format!("sidecheck-room-{room}")
}

/// Takes the room: it is there, empty, with the service account of all pods, and marked as in use.
///
/// # Errors
/// A sentence that says what was tried, and what came back.
pub(super) async fn take(objects: &Objects, context: &Context, scenario: &str) -> Result<(), String> {
    let fresh = context.namespace(scenario, Timestamp::now());
    let found = objects.get("v1", "Namespace", &context.namespace).await?;
    let in_disorder = |found: &Value| {
        let metadata = &found["metadata"];
        // A scenario may have put labels on it that mean something to Kubernetes, such as those of Pod Security.
        let foreign = |label: &String| label != NAME && fresh["metadata"]["labels"].get(label).is_none();
        metadata.get("deletionTimestamp").is_some()
            || metadata["annotations"].get(IN_USE).is_some()
            || metadata["labels"].as_object().is_some_and(|labels| labels.keys().any(foreign))
    };
    match found {
        Some(found) if !in_disorder(&found) => {
            let marks =
                json!({"metadata": {"labels": fresh["metadata"]["labels"], "annotations": fresh["metadata"]["annotations"]}});
            return objects.merge("v1", "Namespace", &context.namespace, &marks).await.map(drop);
        }
        Some(_) => {
            let removed = tokio::time::timeout(GONE, remove(objects, &context.namespace)).await;
            removed.map_err(|_| format!("namespace {} was not gone after {} s", context.namespace, GONE.as_secs()))??;
        }
        None => {}
    }
    objects.create(&fresh).await?;
    objects.create(&context.service_account()).await.map(drop)
}

/// Leaves the room as it was found: everything that the case made is gone, and the pods, however long they would have stayed.
///
/// # Errors
/// A sentence that says what was tried, and what came back.
pub(super) async fn leave(objects: &Objects, context: &Context, scenario: &Scenario) -> Result<(), String> {
    let made = context.workload(scenario).into_iter().chain(context.agent_configs(""));
    for object in made {
        let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        objects.delete(text("/apiVersion"), text("/kind"), text("/metadata/name")).await?;
    }
    if scenario.sink.is_some() {
        objects.delete("v1", "Pod", SINK_NAME).await?;
    }
    for look in 0.. {
        // Again now and then: a controller may have made one more just before it heard that it is not wanted any more.
        if look % 10 == 0 {
            objects.end_pods().await?;
        }
        let pods = objects.release_pods().await?;
        let slices = if scenario.objects.is_empty() { 0 } else { objects.count("discovery.k8s.io/v1", "EndpointSlice").await? };
        if pods == 0 && slices == 0 {
            break;
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
    objects.delete_all("v1", "Event").await?;
    objects.merge("v1", "Namespace", &context.namespace, &json!({"metadata": {"annotations": {IN_USE: null}}})).await.map(drop)
}

/// Removes a namespace with all that is in it.
async fn remove(objects: &Objects, namespace: &str) -> Result<(), String> {
    // The namespace first: in a namespace that is going, no controller makes a new pod with our finalizer.
    objects.delete("v1", "Namespace", namespace).await?;
    while objects.get("v1", "Namespace", namespace).await?.is_some() {
        objects.release_pods().await?;
        tokio::time::sleep(LOOK_AGAIN).await;
    }
    Ok(())
}
