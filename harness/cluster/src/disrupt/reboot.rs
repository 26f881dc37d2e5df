//! A reboot: the node's container is stopped and started.

use std::time::Duration;

use super::{DisruptError, container, control_plane};
use crate::cluster::Cluster;

/// What does not end by itself in this time is killed. etcd, which ends last, takes 5 to 7 s; the shims of containerd never end
/// by themselves, so this is how long it takes.
const STOP_SECONDS: &str = "10";
const WHAT: &str = "reboot";

/// Reboots `node`: its processes get TERM from systemd (containers too, from nobody else and in no order), and what is left
/// after 10 s is killed. The container runtime ends first, so it tells of no exit. Returns when the node and its control plane
/// are whole again, and its heartbeat beats. Takes about half a minute.
///
/// # Errors
/// [`DisruptError::Command`] when the engine does not restart the container, [`DisruptError::TimedOut`] when something is not
/// whole after 330 s, [`DisruptError::Cluster`].
pub async fn reboot_node(cluster: &Cluster, node: &str) -> Result<(), DisruptError> {
    let restart = cluster.engine.docker(["restart", "--time", STOP_SECONDS, node]).limit(Duration::from_secs(120));
    restart.run().await.map_err(DisruptError::command(WHAT, node))?;
    let started = container::started(&cluster.engine, node).await?;
    control_plane::await_whole(cluster, node, WHAT, started).await
}
