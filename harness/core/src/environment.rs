//! What a cluster was found to be: recorded when it comes up, and carried in every trace.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::release::Release;

/// The capability names that a scenario can need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    /// Files on the node and the container runtime's events and journal can be read.
    NodeFiles,
    /// The kubelet can be restarted.
    RestartKubelet,
    /// The API server can be stopped and started.
    StopApiServer,
}

/// The facts of one cluster, as verified and not as wished.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    /// The matrix entry's name; for people only, no expectation depends on it.
    pub entry: String,
    /// The API server's release.
    pub release: Release,
    /// Effective gate state, the same in every component (a mixed cluster is refused or says so in `components`).
    pub gates: BTreeMap<String, bool>,
    /// Gate state by component: `api_server`, `scheduler`, `controller_manager`, `kubelet/<node>`.
    pub components: BTreeMap<String, BTreeMap<String, bool>>,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// What can be done to this cluster.
    pub capabilities: Vec<Capability>,
    /// How much later than the fact a container runtime stamp may be, in milliseconds.
    pub runtime_resolution_ms: u64,
    /// What that was derived from; none where it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
    /// Where the node image came from: the published reference or the tag of the one built here.
    pub node_image: String,
    /// `kind version`, and the Docker engine's version.
    pub tools: BTreeMap<String, String>,
    /// When the cluster came up.
    pub created: Timestamp,
}

/// One node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// The node's name in Kubernetes, which is its container's name in the engine.
    pub name: String,
    /// The kubelet's release.
    pub kubelet: Release,
    /// The container runtime, such as `containerd://1.6.20`.
    pub runtime: String,
    /// Kernel release, and operating system.
    pub kernel: String,
    /// The operating system image.
    pub os: String,
}

/// How late the runtime's stamps were when the cluster came up, in containers that wrote down themselves when they ended. All lags
/// are rounded up to whole milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calibration {
    /// How many exits were measured.
    pub exits: u64,
    /// From a program's last mark to the runtime's stamp of its exit, the largest.
    pub largest_exit_lag_ms: u64,
    /// The same, the median.
    pub median_exit_lag_ms: u64,
    /// From a program's first mark to the runtime's stamp of its start, the largest; 0 when the runtime was always first.
    pub largest_start_lag_ms: u64,
}
