//! What is done in a scenario, and what is waited for.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Span;

/// One step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Step {
    /// Creates the workload.
    Create,
    /// Deletes it, with its own grace period.
    Delete,
    /// Changes the template of a StatefulSet (an annotation), which starts a rolling update.
    Update,
    /// Waits until something is the case. The wait is a promise itself: see [`Await::promise`].
    Await(Await),
    /// Watches that something stays the case for a time counted by the node's heartbeat.
    Stays(Stays),
}

/// A bounded wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Await {
    /// What is waited for.
    pub goal: Goal,
    /// The budget: the time without a change that ends the wait, or five times that in all. A wait that runs out of it on a
    /// live node is a broken promise, on a dead or starved one inconclusive.
    #[serde(default = "default_budget")]
    pub within: Span,
    /// The promise that the wait serves, such as `pod_becomes_ready`; where none is named, one is made from the goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promise: Option<String>,
    /// The release from which it holds; without it, the promise holds on every release that the scenario applies to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<crate::release::Minor>,
}

/// Slow machines bend start times (thirty pods at once took 21 s to get ready on two cores), so a wait is generous:
/// it only ends a run that hangs.
const fn default_budget() -> Span {
    Span::seconds(60)
}

/// A state that must not change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stays {
    /// What must be the case all the time.
    pub goal: Goal,
    /// For how long, on the node's clock.
    pub lasting: Span,
    /// The name of the promise.
    pub promise: String,
    /// The release from which it holds; without it, on every release that the scenario applies to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<crate::release::Minor>,
}

/// A state of the workload or of one container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Goal {
    /// The bare pod, or the pod of the Job.
    Pod(PodState),
    /// The Job.
    Job(JobState),
    /// The StatefulSet.
    StatefulSet(StatefulSetState),
    /// A container of the bare pod or of the Job's pod.
    Container(ContainerGoal),
}

/// A container and its state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContainerGoal {
    /// The container's name.
    pub name: String,
    /// The state.
    pub state: ContainerState,
}

/// States of a pod.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PodState {
    /// Condition Ready is true.
    Ready,
    /// Every container that ever started is terminated, and the phase is Succeeded or Failed.
    Ended,
    /// The phase is Pending.
    Pending,
}

/// States of a Job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// Condition Complete is true.
    Complete,
    /// Condition Failed is true.
    Failed,
    /// Neither complete nor failed, with an active pod.
    Active,
}

/// States of a StatefulSet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StatefulSetState {
    /// All replicas of the current generation are ready.
    RolledOut,
}

/// States of a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContainerState {
    /// Running.
    Running,
    /// Never started: waiting, without an earlier incarnation.
    NotStarted,
    /// Terminated.
    Terminated,
    /// Running again after at least one restart.
    Restarted,
}

impl fmt::Display for Goal {
    /// In words that complete "waits until ...", and, with underscores, make the name of a promise.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pod(PodState::Ready) => f.write_str("pod is ready"),
            Self::Pod(PodState::Ended) => f.write_str("pod has ended"),
            Self::Pod(PodState::Pending) => f.write_str("pod is pending"),
            Self::Job(JobState::Complete) => f.write_str("job is complete"),
            Self::Job(JobState::Failed) => f.write_str("job has failed"),
            Self::Job(JobState::Active) => f.write_str("job is active"),
            Self::StatefulSet(StatefulSetState::RolledOut) => f.write_str("stateful set is rolled out"),
            Self::Container(goal) => {
                let state = match goal.state {
                    ContainerState::Running => "is running",
                    ContainerState::NotStarted => "has not started",
                    ContainerState::Terminated => "is terminated",
                    ContainerState::Restarted => "has restarted",
                };
                write!(f, "{} {state}", goal.name)
            }
        }
    }
}

impl Await {
    /// The name of the promise that the wait serves.
    pub fn promise_name(&self) -> String {
        self.promise.clone().unwrap_or_else(|| self.goal.to_string().replace([' ', '-'], "_"))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Create => f.write_str("create"),
            Self::Delete => f.write_str("delete"),
            Self::Update => f.write_str("update"),
            Self::Await(wait) => write!(f, "wait until {} (at most {})", wait.goal, wait.within),
            Self::Stays(stays) => write!(f, "watch that {} for {}", stays.goal, stays.lasting),
        }
    }
}
