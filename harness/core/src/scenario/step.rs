//! What is done in a scenario.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Ask, Disruption, Goal, SinkMode, Span};
use crate::release::Minor;

/// One step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Step {
    /// Creates the workload.
    Create,
    /// Deletes it, with its own grace period.
    Delete,
    /// Changes the template of a StatefulSet, Deployment or DaemonSet (an annotation), which starts a rolling update.
    Update,
    /// Sets the number of replicas of a StatefulSet or Deployment.
    Scale(u32),
    /// Evicts the tested pods that are there through the Eviction API, as a drain does with those of a node.
    Evict,
    /// Kills the process of this container in each tested pod, as the kernel does when memory runs out.
    Kill(String),
    /// Waits until something is the case. The wait is a promise itself: see [`Await::promise`].
    Await(Await),
    /// Watches that something stays the case for a time counted by the node's heartbeat.
    Stays(Stays),
    /// Puts a request to the API server; the answer is a promise itself.
    Ask(Box<Ask>),
    /// Tells a container of the tested pods something that it was made to wait for.
    Tell(Tell),
    /// Tells the sink how to behave from now on.
    Sink(SinkMode),
    /// Lets time pass in which nothing is waited for, such as between two disruptions.
    Rest(Span),
    /// Does something to the whole cluster. Scenarios that do the same wait for each other, and nobody else is on the cluster.
    Disrupt(Disruption),
}

/// What a container is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tell {
    /// The container.
    pub container: String,
    /// What it is to do.
    pub to: Told,
}

/// What a container can be told to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Told {
    /// To end (see [`super::Ending::once_told`]).
    Exit,
    /// To let its probes succeed (see [`super::Container::ready_when_told`]).
    Ready,
    /// To let its probes fail.
    Unready,
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
    pub since: Option<Minor>,
    /// The behaviours of the catalogue that it shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub covers: Vec<String>,
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
    pub since: Option<Minor>,
    /// The behaviours of the catalogue that it shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub covers: Vec<String>,
}

impl Await {
    /// The name of the promise that the wait serves.
    pub fn promise_name(&self) -> String {
        self.promise.clone().unwrap_or_else(|| self.goal.to_string().replace([' ', '-'], "_"))
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exit => "exit",
            Self::Ready => "ready",
            Self::Unready => "unready",
        })
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Create => f.write_str("create"),
            Self::Delete => f.write_str("delete"),
            Self::Update => f.write_str("update"),
            Self::Scale(replicas) => write!(f, "scale to {replicas}"),
            Self::Evict => f.write_str("evict"),
            Self::Kill(container) => write!(f, "kill {container}"),
            Self::Await(wait) => write!(f, "wait until {} (at most {})", wait.goal, wait.within),
            Self::Stays(stays) => write!(f, "watch that {} for {}", stays.goal, stays.lasting),
            Self::Ask(ask) => write!(f, "{ask}"),
            Self::Tell(tell) => write!(f, "tell {} to {}", tell.container, tell.to),
            Self::Sink(mode) => write!(f, "{mode}"),
            Self::Rest(span) => write!(f, "rest for {span}"),
            Self::Disrupt(disruption) => write!(f, "{disruption}"),
        }
    }
}
