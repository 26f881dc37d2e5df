//! A scenario: one YAML file that says what is created, what is done, and which promises are checked.

mod agents;
mod ask;
mod behaviour;
mod check;
mod disruption;
mod duration;
mod fact;
mod goal;
mod load;
mod needs;
mod pattern;
mod pod;
mod point;
mod sink;
mod step;
mod tested;
mod workload;
mod writes;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use agents::{AGENT, AgentCase, Agents};
pub use ask::{Answer, Ask, Submitted};
pub use behaviour::{Ending, Hook, Probe};
pub use check::{Check, Exits, Promise, Runs, Shows, Takes, When};
pub use disruption::{Component, Disruption, SetGates};
pub use duration::Span;
pub use fact::Fact;
pub use goal::{ContainerGoal, ContainerState, Goal, JobState, Kubectl, PodState, Rollout, Sight};
pub use load::{ScenarioError, line_of};
pub use needs::Needs;
pub use pattern::Pattern;
pub use pod::{Container, Pod, RestartPolicy};
pub use point::{Point, PointMoment};
pub use sink::{SinkMode, Slow};
pub use step::{Await, Stays, Step, Tell, Told};
pub use tested::{Placement, Tested};
pub use workload::{DaemonSet, Job, Replicated, Workload};
pub use writes::{LineSize, LogTarget, Rotate, RotateBy, Writes};

use crate::agent::Protocol;

/// One scenario file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// What it shows, in a sentence.
    pub about: String,
    /// Where the promises come from: the KEP, documentation, an upstream issue.
    pub source: Vec<String>,
    /// Only nightly runs have it: it takes long, or is too young to be relied on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub nightly: bool,
    /// What a cluster must have for the scenario to apply.
    #[serde(default)]
    pub needs: Needs,
    /// The log receiver outside the tested pod, for scenarios about lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sink: Option<Protocol>,
    /// The agents with which it is run, a case for each; it is then a pattern, and no scenario itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agents: Option<Agents>,
    /// Which agent a case is about, where it was made from such a pattern; no file says this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tested: Option<Tested>,
    /// A bare pod, named `pod`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pod: Option<Pod>,
    /// A Job, named `job`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<Job>,
    /// A StatefulSet, named `web`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stateful_set: Option<Replicated>,
    /// A Deployment, named `web`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deployment: Option<Replicated>,
    /// A DaemonSet, named `web`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub daemon_set: Option<DaemonSet>,
    /// Other objects of the namespace that are there before the workload, as they are sent to the API server.
    /// `{{namespace}}`, `{{node}}` and `{{witness}}` stand for the namespace, the first node and the witness image.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<Value>,
    /// What is done, one after the other.
    pub steps: Vec<Step>,
    /// What is checked, each with the release from which Kubernetes promises it.
    #[serde(default)]
    pub promises: Vec<Promise>,
}

impl Scenario {
    /// What it says to show of the catalogue: behaviour and promise.
    pub fn claims(&self) -> Vec<(String, String)> {
        let promises = self.promises.iter().map(|promise| (promise.name.clone(), &promise.covers));
        let steps = self.steps.iter().filter_map(|step| match step {
            Step::Await(wait) => Some((wait.promise_name(), &wait.covers)),
            Step::Stays(stays) => Some((stays.promise.clone(), &stays.covers)),
            Step::Ask(ask) => Some((ask.promise.clone(), &ask.covers)),
            _ => None,
        });
        let all = promises.chain(steps);
        all.flat_map(|(promise, covers)| covers.iter().map(move |id| (id.clone(), promise.clone()))).collect()
    }

    /// Whether nobody else may be on the cluster meanwhile.
    pub fn needs_cluster_alone(&self) -> bool {
        !self.disruptions().is_empty()
    }

    /// The waiting that no machine can shorten, at least: what its containers take one after the other to get ready, to run and
    /// to stop, and what its steps rest or watch for.
    pub fn least_time(&self) -> Span {
        let steps = self.steps.iter().map(|step| match step {
            Step::Rest(span) => *span,
            Step::Stays(stays) => stays.lasting,
            _ => Span::default(),
        });
        let is_stopped = self.steps.contains(&Step::Delete) || self.steps.contains(&Step::Evict) || self.job.is_some();
        // What takes longer than any step waits is meant not to come at all.
        let budgets = self.steps.iter().filter_map(|step| if let Step::Await(wait) = step { Some(wait.within) } else { None });
        let pod = self.workload().pod().least_time(is_stopped, budgets.max().unwrap_or_default());
        steps.fold(pod, |sum, span| sum + span)
    }

    /// What it does to the cluster, in its order.
    pub fn disruptions(&self) -> Vec<&Disruption> {
        let disruptions = self.steps.iter().filter_map(|step| match step {
            Step::Disrupt(disruption) => Some(disruption),
            _ => None,
        });
        disruptions.collect()
    }
}
