//! The lives of containers: per witness, a table of incarnations by pod and container.
//!
//! Each witness has a table of its own and they are never merged: two witnesses that agree are worth more than one table
//! of which nobody knows who said what.

mod mark;
mod record;
pub(crate) mod status;

use std::collections::BTreeMap;

pub(crate) use mark::clock;
pub use mark::{Mark, Moment};
pub use status::{OBSTACLES, containers};

use crate::trace::{PodId, Trace, Witness};

/// One run of one container, between its start and its exit, as one witness saw it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Life {
    /// Which incarnation, from 0.
    pub number: u32,
    /// Its start.
    pub started: Option<Mark>,
    /// Its probes in their order.
    pub probes: Vec<Probed>,
    /// Its hooks, each once when it began and once when it ended (program).
    pub hooks: Vec<Hooked>,
    /// Commands that Kubernetes ran in it, when each began (runtime). Their ends are among the probes.
    pub execs: Vec<Mark>,
    /// Stop signals.
    pub terms: Vec<Mark>,
    /// Kill signals.
    pub kills: Vec<Mark>,
    /// Its end: the exit (runtime, kubelet), or the last word before it (program).
    pub ended: Option<Mark>,
    /// The exit code.
    pub code: Option<i32>,
    /// The last thing seen of it, whatever it was.
    pub last: Option<Mark>,
}

/// A probe that ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probed {
    /// When.
    pub mark: Mark,
    /// `startup`, `readiness` or `liveness`, where the witness knows it.
    pub kind: Option<String>,
    /// Whether it succeeded.
    pub ok: bool,
}

/// A hook that began or ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hooked {
    /// When.
    pub mark: Mark,
    /// `post_start` or `pre_stop`.
    pub hook: String,
    /// Whether it ended, and else began.
    pub ended: bool,
}

/// All that one witness saw of the lives of containers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lives(BTreeMap<PodId, BTreeMap<String, BTreeMap<u32, Life>>>);

impl Lives {
    /// The table of a witness: the program, the runtime, or the kubelet. Other witnesses have nothing to say about lives.
    pub fn seen_by(witness: Witness, trace: &Trace) -> Self {
        match witness {
            Witness::Program | Witness::Runtime => record::lives(witness, trace),
            Witness::Kubelet => status::lives(trace),
            Witness::Api | Witness::Sink | Witness::Node | Witness::Harness => Self::default(),
        }
    }

    /// The incarnations of a container in their order.
    pub fn of(&self, pod: &PodId, container: &str) -> Vec<&Life> {
        self.0.get(pod).and_then(|pod| pod.get(container)).map_or_else(Vec::new, |lives| lives.values().collect())
    }

    /// The pods of which the witness saw at least one container.
    pub fn pods(&self) -> impl Iterator<Item = &PodId> {
        self.0.keys()
    }

    /// The containers of a pod of which the witness saw anything, by name.
    pub fn containers(&self, pod: &PodId) -> impl Iterator<Item = &str> {
        self.0.get(pod).into_iter().flat_map(|containers| containers.keys().map(String::as_str))
    }

    /// Whether the witness saw nothing at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The incarnation, made when it is new.
    fn entry(&mut self, pod: &PodId, container: &str, number: u32) -> &mut Life {
        let lives = self.0.entry(pod.clone()).or_default().entry(container.to_owned()).or_default();
        lives.entry(number).or_insert_with(|| Life { number, ..Life::default() })
    }
}
