//! Creating, changing and deleting objects of one namespace, whatever their kind.

use k8s_openapi::api::core::v1::Pod;
use kube::{
    Api, Client,
    api::{DeleteParams, DynamicObject, EvictParams, ListParams, LogParams, Patch, PatchParams, PostParams},
    core::{ApiResource, GroupVersionKind},
};
use serde_json::Value;

/// Access to the objects of one namespace. Errors are sentences that say what was tried, and what came back.
#[derive(Clone)]
pub(crate) struct Objects {
    client: Client,
    namespace: String,
}

impl std::fmt::Debug for Objects {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Objects").field("namespace", &self.namespace).finish_non_exhaustive()
    }
}

impl Objects {
    pub(crate) fn new(client: Client, namespace: &str) -> Self {
        Self { client, namespace: namespace.to_owned() }
    }

    /// Creates an object and returns it as the API server read it back.
    pub(crate) async fn create(&self, object: &Value) -> Result<Value, String> {
        let kind = object["kind"].as_str().unwrap_or_default();
        let name = object["metadata"]["name"].as_str().unwrap_or_default();
        let fail = |error: &dyn std::fmt::Display| format!("failed to create {kind} {name}: {error}");
        let typed: DynamicObject = serde_json::from_value(object.clone()).map_err(|error| fail(&error))?;
        let api = self.api(object["apiVersion"].as_str().unwrap_or_default(), kind);
        let mut created = api.create(&PostParams::default(), &typed).await.map_err(|error| fail(&error))?;
        created.metadata.managed_fields = None;
        serde_json::to_value(&created).map_err(|error| fail(&error))
    }

    /// Deletes an object with its own grace period; one that is gone already is fine.
    pub(crate) async fn delete(&self, api_version: &str, kind: &str, name: &str) -> Result<(), String> {
        // As kubectl does: without it, the API server lets the pods of a Job live on.
        match self.api(api_version, kind).delete(name, &DeleteParams::background()).await {
            Ok(_) => Ok(()),
            Err(kube::Error::Api(status)) if status.code == 404 => Ok(()),
            Err(error) => Err(format!("failed to delete {kind} {name}: {error}")),
        }
    }

    /// An object, if there is one of that name.
    pub(crate) async fn get(&self, api_version: &str, kind: &str, name: &str) -> Result<Option<Value>, String> {
        let fail = |error: &dyn std::fmt::Display| format!("failed to read {kind} {name}: {error}");
        let found = self.api(api_version, kind).get_opt(name).await.map_err(|error| fail(&error))?;
        found.map(|object| serde_json::to_value(object).map_err(|error| fail(&error))).transpose()
    }

    /// How many objects of a kind there are.
    pub(crate) async fn count(&self, api_version: &str, kind: &str) -> Result<usize, String> {
        Ok(self.list(api_version, kind).await?.len())
    }

    /// Deletes all objects of a kind.
    pub(crate) async fn delete_all(&self, api_version: &str, kind: &str) -> Result<(), String> {
        let all = self.api(api_version, kind).delete_collection(&DeleteParams::default(), &ListParams::default()).await;
        all.map(drop).map_err(|error| format!("failed to delete all {kind}s: {error}"))
    }

    /// Deletes all pods with a grace period of a second: nobody looks any more.
    pub(crate) async fn end_pods(&self) -> Result<(), String> {
        let soon = DeleteParams { grace_period_seconds: Some(1), ..DeleteParams::default() };
        let all = self.api("v1", "Pod").delete_collection(&soon, &ListParams::default()).await;
        all.map(drop).map_err(|error| format!("failed to end the pods: {error}"))
    }

    /// Evicts a pod; one that is gone already is fine. Refused where a `PodDisruptionBudget` forbids it.
    pub(crate) async fn evict(&self, pod: &str) -> Result<(), String> {
        match Api::<Pod>::namespaced(self.client.clone(), &self.namespace).evict(pod, &EvictParams::default()).await {
            Ok(_) => Ok(()),
            Err(kube::Error::Api(status)) if status.code == 404 => Ok(()),
            Err(error) => Err(format!("failed to evict pod {pod}: {error}")),
        }
    }

    /// The last lines of a container's log, in the present incarnation or in the one before.
    pub(crate) async fn log(&self, pod: &str, container: &str, lines: i64, previous: bool) -> Result<String, String> {
        let which =
            LogParams { container: Some(container.to_owned()), tail_lines: Some(lines), previous, ..LogParams::default() };
        let log = Api::<Pod>::namespaced(self.client.clone(), &self.namespace).logs(pod, &which).await;
        log.map_err(|error| format!("failed to read the log of {container} in pod {pod}: {error}"))
    }

    /// Merges a change into an object, and returns its new `metadata.generation`.
    pub(crate) async fn merge(&self, api_version: &str, kind: &str, name: &str, change: &Value) -> Result<i64, String> {
        let api = self.api(api_version, kind);
        let patched = api.patch(name, &PatchParams::default(), &Patch::Merge(change)).await;
        patched
            .map(|object| object.metadata.generation.unwrap_or(0))
            .map_err(|error| format!("failed to change {kind} {name}: {error}"))
    }

    /// The objects of a kind as they are now, each with its kind set.
    pub(crate) async fn list(&self, api_version: &str, kind: &str) -> Result<Vec<Value>, String> {
        let list = self.api(api_version, kind).list(&ListParams::default()).await;
        let list = list.map_err(|error| format!("failed to list {kind}s: {error}"))?;
        let values = list.items.into_iter().map(|object| {
            let mut value = serde_json::to_value(&object).unwrap_or(Value::Null);
            value["kind"] = Value::from(kind);
            value
        });
        Ok(values.collect())
    }

    /// Takes our finalizer off every pod, so that the namespace can go; returns how many pods are still there.
    pub(crate) async fn release_pods(&self) -> Result<usize, String> {
        let released = sidecheck_cluster::release_pods(&self.client, &self.namespace).await;
        released.map_err(|error| format!("failed to release the pods: {error}"))
    }

    pub(super) fn api(&self, api_version: &str, kind: &str) -> Api<DynamicObject> {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, version, kind));
        if kind == "Namespace" {
            Api::all_with(self.client.clone(), &resource)
        } else {
            Api::namespaced_with(self.client.clone(), &self.namespace, &resource)
        }
    }
}
