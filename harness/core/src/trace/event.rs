//! One observation by one witness.

use std::fmt;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Delivered, LineMark};

/// A source of evidence. [`Witness::Program`], [`Witness::Runtime`] and [`Witness::Kubelet`] are independent of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Witness {
    /// The program in the container: its own append-only record.
    Program,
    /// The container runtime: containerd's events and journal.
    Runtime,
    /// The kubelet's published status.
    Kubelet,
    /// The API server: objects as read and watched.
    Api,
    /// The log sink.
    Sink,
    /// The node: heartbeat and recorder.
    Node,
    /// sidecheck itself: its steps.
    Harness,
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Program => "program",
            Self::Runtime => "runtime",
            Self::Kubelet => "kubelet",
            Self::Api => "API server",
            Self::Sink => "sink",
            Self::Node => "node",
            Self::Harness => "harness",
        })
    }
}

/// An instant that is known to lie between two times of the same clock, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stamp {
    /// Not before this.
    pub earliest: Timestamp,
    /// Not after this.
    pub latest: Timestamp,
}

impl Stamp {
    /// Whether this instant came before the other: `None` while the two intervals overlap.
    pub fn before(&self, other: &Self) -> Option<bool> {
        if self.latest < other.earliest {
            Some(true)
        } else if other.latest < self.earliest {
            Some(false)
        } else {
            None
        }
    }

    /// From the latest of this to the earliest of the other: positive when this came first for sure.
    pub fn gap_to(&self, other: &Self) -> SignedDuration {
        other.earliest.duration_since(self.latest)
    }
}

/// A pod: its name can be used again, its uid can't.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PodId {
    /// `metadata.name`.
    pub name: String,
    /// `metadata.uid`.
    pub uid: String,
}

impl PodId {
    /// The identity of a pod object; `None` for objects of other kinds.
    pub fn of(object: &Value) -> Option<Self> {
        let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        // Items of a list have no kind of their own; only pods have containers right under their spec.
        let is_pod = object.get("kind").map_or(object.pointer("/spec/containers").is_some(), |kind| kind == "Pod");
        if !is_pod {
            return None;
        }
        Some(Self { name: text("/metadata/name")?, uid: text("/metadata/uid")? })
    }
}

/// One observation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Place in the trace, from 0.
    pub seq: u64,
    /// Who saw it.
    pub witness: Witness,
    /// The node it happened on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// The pod it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pod: Option<PodId>,
    /// The container it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container: Option<String>,
    /// Which incarnation of the container, from 0, as this witness counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incarnation: Option<u32>,
    /// When, by this witness's clock (the node's wall clock; for `harness` and `api` the client's).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Stamp>,
    /// Line number in the shared append-only file of the node, from 0: the order in which the writes happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// What was seen.
    pub act: Act,
}

/// What was seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Act {
    /// The container's process runs.
    Started,
    /// The program says that it is ready.
    Ready,
    /// A probe ended. The runtime sees exec probes only as commands, without their kind.
    Probed {
        /// `startup`, `readiness` or `liveness`, where the witness knows it.
        kind: Option<String>,
        /// Whether it succeeded.
        ok: bool,
    },
    /// The stop signal was sent (runtime) or received (program).
    Term,
    /// The kill signal was sent (runtime).
    Kill,
    /// A command that Kubernetes runs in the container (an exec probe or hook, the runtime can't tell) has begun.
    ExecBegan,
    /// A hook of the container began or ended.
    Hooked {
        /// `post_start` or `pre_stop`.
        hook: String,
        /// `None` when it began; when it ended, whether it succeeded.
        ended: Option<bool>,
    },
    /// The program was alive while it was stopping.
    Alive,
    /// The program no longer lets probes succeed.
    Unready,
    /// The program got an HTTP request.
    Requested {
        /// The path.
        path: String,
    },
    /// The program made an HTTP request.
    Called {
        /// Whether it was answered with a code from 200 to 299.
        ok: bool,
    },
    /// The program is about to exit.
    Exiting {
        /// With this code.
        code: i32,
    },
    /// The process has ended.
    Exited {
        /// With this code.
        code: i32,
    },
    /// The program has written and counted this many lines in all.
    Wrote {
        /// Lines.
        lines: u64,
        /// The last line that it began to write, where that is another one: it was killed while it wrote.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        begun: Option<u64>,
        /// When it wrote which lines, in ascending order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        marks: Vec<LineMark>,
    },
    /// Lines of one producer arrived in the sink.
    Delivered(Delivered),
    /// Lines arrived in the sink that no producer of this run wrote. There is one of these whenever the sink's store was read,
    /// with 0 lines as a rule: a log of which nothing arrived is told from one that nobody looked at.
    Foreign {
        /// How many.
        lines: u64,
    },
    /// An object as sent to the API server.
    Applied {
        /// The object.
        object: Value,
    },
    /// An object as the API server returned it when it was created.
    ReadBack {
        /// The object.
        object: Value,
    },
    /// An object as a watch showed it.
    Seen {
        /// `added`, `modified` or `deleted`.
        change: String,
        /// The object, without managedFields.
        object: Value,
    },
    /// The watch was interrupted and started anew: states in between may be missing.
    WatchGap {
        /// The kind of the objects that were watched; every kind, where none is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kind: Option<String>,
        /// What happened.
        cause: String,
    },
    /// The API server answered what a step asked.
    Answered {
        /// The index of the step in `steps`.
        step: usize,
        /// The HTTP status code.
        code: u16,
        /// Each cause as `path: text`, of an answer that refuses.
        causes: Vec<String>,
        /// The message of an answer that refuses.
        message: String,
        /// The object of an answer that accepts.
        object: Option<Value>,
    },
    /// The last thing that a command of a step printed.
    Printed {
        /// The index of the step in `steps`.
        step: usize,
        /// Its output.
        text: String,
    },
    /// The last lines of a container's log, as the API server gave them: of an agent that seems not to have worked.
    Said {
        /// The lines, the last one at the end; none, where the container said nothing.
        lines: Vec<String>,
    },
    /// A step of the scenario began.
    StepBegan {
        /// Its index in `steps`.
        step: usize,
    },
    /// A step of the scenario ended.
    StepEnded {
        /// Its index in `steps`.
        step: usize,
        /// How.
        outcome: StepOutcome,
    },
    /// The instants of the node's heartbeat in the time of the scenario, by the node's wall clock.
    Heartbeat {
        /// One instant per beat.
        beats: Vec<Timestamp>,
    },
    /// What the runtime's stamps of this node were worth in the time of the scenario: see
    /// [`crate::environment::Environment::runtime_resolution_ms`].
    Resolution {
        /// As measured when the cluster came up, in milliseconds.
        calibrated_ms: u64,
        /// The longest delay of a beat in the time of the scenario, in milliseconds.
        late_ms: u64,
    },
    /// The recorder of runtime events was started at this instant: events before it may be missing.
    RecorderStarted,
    /// Evidence could not be collected.
    EvidenceMissing {
        /// What is missing, and why.
        what: String,
    },
}

/// How a step ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum StepOutcome {
    /// Done; a wait came true, a state stayed.
    Done,
    /// The wait ran out of its budget.
    TimedOut {
        /// The last thing seen.
        last_seen: String,
    },
    /// A state that had to stay changed.
    Changed {
        /// What was seen instead.
        seen: String,
    },
    /// It could not be done: the infrastructure failed.
    Failed {
        /// What was tried, and what came back.
        cause: String,
    },
    /// Not begun, since an earlier step did not end well or the run was interrupted.
    Skipped,
}
