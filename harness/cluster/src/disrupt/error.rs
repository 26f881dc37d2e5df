//! What can go wrong while a cluster is disturbed or mended.

use std::time::Duration;

use crate::{cluster::ClusterError, command::CommandError};

/// Why a disruption, or its mending, did not come about.
#[derive(Debug, thiserror::Error)]
pub enum DisruptError {
    /// A command failed on the node, or on the engine.
    #[error("failed to {what} on node `{node}`: {source}")]
    Command {
        /// What was tried, such as `stop the kubelet`.
        what: String,
        /// The node.
        node: String,
        /// The command, how it failed, and what it said.
        #[source]
        source: CommandError,
    },
    /// What was done did not show in time.
    #[error("gave up on node `{node}` after {:.1} s of waiting: {what}; last seen: {last}", waited.as_secs_f64())]
    TimedOut {
        /// What was tried, such as `start the kubelet`.
        what: String,
        /// The node.
        node: String,
        /// How long it was waited for.
        waited: Duration,
        /// What the last look showed.
        last: String,
    },
    /// The cluster can't be spoken to.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// A file on the node is not what it should be.
    #[error("failed to read {file} of node `{node}`: {said}")]
    File {
        /// The node.
        node: String,
        /// The file.
        file: String,
        /// What is wrong with it.
        said: String,
    },
}

impl DisruptError {
    /// For `map_err`: what was tried on which node.
    pub(super) fn command(what: &str, node: &str) -> impl FnOnce(CommandError) -> Self {
        let (what, node) = (what.to_owned(), node.to_owned());
        move |source| Self::Command { what, node, source }
    }
}
