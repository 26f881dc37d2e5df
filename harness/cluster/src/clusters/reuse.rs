//! Whether a cluster that was brought up earlier can still be used.

use std::time::Duration;

use k8s_openapi::api::core::v1::Node;
use kube::{Api, Client, api::ListParams};
use tokio::time::Instant;

use super::Clusters;
use crate::{
    cluster::{self, Cluster, Record},
    disrupt,
    engine::last_line,
    node_image::{self, Origin},
    progress::Progress,
    recorder,
};

/// A node whose container runs may have been started a moment ago, with the engine.
const PATIENCE: Duration = Duration::from_secs(20);
/// Longer than it takes as a rule; after that, making it anew is faster.
const MENDING: Duration = Duration::from_secs(120);

impl Clusters {
    /// Says what changed if the image would be built otherwise today. A machine that can't tell keeps what it has.
    pub(super) async fn recipe_change(&self, record: &Record) -> Option<String> {
        if record.image.origin == Origin::Published {
            return None;
        }
        let tag = node_image::built_tag(&record.inputs.release, &self.paths).await.ok()?;
        (tag != record.image.reference).then(|| "its node image would be built otherwise today".to_owned())
    }

    /// Whether the API answers, the nodes are ready, the recorders run, and no disruption was left as it was.
    pub(super) async fn health(&self, name: &str, record: &Record) -> Result<(), Unfit> {
        let nodes = self.containers(name).await.map_err(|error| Unfit::Dead(last_line(&error)))?;
        if nodes.is_empty() || nodes.iter().any(|node| !node.running) {
            return Err(Unfit::Dead("its nodes are not running".to_owned()));
        }
        let kubeconfig = self.paths.cluster(name).join("kubeconfig");
        let client = cluster::client(name, &kubeconfig).await.map_err(|error| Unfit::Dead(error.to_string()))?;
        for node in &record.environment.nodes {
            let (recorder, left) =
                tokio::join!(recorder::install(&self.engine, &node.name), disrupt::left_behind(&self.engine, &node.name));
            recorder.map_err(|error| {
                Unfit::Amiss(format!("the recorder of node {} does not run ({})", node.name, last_line(&error)))
            })?;
            let left = left.map_err(|error| Unfit::Amiss(error.to_string()))?;
            if !left.is_empty() {
                return Err(Unfit::Amiss(format!("a disruption of node {} was not mended ({})", node.name, left.join(", "))));
            }
        }
        let begin = Instant::now();
        while let Err(why) = nodes_ready(&client).await {
            if begin.elapsed() > PATIENCE {
                return Err(Unfit::Amiss(why));
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        Ok(())
    }

    /// Mends a cluster that is not dead; the error says what was wrong, and what came of it.
    pub(super) async fn mend(&self, cluster: &Cluster, why: String, progress: &Progress) -> Result<(), String> {
        progress.say(format!("mending it: {why}"));
        match tokio::time::timeout(MENDING, disrupt::mend(cluster)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(format!("{why}, which could not be mended ({error})")),
            Err(_) => Err(format!("{why}, which could not be mended within {} s", MENDING.as_secs())),
        }
    }
}

/// Why a cluster can't be used as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unfit {
    /// It has to be made anew.
    Dead(String),
    /// It may be mended.
    Amiss(String),
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
