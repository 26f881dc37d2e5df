//! The API server: stopping and starting it.

use std::time::Duration;

use super::{
    DisruptError, control_plane,
    manifests::{self, API_SERVER, LEADERS},
    node,
    wait::until,
};
use crate::{cluster::Cluster, engine::Engine};

/// The kubelet needs 2 s for it.
const END: Duration = Duration::from_secs(60);
const KILL: &str = r#"kill -KILL "$1" || true"#;

/// Stops the API server (of each control-plane node), and with it the controller manager and the scheduler, which can't do
/// anything without it; returns when their processes are gone. An API server stops listening within two seconds and would then
/// wait for half a minute until its watches end; they are cut off. Does nothing where it is stopped already.
///
/// # Errors
/// [`DisruptError::Command`]; [`DisruptError::TimedOut`] after 60 s, for example when the kubelet does not run.
pub async fn stop_api_server(cluster: &Cluster) -> Result<(), DisruptError> {
    let (engine, what) = (&cluster.engine, "stop the API server");
    for plane in node::planes(cluster) {
        let before = node::state(engine, plane).await?;
        manifests::take(engine, plane, what, &[LEADERS[0], LEADERS[1], API_SERVER]).await?;
        until(plane, what, END, || ended(engine, plane, before.pid_of(API_SERVER))).await?;
        until(plane, what, END, || leaders_ended(engine, plane)).await?;
    }
    Ok(())
}

/// Whether the API server with this process id has ended; one that does not listen any more is made to.
///
/// # Errors
/// What it does instead.
pub(super) async fn ended(engine: &Engine, node: &str, pid: Option<u32>) -> Result<(), String> {
    let state = node::state(engine, node).await.map_err(|error| error.to_string())?;
    match pid.filter(|pid| state.pid_of(API_SERVER) == Some(*pid)) {
        None => Ok(()),
        Some(_) if state.api_server_listens => Err(format!("it listens on its port; the kubelet is {}", state.kubelet)),
        Some(pid) => {
            let kill = node::run(engine, node, "end the API server", KILL, &[&pid.to_string()]).await;
            kill.map_err(|error| error.to_string())?;
            Err("it does not listen any more, and waits for its watches".to_owned())
        }
    }
}

async fn leaders_ended(engine: &Engine, node: &str) -> Result<(), String> {
    let state = node::state(engine, node).await.map_err(|error| error.to_string())?;
    match LEADERS.iter().find(|leader| state.processes.contains_key(**leader)) {
        Some(leader) => Err(format!("{leader} still runs")),
        None => Ok(()),
    }
}

/// Starts what [`stop_api_server`] stopped; returns when the API server is ready, the node has renewed its lease, and the
/// controllers work.
///
/// # Errors
/// [`DisruptError::Command`], [`DisruptError::Cluster`]; [`DisruptError::TimedOut`] after 330 s.
pub async fn start_api_server(cluster: &Cluster) -> Result<(), DisruptError> {
    let what = "start the API server";
    for plane in node::planes(cluster) {
        let since = node::state(&cluster.engine, plane).await?.now;
        manifests::give(&cluster.engine, plane, what, &[API_SERVER]).await?;
        control_plane::await_whole(cluster, plane, what, since).await?;
    }
    Ok(())
}
