//! The ledger: per producer, the lines it counted as written against the lines that arrived.

use std::{collections::BTreeMap, fmt};

/// The number of a producer's first line.
pub const FIRST_LINE: u64 = 1;

/// Larger numbers are no lines of a producer, and sums must not overflow on a damaged one.
const LARGEST: u64 = 1 << 40;

/// What became of the lines of one producer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ledger {
    /// Lines that the producer counted as written, outside of the log path.
    pub written: u64,
    /// Lines that arrived at least once.
    pub arrived: u64,
    /// Lines lost after the last one that arrived.
    pub lost_tail: u64,
    /// Lines lost before one that arrived, as first and last of each gap.
    pub gaps: Vec<(u64, u64)>,
    /// Arrivals beyond the first of a line.
    pub duplicated: u64,
    /// Lines that arrived for the first time after a later one.
    pub reordered: u64,
    /// Lines whose payload is not as it was written.
    pub damaged: u64,
    /// Lines with a number that the producer never counted.
    pub uncounted: u64,
}

impl Ledger {
    /// Balances a count against runs of consecutive numbers (first and last, both included) in the order of arrival.
    pub fn balance(written: u64, runs: &[(u64, u64)], damaged: u64) -> Self {
        let mut ledger = Self { written, damaged, ..Self::default() };
        let mut seen = Seen::default();
        let mut highest = 0;
        for (first, last) in runs.iter().map(|(first, last)| (*first, (*last).min(LARGEST))).filter(|(first, last)| first <= last)
        {
            let new = seen.add(first, last);
            let count: u64 = new.iter().map(|(first, last)| last - first + 1).sum();
            ledger.duplicated += (last - first + 1) - count;
            let late = |&(first, last): &(u64, u64)| if first < highest { last.min(highest - 1) - first + 1 } else { 0 };
            ledger.reordered += new.iter().map(late).sum::<u64>();
            highest = highest.max(last);
        }
        let mut next = FIRST_LINE;
        for (&first, &last) in &seen.0 {
            let counted_last = last.min(written);
            if first <= written {
                if first > next {
                    ledger.gaps.push((next, first - 1));
                }
                ledger.arrived += counted_last + 1 - first.max(FIRST_LINE).min(counted_last + 1);
                next = next.max(counted_last + 1);
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
        self.gaps.iter().map(|(first, last)| last - first + 1).sum()
    }

    /// The first line that never arrived.
    pub fn first_lost(&self) -> Option<u64> {
        let tail = (self.lost_tail > 0).then(|| self.written + FIRST_LINE - self.lost_tail);
        self.gaps.first().map(|(first, _)| *first).or(tail)
    }

    /// Whether every line arrived once, whole and in order.
    pub fn is_clean(&self) -> bool {
        self.lost() == 0 && self.duplicated == 0 && self.reordered == 0 && self.damaged == 0
    }
}

impl fmt::Display for Ledger {
    /// Such as `37 of 1000 lines lost, all at the tail, from line 964 on`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut faults = Vec::new();
        if let Some(first) = self.first_lost() {
            let (tail, gaps) = (self.lost_tail, self.lost_in_gaps());
            let holes = if self.gaps.len() == 1 { "1 gap".to_owned() } else { format!("{} gaps", self.gaps.len()) };
            let place = match (tail, gaps) {
                (_, 0) => format!("all at the tail, from line {first} on"),
                (0, _) => format!("in {holes}, the first line is {first}"),
                _ => format!("{tail} at the tail and {gaps} in {holes}, the first line is {first}"),
            };
            let place = if self.arrived == 0 { "nothing arrived".to_owned() } else { place };
            faults.push(format!("{} of {} lines lost, {place}", self.lost(), self.written));
        }
        let mut count = |number: u64, what: &str| {
            if number > 0 {
                faults.push(format!("{number} {what}"));
            }
        };
        count(self.duplicated, "duplicated");
        count(self.reordered, "out of order");
        count(self.damaged, "damaged");
        if faults.is_empty() {
            return write!(f, "all {} lines arrived once, whole and in order", self.written);
        }
        f.write_str(&faults.join("; "))
    }
}

/// Numbers seen so far, as disjoint intervals: first to last.
#[derive(Default)]
struct Seen(BTreeMap<u64, u64>);

impl Seen {
    /// Adds an interval and returns the parts of it that are new.
    fn add(&mut self, first: u64, last: u64) -> Vec<(u64, u64)> {
        let mut known = Vec::new();
        let (mut from, mut to) = (first, last);
        let mut next = first;
        // All intervals that touch or overlap the added one are joined with it.
        while let Some((&start, &end)) =
            self.0.range(..=last.saturating_add(1)).next_back().filter(|(_, end)| end.saturating_add(1) >= first)
        {
            self.0.remove(&start);
            from = from.min(start);
            to = to.max(end);
            known.push((start, end));
        }
        let mut fresh = Vec::new();
        for (start, end) in known.into_iter().rev() {
            if start > next {
                fresh.push((next, start - 1));
            }
            next = next.max(end.saturating_add(1));
        }
        if next <= last {
            fresh.push((next, last));
        }
        self.0.insert(from, to);
        fresh
    }
}
