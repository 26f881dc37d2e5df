//! The container that is a node.

use jiff::Timestamp;

use super::DisruptError;
use crate::engine::Engine;

/// How a node's container was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Running,
    /// Paused or stopped: it has been set going again.
    Still,
}

/// Lets a container run that was paused or stopped.
pub(super) async fn set_going(engine: &Engine, node: &str) -> Result<Found, DisruptError> {
    let status = inspect(engine, node, "{{.State.Status}}").await?;
    let act = match status.as_str() {
        "running" => return Ok(Found::Running),
        "paused" => "unpause",
        _ => "start",
    };
    engine.docker([act, node]).run().await.map_err(DisruptError::command("let the node run", node))?;
    Ok(Found::Still)
}

/// When it was started, by the engine's clock, which is that of the nodes.
pub(super) async fn started(engine: &Engine, node: &str) -> Result<Timestamp, DisruptError> {
    let text = inspect(engine, node, "{{.State.StartedAt}}").await?;
    text.parse().map_err(|error: jiff::Error| DisruptError::File {
        node: node.to_owned(),
        file: "the time of its start".to_owned(),
        said: error.to_string(),
    })
}

async fn inspect(engine: &Engine, node: &str, format: &str) -> Result<String, DisruptError> {
    let command = engine.docker(["inspect", "--format", format, node]);
    Ok(command.run().await.map_err(DisruptError::command("look at the node", node))?.text())
}
