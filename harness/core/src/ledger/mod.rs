//! The ledger: per producer, the lines it counted as written against the lines that arrived.

mod arrivals;
mod numbers;
mod parts;
mod runs;
mod told;

pub use arrivals::Arrivals;

use crate::trace::Delivered;
use runs::{count, tidy, up_to};

/// The number of a producer's first line.
pub const FIRST_LINE: u64 = 1;

/// What a producer counted, outside of the log path. It notes a batch of lines before and after writing it: one that was
/// killed in between leaves two numbers, and each line up to the larger one may have been written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    /// Lines that were written for sure.
    pub written: u64,
    /// The last line that it began to write.
    pub begun: u64,
}

impl Count {
    /// The count of a producer that was not killed while it wrote.
    pub const fn of(lines: u64) -> Self {
        Self { written: lines, begun: lines }
    }
}

/// What became of the lines of one producer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ledger {
    /// Lines that were written for sure: counted as such, or arrived in spite of the producer's end before it could count them,
    /// with all before them.
    pub written: u64,
    /// Lines after those that may have been written, or not.
    pub in_flight: u64,
    /// Lines that arrived at least once, whole or not.
    pub arrived: u64,
    /// Lines lost after the last one that arrived.
    pub lost_tail: u64,
    /// Lines lost before one that arrived, as first and last of each gap.
    pub gaps: Vec<(u64, u64)>,
    /// Arrivals beyond the first of a line.
    pub duplicated: u64,
    /// Lines that arrived for the first time after a later one.
    pub reordered: u64,
    /// Lines that arrived in part, as first and last of each run of them.
    pub truncated: Vec<(u64, u64)>,
    /// Lines that arrived in several messages, all of it.
    pub split: u64,
    /// Lines that arrived with changed bytes.
    pub damaged: u64,
    /// Lines with a number that the producer never came to.
    pub uncounted: u64,
}

impl Ledger {
    /// Balances a count against what was delivered.
    pub fn balance(producer: Count, delivered: &Delivered) -> Self {
        let tidy = tidy(&delivered.runs);
        let begun = producer.begun.max(producer.written);
        // A writer writes one line after the other.
        let last = tidy.runs.iter().filter_map(up_to(begun)).map(|(_, last)| last).max().unwrap_or(0);
        let written = producer.written.max(last);
        let mut ledger = Self {
            written,
            in_flight: begun - written,
            duplicated: delivered.duplicated + tidy.duplicated,
            reordered: delivered.reordered + tidy.reordered,
            split: delivered.split,
            damaged: delivered.damaged,
            // The writer itself may have been killed inside a line that it had not counted yet.
            truncated: delivered.truncated.iter().filter_map(up_to(producer.written)).collect(),
            ..Self::default()
        };
        let mut next = FIRST_LINE;
        for (first, last) in tidy.runs.iter().copied() {
            if let Some((first, last)) = up_to(written)(&(first.max(FIRST_LINE), last)).filter(|(first, last)| first <= last) {
                if first > next {
                    ledger.gaps.push((next, first - 1));
                }
                ledger.arrived += count(&(first, last));
                next = last + 1;
            }
            ledger.uncounted += (last + 1).saturating_sub(first.max(written + 1));
            ledger.uncounted += FIRST_LINE.min(last + 1).saturating_sub(first);
        }
        ledger.lost_tail = (written + FIRST_LINE).saturating_sub(next);
        ledger
    }

    /// Lines that never arrived.
    pub fn lost(&self) -> u64 {
        self.lost_tail + self.lost_in_gaps()
    }

    /// Lines that never arrived although a later one did.
    pub fn lost_in_gaps(&self) -> u64 {
        self.gaps.iter().map(count).sum()
    }

    /// Lines that arrived in part.
    pub fn truncated_lines(&self) -> u64 {
        self.truncated.iter().map(count).sum()
    }

    /// The lines that never arrived: first and last of each run of them.
    pub fn losses(&self) -> impl Iterator<Item = (u64, u64)> {
        let tail = (self.lost_tail > 0).then(|| (self.written + FIRST_LINE - self.lost_tail, self.written));
        self.gaps.iter().copied().chain(tail)
    }

    /// The first line that never arrived.
    pub fn first_lost(&self) -> Option<u64> {
        self.losses().next().map(|(first, _)| first)
    }

    /// Whether every line arrived, in one piece and unchanged.
    pub fn is_whole(&self) -> bool {
        self.lost() == 0 && self.truncated.is_empty() && self.split == 0 && self.damaged == 0
    }

    /// Whether every line arrived once, whole and in order.
    pub fn is_clean(&self) -> bool {
        self.is_whole() && self.duplicated == 0 && self.reordered == 0
    }
}
