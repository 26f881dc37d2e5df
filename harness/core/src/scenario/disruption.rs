//! What is done to a whole cluster.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

/// Something that is done to the cluster, for all scenarios on it at once. Whatever was done is mended in the end.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Disruption {
    /// The kubelet is stopped and started again.
    RestartKubelet,
    /// The kubelet is stopped.
    StopKubelet,
    /// The kubelet is started.
    StartKubelet,
    /// The node's container is stopped and started: all processes end, the disk stays.
    RebootNode,
    /// The API server is stopped.
    StopApiServer,
    /// The API server is started.
    StartApiServer,
    /// Feature gates of one component are set, and the component is restarted with them.
    SetGates(SetGates),
}

/// Feature gates for one component.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetGates {
    /// The component.
    pub component: Component,
    /// The gates.
    pub gates: BTreeMap<String, bool>,
}

/// A component with feature gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Component {
    /// kube-apiserver.
    ApiServer,
    /// kube-scheduler.
    Scheduler,
    /// kube-controller-manager.
    ControllerManager,
    /// The kubelet of each node.
    Kubelet,
}

impl Component {
    /// Its program.
    pub fn program(self) -> &'static str {
        match self {
            Self::ApiServer => "kube-apiserver",
            Self::Scheduler => "kube-scheduler",
            Self::ControllerManager => "kube-controller-manager",
            Self::Kubelet => "kubelet",
        }
    }
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ApiServer => "API server",
            Self::Scheduler => "scheduler",
            Self::ControllerManager => "controller manager",
            Self::Kubelet => "kubelet",
        })
    }
}

impl fmt::Display for Disruption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RestartKubelet => f.write_str("restart the kubelet"),
            Self::StopKubelet => f.write_str("stop the kubelet"),
            Self::StartKubelet => f.write_str("start the kubelet"),
            Self::RebootNode => f.write_str("reboot the node"),
            Self::StopApiServer => f.write_str("stop the API server"),
            Self::StartApiServer => f.write_str("start the API server"),
            Self::SetGates(set) => {
                let gates: Vec<String> =
                    set.gates.iter().map(|(gate, on)| format!("{gate} {}", if *on { "on" } else { "off" })).collect();
                write!(f, "switch {} in the {}", gates.join(", "), set.component)
            }
        }
    }
}
