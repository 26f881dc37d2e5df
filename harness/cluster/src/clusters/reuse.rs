//! Whether a cluster that was brought up earlier can still be used.

use std::time::Duration;

use k8s_openapi::api::core::v1::Node;
use kube::{Api, Client, api::ListParams};
use tokio::time::Instant;

use super::Clusters;
use crate::{
    cluster::{self, Record},
    engine::last_line,
    node_image::{self, Origin},
    recorder,
};

/// A node whose container runs may have been started a moment ago, with the engine.
const PATIENCE: Duration = Duration::from_secs(20);

impl Clusters {
    /// Says what changed if the image would be built otherwise today. A machine that can't tell keeps what it has.
    pub(super) async fn recipe_change(&self, record: &Record) -> Option<String> {
        if record.image.origin == Origin::Published {
            return None;
        }
        let tag = node_image::built_tag(&record.inputs.release, &self.paths).await.ok()?;
        (tag != record.image.reference).then(|| "its node image would be built otherwise today".to_owned())
    }

    /// Whether the API answers, the nodes are ready and the recorders run; the error says what is wrong.
    pub(super) async fn health(&self, name: &str, record: &Record) -> Result<(), String> {
        let nodes = self.containers(name).await.map_err(|error| last_line(&error))?;
        if nodes.is_empty() || nodes.iter().any(|node| !node.running) {
            return Err("its nodes are not running".to_owned());
        }
        let kubeconfig = self.paths.cluster(name).join("kubeconfig");
        let client = cluster::client(name, &kubeconfig).await.map_err(|error| error.to_string())?;
        let begin = Instant::now();
        while let Err(why) = nodes_ready(&client).await {
            if begin.elapsed() > PATIENCE {
                return Err(why);
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        for node in &record.environment.nodes {
            let active = recorder::is_active(&self.engine, &node.name).run().await;
            active.map_err(|_| format!("the recorder of node {} does not run", node.name))?;
        }
        Ok(())
    }
}

async fn nodes_ready(client: &Client) -> Result<(), String> {
    let list = Api::<Node>::all(client.clone()).list(&ListParams::default()).await;
    let list = list.map_err(|error| format!("its API server does not answer ({error})"))?;
    let ready = |node: &Node| {
        let conditions = node.status.iter().flat_map(|status| status.conditions.iter().flatten());
        conditions.into_iter().any(|condition| condition.type_ == "Ready" && condition.status == "True")
    };
    match list.items.iter().find(|node| !ready(node)) {
        Some(node) => Err(format!("its node {} is not ready", node.metadata.name.as_deref().unwrap_or_default())),
        None => Ok(()),
    }
}
