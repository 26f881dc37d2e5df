//! The numbers behind a verdict on lines, for those who count instead of reading sentences.

use serde::{Deserialize, Serialize};

use crate::ledger::Ledger;

/// What became of the lines of one producer, over all of its incarnations. All but `producers` are numbers of lines.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LineTotals {
    /// The producer: a container's name.
    pub producer: String,
    /// Incarnations of it whose count could be held against what arrived. 0: nothing is known, and all else is 0, too.
    pub producers: u64,
    /// Written for sure.
    pub written: u64,
    /// Arrived at least once, whole or not.
    pub arrived: u64,
    /// Lost after the last one that arrived.
    pub lost_tail: u64,
    /// Lost before one that arrived.
    pub lost_in_gaps: u64,
    /// Arrived in part.
    pub truncated: u64,
    /// Arrived in several messages, all of it.
    pub split: u64,
    /// Arrived with changed bytes.
    pub damaged: u64,
    /// Arrivals beyond the first of a line.
    pub duplicated: u64,
    /// Arrived for the first time after a later one.
    pub reordered: u64,
}

impl LineTotals {
    /// Nothing known so far of that producer.
    pub(crate) fn of(producer: &str) -> Self {
        Self { producer: producer.to_owned(), ..Self::default() }
    }

    /// Adds the ledger of an incarnation.
    pub(crate) fn add(&mut self, ledger: &Ledger) {
        *self = self.and(&Self {
            producer: String::new(),
            producers: 1,
            written: ledger.written,
            arrived: ledger.arrived,
            lost_tail: ledger.lost_tail,
            lost_in_gaps: ledger.lost_in_gaps(),
            truncated: ledger.truncated_lines(),
            split: ledger.split,
            damaged: ledger.damaged,
            duplicated: ledger.duplicated,
            reordered: ledger.reordered,
        });
    }

    /// Both together, under the name of the first.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self {
            producer: self.producer.clone(),
            producers: self.producers + other.producers,
            written: self.written + other.written,
            arrived: self.arrived + other.arrived,
            lost_tail: self.lost_tail + other.lost_tail,
            lost_in_gaps: self.lost_in_gaps + other.lost_in_gaps,
            truncated: self.truncated + other.truncated,
            split: self.split + other.split,
            damaged: self.damaged + other.damaged,
            duplicated: self.duplicated + other.duplicated,
            reordered: self.reordered + other.reordered,
        }
    }

    /// Lines that never arrived.
    pub fn lost(&self) -> u64 {
        self.lost_tail + self.lost_in_gaps
    }

    /// Whether every line arrived, in one piece and unchanged.
    pub fn is_whole(&self) -> bool {
        self.lost() + self.truncated + self.split + self.damaged == 0
    }
}
