//! What a scenario creates: a bare pod, or a workload with a pod template.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Pod, Scenario, Submitted};

/// A Job of one pod.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// `backoffLimit`.
    #[serde(default)]
    pub backoff_limit: u32,
    /// The template.
    pub pod: Pod,
    /// Fields of its `spec`, merged over what the short form makes (RFC 7396).
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub spec: Value,
}

/// A Deployment, or a StatefulSet with its headless Service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replicated {
    /// `replicas`.
    pub replicas: u32,
    /// The template.
    pub pod: Pod,
    /// Fields of its `spec`, merged over what the short form makes (RFC 7396).
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub spec: Value,
}

/// A DaemonSet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DaemonSet {
    /// The template.
    pub pod: Pod,
    /// Fields of its `spec`, merged over what the short form makes (RFC 7396).
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub spec: Value,
}

/// The one workload of a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workload<'a> {
    /// A bare pod named `pod`.
    Pod(&'a Pod),
    /// A Job named `job`.
    Job(&'a Job),
    /// A StatefulSet named `web`.
    StatefulSet(&'a Replicated),
    /// A Deployment named `web`.
    Deployment(&'a Replicated),
    /// A DaemonSet named `web`.
    DaemonSet(&'a DaemonSet),
}

/// How a scenario names the five.
pub(super) const KINDS: &str = "`pod`, `job`, `stateful_set`, `deployment` and `daemon_set`";

impl<'a> Workload<'a> {
    /// The only one that is given; none if there is none or more than one.
    fn only(given: [Option<Self>; 5]) -> Option<Self> {
        let mut given = given.into_iter().flatten();
        let only = given.next();
        if given.next().is_some() { None } else { only }
    }

    /// The pod or the template of the workload.
    pub fn pod(self) -> &'a Pod {
        match self {
            Self::Pod(pod) => pod,
            Self::Job(job) => &job.pod,
            Self::StatefulSet(set) | Self::Deployment(set) => &set.pod,
            Self::DaemonSet(set) => &set.pod,
        }
    }

    /// The name of the created object.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pod(_) => "pod",
            Self::Job(_) => "job",
            Self::StatefulSet(_) | Self::Deployment(_) | Self::DaemonSet(_) => "web",
        }
    }

    /// Its kind, as Kubernetes writes it.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Pod(_) => "Pod",
            Self::Job(_) => "Job",
            Self::StatefulSet(_) => "StatefulSet",
            Self::Deployment(_) => "Deployment",
            Self::DaemonSet(_) => "DaemonSet",
        }
    }

    /// Its `apiVersion`.
    pub fn api_version(self) -> &'static str {
        match self {
            Self::Pod(_) => "v1",
            Self::Job(_) => "batch/v1",
            Self::StatefulSet(_) | Self::Deployment(_) | Self::DaemonSet(_) => "apps/v1",
        }
    }

    /// Whether it replaces its pods by new ones when the template changes.
    pub fn rolls_out(self) -> bool {
        matches!(self, Self::StatefulSet(_) | Self::Deployment(_) | Self::DaemonSet(_))
    }

    /// How many pods it has at a time; of a DaemonSet, on each node.
    pub(crate) fn replicas(self) -> u32 {
        match self {
            Self::Pod(_) | Self::Job(_) | Self::DaemonSet(_) => 1,
            Self::StatefulSet(set) | Self::Deployment(set) => set.replicas,
        }
    }
}

impl fmt::Display for Workload<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a {}", self.kind())
    }
}

impl Scenario {
    /// How many pods of three containers it is worth at a time, the sink's among them: it is containers that cost the machine.
    /// With sixteen pods of five to eight containers at once on two cores, stamps were up to 1.4 s late.
    pub fn pods(&self) -> usize {
        let pod = self.workload().pod().containers().count().div_ceil(3);
        pod * self.workload().replicas() as usize + usize::from(self.sink.is_some())
    }

    /// The workload; loading made sure that there is exactly one.
    pub fn workload(&self) -> Workload<'_> {
        self.one_workload().expect("a loaded scenario has exactly one workload")
    }

    pub(super) fn one_workload(&self) -> Option<Workload<'_>> {
        Workload::only([
            self.pod.as_ref().map(Workload::Pod),
            self.job.as_ref().map(Workload::Job),
            self.stateful_set.as_ref().map(Workload::StatefulSet),
            self.deployment.as_ref().map(Workload::Deployment),
            self.daemon_set.as_ref().map(Workload::DaemonSet),
        ])
    }
}

impl Submitted {
    /// The object; loading made sure that there is exactly one.
    pub fn workload(&self) -> Workload<'_> {
        self.one_workload().expect("a loaded question has exactly one object")
    }

    pub(super) fn one_workload(&self) -> Option<Workload<'_>> {
        Workload::only([
            self.pod.as_ref().map(Workload::Pod),
            self.job.as_ref().map(Workload::Job),
            self.stateful_set.as_ref().map(Workload::StatefulSet),
            self.deployment.as_ref().map(Workload::Deployment),
            self.daemon_set.as_ref().map(Workload::DaemonSet),
        ])
    }
}
