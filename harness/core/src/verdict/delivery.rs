//! What one run says about the lines of its producers: the unit in which rates of loss are counted.

use std::collections::BTreeMap;

use super::{LineTotals, Outcome, Verdict};

/// What became of the lines in one run. Whether some came twice or late is another question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivery {
    /// Every line arrived, in one piece and unchanged.
    Whole(LineTotals),
    /// Lines were lost, truncated, split or damaged.
    Faulty(LineTotals),
    /// Not decided, so it counts as no run.
    Unknown,
}

impl Delivery {
    /// By producer, from the verdicts of one run. One verdict of a broken promise is enough for a fault. That nothing is missing
    /// takes all verdicts on that producer, each decided.
    pub fn by_producer(verdicts: &[Verdict]) -> BTreeMap<&str, Self> {
        let mut about: BTreeMap<&str, Vec<(&LineTotals, Outcome)>> = BTreeMap::new();
        for (lines, outcome) in verdicts.iter().filter_map(|verdict| Some((verdict.lines.as_ref()?, verdict.outcome))) {
            about.entry(&lines.producer).or_default().push((lines, outcome));
        }
        about.into_iter().map(|(producer, said)| (producer, Self::of_one(&said))).collect()
    }

    /// Of all producers together: a fault of one is a fault.
    pub fn of_run(verdicts: &[Verdict]) -> Self {
        let each = Self::by_producer(verdicts);
        let total = each.values().filter_map(Self::totals).cloned().reduce(|sum, lines| sum.and(&lines));
        match total {
            Some(total) if each.values().any(|one| matches!(one, Self::Faulty(_))) => Self::Faulty(total),
            Some(total) if !each.values().any(|one| *one == Self::Unknown) => Self::Whole(total),
            _ => Self::Unknown,
        }
    }

    /// The numbers, where they are known.
    pub fn totals(&self) -> Option<&LineTotals> {
        match self {
            Self::Whole(lines) | Self::Faulty(lines) => Some(lines),
            Self::Unknown => None,
        }
    }

    fn of_one(said: &[(&LineTotals, Outcome)]) -> Self {
        let broken = said.iter().find(|(lines, outcome)| *outcome == Outcome::Violated && !lines.is_whole());
        let all_decided = said.iter().all(|(_, outcome)| matches!(outcome, Outcome::Held | Outcome::Violated));
        match (broken, said.first()) {
            (Some((lines, _)), _) => Self::Faulty((*lines).clone()),
            (None, Some((lines, _))) if all_decided => Self::Whole((*lines).clone()),
            _ => Self::Unknown,
        }
    }
}
