//! What a node says about itself, without its API server.

mod state;

use super::DisruptError;
use crate::{cluster::Cluster, engine::Engine};

pub(crate) use state::NodeState;

const STATE: &str = include_str!("state.sh");
/// What all scripts below use: where files are put aside, and how.
const ASIDE: &str = include_str!("aside.sh");

/// Looks at the node, in one command.
///
/// # Errors
/// The node does not answer, or says something else than expected.
pub(super) async fn state(engine: &Engine, node: &str) -> Result<NodeState, DisruptError> {
    let what = "look at the node";
    let output = engine.script(node, STATE, &[]).run().await.map_err(DisruptError::command(what, node))?;
    output.text().parse().map_err(|said| DisruptError::File { node: node.to_owned(), file: "the state".to_owned(), said })
}

/// Runs a script that may put files aside and back.
pub(super) async fn run(
    engine: &Engine,
    node: &str,
    what: &str,
    script: &str,
    arguments: &[&str],
) -> Result<String, DisruptError> {
    let script = format!("set -e\n{ASIDE}\n{script}");
    let output = engine.script(node, &script, arguments).run().await.map_err(DisruptError::command(what, node))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The same, with standard input.
pub(super) async fn run_with_input(
    engine: &Engine,
    node: &str,
    what: &str,
    script: &str,
    arguments: &[&str],
    input: &str,
) -> Result<(), DisruptError> {
    let script = format!("set -e\n{ASIDE}\n{script}");
    let command = engine.script_with_input(node, &script, arguments, input.into());
    command.run().await.map(drop).map_err(DisruptError::command(what, node))
}

/// Whether a node has a control plane, by kind's names.
pub(super) fn is_plane(node: &str) -> bool {
    node.contains("control-plane")
}

/// The nodes that have a control plane.
pub(super) fn planes(cluster: &Cluster) -> impl Iterator<Item = &str> {
    cluster.nodes().filter(|node| is_plane(node))
}
