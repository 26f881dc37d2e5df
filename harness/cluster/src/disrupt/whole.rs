//! Whether a node and its control plane are whole.

use std::time::Duration;

use jiff::Timestamp;
use kube::Client;

use super::{NodeState, api, kubelet, manifests::LEADERS, node};
use crate::engine::Engine;

/// What the leases of leaders are valid for: whoever has not renewed one for that long has lost it.
const LEADER: Duration = Duration::from_secs(15);
/// The same for nodes.
const NODE: Duration = Duration::from_secs(40);
/// The heartbeat beats twice a second, and may be late on a busy node.
const BEAT: Duration = Duration::from_secs(5);

/// Looks once. Signs of life must be newer than `since`; without it, as new as those of a healthy cluster are.
///
/// # Errors
/// What is amiss first, beginning with what the rest depends on.
pub(super) async fn look(engine: &Engine, client: &Client, name: &str, since: Option<Timestamp>) -> Result<NodeState, String> {
    let (state, ready) = tokio::join!(node::state(engine, name), api::ready(client));
    let state = state.map_err(|error| error.to_string())?;
    on_the_node(&state, since)?;
    ready?;
    let started = state.kubelet_started.unwrap_or(state.now);
    let node = api::node_is_fresh(client, name, started, since.unwrap_or(state.now - NODE));
    if !node::is_plane(name) {
        return node.await.map(|()| state);
    }
    let after = since.unwrap_or(state.now - LEADER);
    let [manager, scheduler] = LEADERS.map(|leader| api::lease_is_fresh(client, "kube-system", leader, after));
    let (node, manager, scheduler) = tokio::join!(node, manager, scheduler);
    node.and(manager).and(scheduler).map(|()| state)
}

fn on_the_node(state: &NodeState, since: Option<Timestamp>) -> Result<(), String> {
    kubelet::is_healthy(state)?;
    if state.recorder != "active" {
        return Err(format!("the recorder is {}", state.recorder));
    }
    for (name, wanted) in &state.wanted {
        match state.processes.get(name) {
            None => return Err(format!("{name} does not run")),
            Some(process) if process.gates != *wanted => {
                return Err(format!("{name} runs with `{}` instead of `{wanted}`", process.gates));
            }
            Some(_) => {}
        }
    }
    let after = since.unwrap_or(state.now - BEAT);
    match state.beat {
        Some(beat) if beat <= after => Err(format!("the heartbeat beat last at {beat}, and not since {after}")),
        _ => Ok(()),
    }
}
