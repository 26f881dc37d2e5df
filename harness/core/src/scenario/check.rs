//! The language of promises: few checks, composable, each over the lives of containers in the trace or over published objects.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Fact, Point, Span};
use crate::release::Minor;

/// A promise as a scenario states it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Promise {
    /// Its name, such as `sidecars_stop_after_mains_on_delete`. Deviations refer to it, and several scenarios may share it.
    pub name: String,
    /// The minor release from which Kubernetes promises it.
    pub since: Minor,
    /// The behaviours of the catalogue that it shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub covers: Vec<String>,
    /// How it is checked.
    pub check: Check,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Check {
    /// In each pod, the moments come in this order: each before the next, whatever is between them.
    Before(Vec<Point>),
    /// In each pod, these containers run at the same time: each starts before any of the others exits for good.
    Together(Vec<String>),
    /// In each pod, the time between two moments is not shorter or not longer than that.
    Takes(Takes),
    /// In each pod, the container runs that often.
    Runs(Runs),
    /// In each pod, the container exits with that code.
    Exits(Exits),
    /// What the API server published of an object. Published is not the same as done: what is asserted is the status itself.
    Shows(Shows),
    /// From its first call that was answered on, each HTTP call that this container made was answered.
    CallsAreAnswered {
        /// The container with `calls`.
        container: String,
    },
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
    /// Every line that this container counted as written arrived in the sink: none lost, truncated, split or damaged.
    DeliversEveryLine {
        /// The producer.
        producer: String,
    },
    /// No line of this container arrived in the sink twice.
    DeliversLinesOnce {
        /// The producer.
        producer: String,
    },
    /// No line of this container arrived in the sink after a later one.
    DeliversLinesInOrder {
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

/// A length of time between two moments of one pod.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Takes {
    /// The earlier moment.
    pub from: Point,
    /// The later one.
    pub to: Point,
    /// Not shorter than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<Span>,
    /// Not longer than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<Span>,
}

/// How often a container runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Runs {
    /// The container.
    pub container: String,
    /// So many incarnations, or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<u32>,
    /// So many incarnations and no more, up to the end of the trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exactly: Option<u32>,
}

/// An exit code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exits {
    /// The container.
    pub container: String,
    /// 137 is KILL, 143 TERM without a handler.
    pub code: i32,
    /// Of which incarnation, from 0; else of the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incarnation: Option<u32>,
}

/// A fact about the states in which objects were published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shows {
    /// The kind of the objects, in small letters: `pod` (the tested ones), `created` (as the API server returned it when it was
    /// created), `job`, `statefulset`, `event`, `endpointslice`.
    #[serde(default = "pod", skip_serializing_if = "is_pod")]
    pub of: String,
    /// Only states of which all these are true are considered.
    #[serde(default, rename = "where", skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<Fact>,
    /// In each of them, and there is at least one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub always: Option<Fact>,
    /// In at least one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ever: Option<Fact>,
    /// In none. That there is one to be considered is not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub never: Option<Fact>,
    /// In the last one of each object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finally: Option<Fact>,
}

/// In which of the considered states a fact is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// In each.
    Always,
    /// In at least one.
    Ever,
    /// In none.
    Never,
    /// In the last of each object.
    Finally,
}

impl Shows {
    /// When, and what. Loading made sure that there is exactly one.
    pub fn what(&self) -> Option<(When, &Fact)> {
        let mut all = self.all();
        let one = all.next();
        if all.next().is_some() { None } else { one }
    }

    fn all(&self) -> impl Iterator<Item = (When, &Fact)> {
        let all =
            [(When::Always, &self.always), (When::Ever, &self.ever), (When::Never, &self.never), (When::Finally, &self.finally)];
        all.into_iter().filter_map(|(when, fact)| Some((when, fact.as_ref()?)))
    }
}

pub(super) fn pod() -> String {
    "pod".to_owned()
}

pub(super) fn is_pod(kind: &str) -> bool {
    kind == "pod"
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Before(points) => f.write_str(&list(points, ", then ")),
            Self::Together(containers) => write!(f, "{} run together", list(containers, ", ")),
            Self::Takes(takes) => write!(f, "{takes}"),
            Self::Runs(runs) => write!(f, "{runs}"),
            Self::Exits(exits) => {
                let of = exits.incarnation.map_or_else(String::new, |number| format!("@{number}"));
                write!(f, "{}{of} exits with {}", exits.container, exits.code)
            }
            Self::Shows(shows) => write!(f, "{shows}"),
            Self::CallsAreAnswered { container } => write!(f, "every call of {container} is answered"),
            Self::StartsAfter { first, then } => write!(f, "{then} starts after {first} has started"),
            Self::StartsAfterProbe { gate, then } => write!(f, "{then} starts after {gate}'s startup probe has succeeded"),
            Self::StopsAfter { first, then } => write!(f, "{then} gets TERM after {first} has exited"),
            Self::RestartsDuring { container, during } => write!(f, "{container} restarts while {during} runs"),
            Self::RunsOnce { container } => write!(f, "{container} runs once"),
            Self::NeverStarts { container } => write!(f, "{container} never starts"),
            Self::RestartPolicyDropped { container } => write!(f, "restartPolicy of {container} is dropped"),
            Self::DeliversEveryLine { producer } => write!(f, "every line of {producer} arrives"),
            Self::DeliversLinesOnce { producer } => write!(f, "no line of {producer} arrives twice"),
            Self::DeliversLinesInOrder { producer } => write!(f, "lines of {producer} arrive in order"),
            Self::ReplacesHighestOrdinalFirst => f.write_str("the highest ordinal is replaced first"),
            Self::ReplacesOneAtATime => f.write_str("one ordinal at a time is down"),
            Self::WaitsForReadyAbove { container } => write!(f, "the next ordinal waits until {container} above is ready"),
            Self::OldGoneBeforeNewStarts { container } => write!(f, "the old {container} is gone before the new pod starts"),
        }
    }
}

fn list(items: &[impl ToString], separator: &str) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(separator)
}

impl fmt::Display for Takes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "from {} to {}", self.from, self.to)?;
        let bounds = [("at least", self.at_least), ("at most", self.at_most)];
        let bounds: Vec<String> = bounds.iter().filter_map(|(word, span)| Some(format!("{word} {}", (*span)?))).collect();
        write!(f, " it takes {}", bounds.join(" and "))
    }
}

impl fmt::Display for Runs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.exactly, self.at_least) {
            (Some(times), _) => write!(f, "{} runs exactly {times} times", self.container),
            (None, Some(times)) => write!(f, "{} runs at least {times} times", self.container),
            (None, None) => write!(f, "{} runs", self.container),
        }
    }
}

impl fmt::Display for Shows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.of)?;
        if let Some((when, fact)) = self.what() {
            let when = match when {
                When::Always => "always",
                When::Ever => "at some time",
                When::Never => "never",
                When::Finally => "finally",
            };
            write!(f, ": {when} {fact}")?;
        }
        if self.given.is_empty() { Ok(()) } else { write!(f, " where {}", list(&self.given, " and ")) }
    }
}
