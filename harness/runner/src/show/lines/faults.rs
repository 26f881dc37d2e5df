//! How bad it was: the least and the most over several runs.

use serde::Serialize;
use sidecheck_core::verdict::LineTotals;

/// The least and the most that was seen in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Spread {
    /// The least.
    pub least: u64,
    /// The most.
    pub most: u64,
}

/// What was wrong with lines, in numbers of lines per run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct LineFaults {
    /// Written.
    pub written: Spread,
    /// Lost in all.
    pub lost: Spread,
    /// Lost after the last one that arrived.
    pub lost_tail: Spread,
    /// Lost before one that arrived.
    pub lost_in_gaps: Spread,
    /// Arrived in part.
    pub truncated: Spread,
    /// Arrived in several messages.
    pub split: Spread,
    /// Arrived with changed bytes.
    pub damaged: Spread,
    /// Arrived again.
    pub duplicated: Spread,
    /// Arrived after a later one.
    pub reordered: Spread,
    /// Whether nothing at all arrived, in each of the runs.
    pub all_lost: bool,
}

impl Spread {
    fn over(numbers: impl Iterator<Item = u64> + Clone) -> Self {
        Self { least: numbers.clone().min().unwrap_or(0), most: numbers.max().unwrap_or(0) }
    }

    /// Whether there was any.
    pub fn is_any(self) -> bool {
        self.most > 0
    }
}

impl LineFaults {
    /// Over those runs.
    pub(super) fn over(runs: &[&LineTotals]) -> Self {
        let span = |of: fn(&LineTotals) -> u64| Spread::over(runs.iter().map(|lines| of(lines)));
        Self {
            written: span(|lines| lines.written),
            lost: span(LineTotals::lost),
            lost_tail: span(|lines| lines.lost_tail),
            lost_in_gaps: span(|lines| lines.lost_in_gaps),
            truncated: span(|lines| lines.truncated),
            split: span(|lines| lines.split),
            damaged: span(|lines| lines.damaged),
            duplicated: span(|lines| lines.duplicated),
            reordered: span(|lines| lines.reordered),
            all_lost: runs.iter().all(|lines| lines.written > 0 && lines.arrived == 0),
        }
    }
}

impl std::fmt::Display for Spread {
    /// Such as `1-310`, or `310` where it was the same each time.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.least == self.most { write!(f, "{}", self.most) } else { write!(f, "{}-{}", self.least, self.most) }
    }
}
