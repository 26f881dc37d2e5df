//! What a scenario creates: a bare pod, or a workload with a pod template.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Pod, Scenario};

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

/// A StatefulSet with its headless Service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatefulSet {
    /// `replicas`.
    pub replicas: u32,
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
    StatefulSet(&'a StatefulSet),
}

impl<'a> Workload<'a> {
    /// The one of the three that is given; none if there is none or more than one.
    pub(super) fn of(pod: Option<&'a Pod>, job: Option<&'a Job>, set: Option<&'a StatefulSet>) -> Option<Self> {
        match (pod, job, set) {
            (Some(pod), None, None) => Some(Self::Pod(pod)),
            (None, Some(job), None) => Some(Self::Job(job)),
            (None, None, Some(set)) => Some(Self::StatefulSet(set)),
            _ => None,
        }
    }

    /// The pod or the template of the workload.
    pub fn pod(self) -> &'a Pod {
        match self {
            Self::Pod(pod) => pod,
            Self::Job(job) => &job.pod,
            Self::StatefulSet(set) => &set.pod,
        }
    }

    /// The name of the created object.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pod(_) => "pod",
            Self::Job(_) => "job",
            Self::StatefulSet(_) => "web",
        }
    }
}

impl Scenario {
    /// How many pods of three containers it is worth at a time, the sink's among them: it is containers that cost the machine.
    /// With sixteen pods of five to eight containers at once on two cores, stamps were up to 1.4 s late.
    pub fn pods(&self) -> usize {
        let pod = self.workload().pod().containers().count().div_ceil(3);
        let own = match self.workload() {
            Workload::Pod(_) | Workload::Job(_) => pod,
            Workload::StatefulSet(set) => pod * set.replicas as usize,
        };
        own + usize::from(self.sink.is_some())
    }

    /// The workload; loading made sure that there is exactly one.
    pub fn workload(&self) -> Workload<'_> {
        self.one_workload().expect("a loaded scenario has exactly one workload")
    }

    pub(super) fn one_workload(&self) -> Option<Workload<'_>> {
        Workload::of(self.pod.as_ref(), self.job.as_ref(), self.stateful_set.as_ref())
    }
}
