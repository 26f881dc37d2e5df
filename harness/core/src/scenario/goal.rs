//! What a step waits for.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Fact, Pattern, Point};

/// A state of the workload or of one container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Goal {
    /// The bare pod, or the pod of the Job.
    Pod(PodState),
    /// The Job.
    Job(JobState),
    /// The StatefulSet.
    StatefulSet(Rollout),
    /// The Deployment.
    Deployment(Rollout),
    /// The DaemonSet.
    DaemonSet(Rollout),
    /// A container of the bare pod or of the Job's pod.
    Container(ContainerGoal),
    /// A published object of which this is true.
    Shows(Sight),
    /// A witness container's record on the node has this moment, whatever the API server knows of it.
    Recorded(Point),
    /// What kubectl of the cluster's release prints.
    Kubectl(Kubectl),
}

/// A fact about the newest state of an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sight {
    /// The object's kind, in small letters, as in [`super::Shows::of`]; the tested pod, where nothing is said.
    #[serde(default = "super::check::pod", skip_serializing_if = "super::check::is_pod")]
    pub of: String,
    /// What must be true of one object of that kind, all of it at once.
    pub facts: Vec<Fact>,
}

/// A command of kubectl and what it prints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kubectl {
    /// Its arguments, separated by spaces, in the scenario's namespace; `{{node}}` is the node's name, `{{pod}}` the tested pod's.
    pub args: String,
    /// A regular expression that its output must match (`.` does not match a line's end, `^` and `$` are those of lines).
    pub prints: Pattern,
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
    /// No pod of the workload is left.
    Gone,
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

/// States of a workload that replaces its pods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rollout {
    /// All replicas are of the current generation and ready, and none of an earlier one is left: what
    /// `kubectl rollout status` waits for.
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
            Self::Pod(PodState::Gone) => f.write_str("pods are gone"),
            Self::Job(JobState::Complete) => f.write_str("job is complete"),
            Self::Job(JobState::Failed) => f.write_str("job has failed"),
            Self::Job(JobState::Active) => f.write_str("job is active"),
            Self::StatefulSet(Rollout::RolledOut) => f.write_str("stateful set is rolled out"),
            Self::Deployment(Rollout::RolledOut) => f.write_str("deployment is rolled out"),
            Self::DaemonSet(Rollout::RolledOut) => f.write_str("daemon set is rolled out"),
            Self::Container(goal) => {
                let state = match goal.state {
                    ContainerState::Running => "is running",
                    ContainerState::NotStarted => "has not started",
                    ContainerState::Terminated => "is terminated",
                    ContainerState::Restarted => "has restarted",
                };
                write!(f, "{} {state}", goal.name)
            }
            Self::Shows(sight) => {
                let facts: Vec<String> = sight.facts.iter().map(ToString::to_string).collect();
                write!(f, "{} shows that {}", sight.of, facts.join(" and "))
            }
            Self::Recorded(point) => write!(f, "the record has {point}"),
            Self::Kubectl(kubectl) => write!(f, "kubectl {} prints {}", kubectl.args, kubectl.prints),
        }
    }
}
