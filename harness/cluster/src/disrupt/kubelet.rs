//! The kubelet of one node: stopping and starting it. Containers go on without it.

use std::time::Duration;

use super::{DisruptError, NodeState, api, node, wait::until};
use crate::cluster::Cluster;

/// Stopping takes a few hundred milliseconds, starting until the node's lease is new 2 to 4 s.
const LIMIT: Duration = Duration::from_secs(60);
/// How long a restarted kubelet is down, at least: what happens meanwhile it finds only by looking anew.
const DOWN: Duration = Duration::from_secs(1);

const STOP: &str = "systemctl stop kubelet";
const START: &str = "systemctl reset-failed kubelet || true\nsystemctl start kubelet";

/// Stops the kubelet of `node`; returns when its process is gone. Containers and the API server go on.
///
/// # Errors
/// [`DisruptError::Command`], [`DisruptError::TimedOut`] after 60 s.
pub async fn stop_kubelet(cluster: &Cluster, node: &str) -> Result<(), DisruptError> {
    let what = "stop the kubelet";
    node::run(&cluster.engine, node, what, STOP, &[]).await?;
    until(node, what, LIMIT, || async {
        let state = node::state(&cluster.engine, node).await.map_err(|error| error.to_string())?;
        match state.kubelet.as_str() {
            "inactive" | "failed" => Ok(()),
            other => Err(format!("it is {other}")),
        }
    })
    .await
}

/// Starts the kubelet of `node`; returns when it is healthy, and the API server has a status and a lease that are newer than
/// this start. While the API server is stopped by [`super::stop_api_server`], health is all that is waited for.
///
/// # Errors
/// [`DisruptError::Command`], [`DisruptError::TimedOut`] after 60 s, [`DisruptError::Cluster`].
pub async fn start_kubelet(cluster: &Cluster, node: &str) -> Result<(), DisruptError> {
    let what = "start the kubelet";
    node::run(&cluster.engine, node, what, START, &[]).await?;
    let client = api::client(cluster).await?;
    until(node, what, LIMIT, || async {
        let state = node::state(&cluster.engine, node).await.map_err(|error| error.to_string())?;
        is_healthy(&state)?;
        if state.api_server_is_stopped() {
            return Ok(());
        }
        let started = state.kubelet_started.unwrap_or(state.now);
        api::node_is_fresh(&client, node, started, started).await
    })
    .await
}

/// Stops the kubelet of `node`, lets it be down for one second, and starts it.
///
/// # Errors
/// As [`stop_kubelet`] and [`start_kubelet`].
pub async fn restart_kubelet(cluster: &Cluster, node: &str) -> Result<(), DisruptError> {
    stop_kubelet(cluster, node).await?;
    tokio::time::sleep(DOWN).await;
    start_kubelet(cluster, node).await
}

/// Whether it runs and says that it is well; the error says what it does instead.
pub(super) fn is_healthy(state: &NodeState) -> Result<(), String> {
    match (state.kubelet.as_str(), state.healthz.as_str()) {
        ("active", "ok") => Ok(()),
        ("active", other) => Err(format!("the kubelet is not healthy ({other})")),
        (other, _) => Err(format!("the kubelet is {other}")),
    }
}
