//! A scenario: one YAML file that says what is created, what is done, and which promises are checked.

mod check;
mod duration;
mod load;
mod needs;
mod pod;
mod step;
mod workload;

use serde::{Deserialize, Serialize};

pub use check::{Check, Promise};
pub use duration::Span;
pub use load::{ScenarioError, line_of};
pub use needs::Needs;
pub use pod::{Container, Ending, Pod, Probe, RestartPolicy, Writes};
pub use step::{Await, ContainerGoal, ContainerState, Goal, JobState, PodState, StatefulSetState, Stays, Step};
pub use workload::{Job, StatefulSet, Workload};

use crate::agent::Protocol;

/// One scenario file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// What it shows, in a sentence.
    pub about: String,
    /// Where the promises come from: the KEP, documentation, an upstream issue.
    pub source: Vec<String>,
    /// What a cluster must have for the scenario to apply.
    #[serde(default)]
    pub needs: Needs,
    /// The log receiver outside the tested pod, for scenarios about lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sink: Option<Protocol>,
    /// A bare pod, named `pod`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pod: Option<Pod>,
    /// A Job, named `job`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<Job>,
    /// A StatefulSet, named `web`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stateful_set: Option<StatefulSet>,
    /// What is done, one after the other.
    pub steps: Vec<Step>,
    /// What is checked, each with the release from which Kubernetes promises it.
    #[serde(default)]
    pub promises: Vec<Promise>,
}
