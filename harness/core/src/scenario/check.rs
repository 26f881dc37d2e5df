//! The language of promises: few checks, composable, each over the lives of containers in the trace.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::release::Minor;

/// A promise as a scenario states it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Promise {
    /// Its name, such as `sidecars_stop_after_mains_on_delete`. Deviations refer to it, and several scenarios may share it.
    pub name: String,
    /// The minor release from which Kubernetes promises it.
    pub since: Minor,
    /// How it is checked.
    pub check: Check,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Check {
    /// In each pod, the first incarnation of `then` starts only after the first of `first` has been started by the runtime.
    /// Kubernetes orders the calls that start containers, not the first instructions of their programs.
    StartsAfter {
        /// The earlier one.
        first: String,
        /// The later one.
        then: String,
    },
    /// In each pod, the first incarnation of `then` starts only after the first success of an exec probe of `gate`.
    StartsAfterProbe {
        /// The container with the startup probe, the only exec probe that it has.
        gate: String,
        /// The later one.
        then: String,
    },
    /// In each pod, `then` gets its TERM only after `first` has exited for good. Never TERM against TERM: Kubernetes promises
    /// that one has ended before the next is asked to.
    StopsAfter {
        /// The earlier one.
        first: String,
        /// The later one.
        then: String,
    },
    /// The container exits while `during` runs, and starts again before `during` exits.
    RestartsDuring {
        /// The one that exits and comes back.
        container: String,
        /// The one that runs on.
        during: String,
    },
    /// `during` is not restarted: one incarnation only, as long as the trace goes.
    RunsOnce {
        /// The container.
        container: String,
    },
    /// The container never starts (a negative fact: the node's heartbeat must have gone on).
    NeverStarts {
        /// The container.
        container: String,
    },
    /// The API server dropped `restartPolicy` of this init container when the pod was created.
    RestartPolicyDropped {
        /// The init container.
        container: String,
    },
    /// Every line that this container counted as written arrived in the sink, once, whole and in order.
    DeliversEveryLine {
        /// The producer.
        producer: String,
    },
    /// In a rolling update, all containers of the old pod of an ordinal have exited before the old pod of the next lower
    /// ordinal gets its first TERM.
    ReplacesHighestOrdinalFirst,
    /// In a rolling update, the old pod of an ordinal gets its first TERM only after the new pod of the ordinal above has
    /// started: never two ordinals down at once.
    ReplacesOneAtATime,
    /// In a rolling update, the old pod of an ordinal gets its first TERM only after `container` of the new pod of the
    /// ordinal above has passed its readiness probe.
    WaitsForReadyAbove {
        /// The container with the readiness probe, the only exec probe that it has.
        container: String,
    },
    /// In a rolling update, `container` of the old pod has exited before anything starts in the new pod of that ordinal.
    OldGoneBeforeNewStarts {
        /// The container.
        container: String,
    },
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StartsAfter { first, then } => write!(f, "{then} starts after {first} has started"),
            Self::StartsAfterProbe { gate, then } => write!(f, "{then} starts after {gate}'s startup probe has succeeded"),
            Self::StopsAfter { first, then } => write!(f, "{then} gets TERM after {first} has exited"),
            Self::RestartsDuring { container, during } => write!(f, "{container} restarts while {during} runs"),
            Self::RunsOnce { container } => write!(f, "{container} runs once"),
            Self::NeverStarts { container } => write!(f, "{container} never starts"),
            Self::RestartPolicyDropped { container } => write!(f, "restartPolicy of {container} is dropped"),
            Self::DeliversEveryLine { producer } => write!(f, "every line of {producer} arrives"),
            Self::ReplacesHighestOrdinalFirst => f.write_str("the highest ordinal is replaced first"),
            Self::ReplacesOneAtATime => f.write_str("one ordinal at a time is down"),
            Self::WaitsForReadyAbove { container } => write!(f, "the next ordinal waits until {container} above is ready"),
            Self::OldGoneBeforeNewStarts { container } => write!(f, "the old {container} is gone before the new pod starts"),
        }
    }
}
