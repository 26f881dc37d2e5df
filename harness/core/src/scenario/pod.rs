//! The short form of a pod of witness containers.

use serde::{Deserialize, Serialize};

use super::Span;

/// A pod in short form. Its names are Kubernetes' own, its containers run the witness program unless they name an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pod {
    /// `restartPolicy`; Kubernetes' own default is `Always` (Jobs: `Never` here).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restart_policy: Option<RestartPolicy>,
    /// `terminationGracePeriodSeconds`; 30 s, as Kubernetes has it, where nothing is said.
    #[serde(default = "default_grace")]
    pub grace: Span,
    /// `initContainers` in their order: plain init containers, and sidecars.
    #[serde(default)]
    pub init_containers: Vec<Container>,
    /// The mains: `containers` in their order.
    pub mains: Vec<Container>,
}

const fn default_grace() -> Span {
    Span::seconds(30)
}

/// The pod's restart policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RestartPolicy {
    /// Restart whatever ends.
    Always,
    /// Restart what fails.
    OnFailure,
    /// Restart nothing (sidecars excepted, that is the point of them).
    Never,
}

/// One container: a witness with a behaviour, or a real log agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Container {
    /// The container's name.
    pub name: String,
    /// In `init_containers` only: `restartPolicy: Always`, which makes it a sidecar.
    #[serde(default)]
    pub sidecar: bool,
    /// A log agent of `suites/agents/` in place of the witness; no behaviour may be given with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// An exec startup probe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub startup_probe: Option<Probe>,
    /// An exec readiness probe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub readiness_probe: Option<Probe>,
    /// Ends by itself; without it the container runs until TERM (a plain init ends at once with 0).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exits: Option<Ending>,
    /// From TERM to its exit.
    #[serde(default)]
    pub stop_takes: Span,
    /// Numbered lines that it writes from its start on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writes: Option<Writes>,
}

/// A probe that succeeds from a given age of the container on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// The age, counted from the process's start. One container has one age for all its probes.
    #[serde(default)]
    pub succeeds_after: Span,
    /// `periodSeconds`, in whole seconds.
    #[serde(default = "default_period")]
    pub period: Span,
}

const fn default_period() -> Span {
    Span::seconds(1)
}

/// How a container ends by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ending {
    /// Counted from the latest of its start, its last line when it writes lines, and the start of `once_started`.
    pub after: Span,
    /// Not before this container of the same pod has started: a cause instead of a guess about how long starts take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub once_started: Option<String>,
    /// The exit code.
    #[serde(default)]
    pub code: u8,
    /// Only in the first N incarnations; later ones run until TERM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_incarnations: Option<u32>,
}

/// Numbered lines, written to a file on the volume that the pod's agents read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Writes {
    /// How many.
    pub lines: u64,
    /// Pause between two lines; none writes them as one burst.
    #[serde(default)]
    pub every: Span,
}
