//! How often something goes wrong, from so many runs of which so many went wrong: a rate is never known, only bounded.
//!
//! The interval is the exact one of Clopper and Pearson: it holds for any number of runs, also where none or all went wrong, and
//! covers the true rate in at least 95 % of all cases.

mod tail;

use tail::{at_least, at_most};

/// The probability with which an interval may miss the true rate on one side.
const MISS: f64 = 0.025;

/// Halvings of an interval from 0 to 1: more than a double has digits.
const HALVINGS: u32 = 60;

/// More runs than these are no advice that anybody could follow.
const MOST_RUNS: u64 = 1000;

/// So many runs, and how many of them went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Rate {
    /// Runs that went wrong; never more than `runs`.
    pub wrong: u64,
    /// Runs that were decided.
    pub runs: u64,
}

/// Where the true rate lies, each from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Not below.
    pub low: f64,
    /// Not above.
    pub high: f64,
}

/// How a rate stands against a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Settled {
    /// The whole interval lies above it.
    Above,
    /// The whole interval lies below it.
    Below,
}

impl Rate {
    /// Counts one more run.
    pub fn count(&mut self, wrong: bool) {
        self.runs += 1;
        self.wrong += u64::from(wrong);
    }

    /// The 95 % interval of Clopper and Pearson; 0 to 1 without any run.
    pub fn interval(self) -> Interval {
        let Self { wrong, runs } = self;
        let low = if wrong == 0 { 0.0 } else { bisect(|rate| at_least(wrong, runs, rate) < MISS) };
        let high = if wrong == runs { 1.0 } else { bisect(|rate| at_most(wrong, runs, rate) >= MISS) };
        Interval { low, high }
    }

    /// Whether the interval lies wholly on one side of a limit between 0 and 1.
    pub fn settled(self, limit: f64) -> Option<Settled> {
        // The same as comparing with the interval's ends, without looking for them.
        if self.wrong > 0 && at_least(self.wrong, self.runs, limit) < MISS {
            Some(Settled::Above)
        } else if self.wrong < self.runs && at_most(self.wrong, self.runs, limit) < MISS {
            Some(Settled::Below)
        } else {
            None
        }
    }

    /// How many runs would settle it, counting those that were, if the same share of them went on to go wrong; `None` when a
    /// thousand would not do, or there was no run at all.
    pub fn would_settle(self, limit: f64) -> Option<u64> {
        if self.runs == 0 {
            return None;
        }
        // There are no half runs: rounded towards the limit, so that the advice is rather too much than too little.
        let is_above = self.wrong as f64 > limit * self.runs as f64;
        let share = |runs: u64| self.wrong * runs;
        let wrong = |runs| if is_above { share(runs) / self.runs } else { share(runs).div_ceil(self.runs) };
        let going_on = |runs: u64| Self { wrong: wrong(runs), runs };
        (self.runs..=MOST_RUNS).find(|runs| going_on(*runs).settled(limit).is_some())
    }
}

/// Where a condition that holds for small rates ceases to hold.
fn bisect(holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}
