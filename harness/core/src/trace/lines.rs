//! What is observed of a producer's lines.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Tag;

/// At this instant, so many lines had been written and no more: all up to that number not later, all others not before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineMark {
    /// The number of the last line.
    pub lines: u64,
    /// When, by the wall clock of the producer's node.
    pub at: Timestamp,
}

/// Lines of one producer that arrived in the sink.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Delivered {
    /// The producer, as its lines name it. Traces of rules 2 and before name it by pod and container alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub producer: Option<Tag>,
    /// All numbers of which anything arrived, first and last of each run. In traces of rules 2 and before they stand in the
    /// order of arrival, again where a line came again; now in ascending order, and the two sums tell the rest.
    pub runs: Vec<(u64, u64)>,
    /// Lines that arrived with changed bytes. In traces of rules 2 and before, also those of which a part is missing.
    pub damaged: u64,
    /// Arrivals beyond the first of a line.
    #[serde(default, skip_serializing_if = "is_none")]
    pub duplicated: u64,
    /// Lines that arrived for the first time after a later one.
    #[serde(default, skip_serializing_if = "is_none")]
    pub reordered: u64,
    /// Lines that arrived in several messages, all of it.
    #[serde(default, skip_serializing_if = "is_none")]
    pub split: u64,
    /// Numbers of lines of which a part arrived and a part is missing, first and last of each run, in ascending order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub truncated: Vec<(u64, u64)>,
}

impl Delivered {
    /// What arrived in two places.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.runs.extend(&other.runs);
        self.truncated.extend(&other.truncated);
        self.truncated.sort_unstable();
        self.damaged += other.damaged;
        self.duplicated += other.duplicated;
        self.reordered += other.reordered;
        self.split += other.split;
        self
    }

    /// How many lines arrived, counting one again that came again.
    pub fn lines(&self) -> u64 {
        self.runs.iter().map(|(first, last)| (last + 1).saturating_sub(*first)).sum()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_none(number: &u64) -> bool {
    *number == 0
}
