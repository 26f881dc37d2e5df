//! Verdicts: a promise, its outcome, the expectation, and the events that decide it.

mod delivery;
mod exit;
mod explain;
mod lines;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use delivery::Delivery;
pub use exit::Exit;
pub use explain::explain;
pub use lines::LineTotals;

use crate::{
    expectation::{Expectation, Expected},
    trace::Witness,
};

/// What became of a promise in one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It was seen to be kept.
    Held,
    /// It was seen to be broken.
    Violated,
    /// The evidence is missing, at odds, or too close together.
    Undecidable,
    /// The scenario does not apply to the cluster; decided before anything is created.
    NotApplicable,
    /// The infrastructure failed: no statement about Kubernetes is possible.
    Inconclusive,
}

/// How an outcome stands against the expectation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// As expected, or left open by Kubernetes.
    Expected,
    /// A promise broke, or a known deviation did not show.
    Unexpected,
    /// Not decided: never a pass.
    Undecided,
    /// Not run here.
    LeftOut,
}

/// One witness's word on one promise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Testimony {
    /// Who.
    pub witness: Witness,
    /// `true`: kept, `false`: broken, `None`: can't say.
    pub says: Option<bool>,
    /// Why, in a sentence, with the instants that decide.
    pub because: String,
    /// Distance between the two deciding instants in whole milliseconds, where there are two stamps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap_ms: Option<i64>,
    /// The deciding events, by their `seq` in the trace.
    pub events: Vec<u64>,
}

/// The verdict on one promise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The promise's name.
    pub promise: String,
    /// How it was checked, in words.
    pub check: String,
    /// The outcome.
    pub outcome: Outcome,
    /// What was expected here, and why.
    pub expectation: Expectation,
    /// Outcome against expectation.
    pub standing: Standing,
    /// One sentence that explains the outcome.
    pub reason: String,
    /// The numbers, where the promise is about the lines of a producer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<LineTotals>,
    /// What each witness says.
    pub testimonies: Vec<Testimony>,
}

impl Standing {
    /// Whether it raises no alarm: as expected, or not run here.
    pub fn is_as_expected(self) -> bool {
        matches!(self, Self::Expected | Self::LeftOut)
    }

    /// The standing of an outcome: an expected violation that does not show is as unexpected as a promise that breaks, and
    /// what was not decided is never a pass, not even where Kubernetes leaves it open.
    pub fn of(outcome: Outcome, expected: Expected) -> Self {
        match (outcome, expected) {
            (Outcome::NotApplicable, _) => Self::LeftOut,
            (Outcome::Undecidable | Outcome::Inconclusive, _) => Self::Undecided,
            (Outcome::Held, Expected::Held | Expected::Unspecified)
            | (Outcome::Violated, Expected::Violated | Expected::Unspecified) => Self::Expected,
            (Outcome::Held, Expected::Violated) | (Outcome::Violated, Expected::Held) => Self::Unexpected,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Held => "held",
            Self::Violated => "violated",
            Self::Undecidable => "undecidable",
            Self::NotApplicable => "not-applicable",
            Self::Inconclusive => "inconclusive",
        })
    }
}
