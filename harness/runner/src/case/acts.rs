//! What steps do to the workload and its pods.

use std::time::Duration;

use serde_json::{Value, json};
use sidecheck_core::{
    scenario::{Scenario, SinkMode, Workload},
    trace::{Act, Witness},
};

use super::{goal, prepare::Stage};
use crate::{
    act::{self, Objects},
    manifest::SINK_NAME,
};

/// A watch shows a change within milliseconds; one that takes this long hangs.
const WATCH_LAG: Duration = Duration::from_secs(30);

impl Stage {
    pub(super) async fn create(&self, objects: &Objects, scenario: &Scenario) -> Result<(), String> {
        for object in self.context.workload(scenario) {
            self.record.note(Witness::Harness, Act::Applied { object: object.clone() });
            let object = objects.create(&object).await?;
            self.record.note(Witness::Api, Act::ReadBack { object });
        }
        Ok(())
    }

    /// Changes the template.
    pub(super) async fn update(&self, objects: &Objects, workload: Workload<'_>) -> Result<(), String> {
        let revision = json!({"spec": {"template": {"metadata": {"annotations": {"sidecheck.dev/revision": "2"}}}}});
        self.change(objects, workload, &revision).await
    }

    pub(super) async fn scale(&self, objects: &Objects, workload: Workload<'_>, replicas: u32) -> Result<(), String> {
        self.change(objects, workload, &json!({"spec": {"replicas": replicas}})).await
    }

    pub(super) async fn evict(&self, objects: &Objects) -> Result<(), String> {
        for pod in goal::tested_pods(&self.board) {
            objects.evict(pod["metadata"]["name"].as_str().unwrap_or_default()).await?;
        }
        Ok(())
    }

    pub(super) async fn kill(&self, container: &str) -> Result<(), String> {
        for pod in goal::tested_pods(&self.board) {
            let (node, id) = goal::running(&pod, container)?;
            act::kill(&self.cluster, node, id).await?;
        }
        Ok(())
    }

    pub(super) async fn tell_sink(&self, mode: SinkMode) -> Result<(), String> {
        let sink = self.sink().ok_or("the sink's pod is gone")?;
        let (node, id) = goal::running(&sink, SINK_NAME)?;
        act::tell_sink(&self.cluster, node, id, mode).await
    }

    /// Changes the workload, and waits until the watch shows the new generation: before that, everything still looks as if
    /// it were rolled out.
    pub(super) async fn change(&self, objects: &Objects, workload: Workload<'_>, change: &Value) -> Result<(), String> {
        let kind = workload.kind();
        let generation = objects.merge(workload.api_version(), kind, workload.name(), change).await?;
        let reached = |object: &Value| object["metadata"]["generation"].as_i64() >= Some(generation);
        let shown = self.seen(|| self.board.of_kind(kind).iter().any(reached));
        let shown = tokio::time::timeout(WATCH_LAG, shown).await;
        shown.map_err(|_| format!("the watch did not show generation {generation} of {kind} within {} s", WATCH_LAG.as_secs()))
    }
}

pub(super) async fn delete(objects: &Objects, workload: Workload<'_>) -> Result<(), String> {
    objects.delete(workload.api_version(), workload.kind(), workload.name()).await
}
