//! One cell: what the runs of one case on one cluster came to.

use serde::Serialize;
use sidecheck_core::{
    rate::{Rate, Settled},
    scenario::Tested,
    verdict::{Delivery, LineTotals, Standing},
};

use super::{CaseSummary, LineFaults};

/// A cell of the table, for other programs and as the table is made of it.
#[derive(Debug, Clone, Serialize)]
pub struct LineCell {
    /// The cluster entry.
    pub entry: String,
    /// The agent, how it is run, and in which situation.
    #[serde(flatten)]
    pub tested: Tested,
    /// What it comes to.
    pub state: LineState,
    /// Whether a verdict on lines is not as expected: a loss that nobody documents, or none where one is documented.
    pub unexpected: bool,
    /// Runs that were to be made.
    pub repeat: u64,
    /// Runs in which the lines were decided.
    pub runs: u64,
    /// Those of them in which lines were lost, truncated, split or damaged.
    pub losing: u64,
    /// Runs in which they were not decided, or that could not be made.
    pub undecided: u64,
    /// How bad it was, over the losing runs; over all decided ones where none lost anything.
    pub lines: LineFaults,
    /// The exact 95 % interval of the rate of losing runs, from 0 to 1; where the case was to be run several times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
    /// On which side of the limit the rate lies, where the runs tell: `loses` or `complete`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled: Option<LineState>,
    /// How many runs would settle it in all, if they went on like that; where it is not settled and a thousand would do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub would_settle: Option<u64>,
}

/// What became of lines in the runs of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineState {
    /// Every line arrived in each decided run, in one piece and unchanged.
    Complete,
    /// Not so in at least one of them.
    Loses,
    /// No run was decided.
    Undecided,
    /// The case does not apply to the cluster.
    NotApplicable,
}

impl LineCell {
    /// Of all runs of one case on one cluster, where `repeat` were to be made; the limit in percent.
    pub(super) fn of(entry: &str, tested: &Tested, cases: &[&CaseSummary], repeat: u64, settle_at: f64) -> Self {
        let runs: Vec<&&CaseSummary> = cases.iter().filter(|case| case.not_applicable.is_none()).collect();
        let deliveries: Vec<Delivery> = runs.iter().map(|case| Delivery::of_run(&case.verdicts)).collect();
        let decided: Vec<&LineTotals> = deliveries.iter().filter_map(Delivery::totals).collect();
        let losing: Vec<&LineTotals> = deliveries.iter().filter_map(faulty).collect();
        let rate = Rate { wrong: losing.len() as u64, runs: decided.len() as u64 };
        let state = match (runs.is_empty(), rate) {
            (true, _) => LineState::NotApplicable,
            (false, Rate { runs: 0, .. }) => LineState::Undecided,
            (false, Rate { wrong: 0, .. }) => LineState::Complete,
            _ => LineState::Loses,
        };
        let is_rate = repeat > 1 && rate.runs > 0;
        let settled = rate.settled(settle_at / 100.0).filter(|_| is_rate).map(|settled| match settled {
            Settled::Above => LineState::Loses,
            Settled::Below => LineState::Complete,
        });
        let interval = rate.interval();
        Self {
            entry: entry.to_owned(),
            tested: tested.clone(),
            state,
            unexpected: runs.iter().any(|case| is_unexpected(case)),
            repeat,
            runs: rate.runs,
            losing: rate.wrong,
            undecided: (runs.len() - decided.len()) as u64,
            lines: LineFaults::over(if losing.is_empty() { &decided } else { &losing }),
            interval: is_rate.then_some((interval.low, interval.high)),
            settled,
            would_settle: if is_rate && settled.is_none() { rate.would_settle(settle_at / 100.0) } else { None },
        }
    }

    /// Runs that lost lines, of those that were decided.
    pub(super) fn rate(&self) -> Rate {
        Rate { wrong: self.losing, runs: self.runs }
    }
}

fn faulty(delivery: &Delivery) -> Option<&LineTotals> {
    if let Delivery::Faulty(lines) = delivery { Some(lines) } else { None }
}

fn is_unexpected(case: &CaseSummary) -> bool {
    let mut on_lines = case.verdicts.iter().filter(|verdict| verdict.lines.is_some());
    on_lines.any(|verdict| verdict.standing == Standing::Unexpected)
}
