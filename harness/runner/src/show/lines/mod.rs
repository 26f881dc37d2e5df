//! Who delivers log lines, in which situation: one table per cluster, a cell for each agent, configuration and placement.

mod cell;
mod faults;
mod grid;
mod layout;
mod legend;
mod markdown;
mod rates;
mod terminal;
mod words;

use std::collections::BTreeMap;

use sidecheck_core::scenario::Tested;

pub use cell::{LineCell, LineState};
pub use faults::{LineFaults, Spread};
pub(crate) use rates::rate_in_words;

use super::{CaseSummary, RunSummary, colours, out, terminal_width};

/// The share of runs that lose lines, in percent, against which rates are held where nothing else is said.
pub const SETTLE_AT: f64 = 10.0;

/// The cells of a run.
#[derive(Debug, Clone)]
pub struct LineTable {
    /// The clusters, in the order of the run's.
    pub entries: Vec<String>,
    /// One for each cluster, agent, configuration, placement, source and situation, in that order.
    pub cells: Vec<LineCell>,
    /// The share of runs that lose lines, in percent, which cases are to be above or below.
    pub settle_at: f64,
}

impl LineTable {
    /// Made of the cases that are about an agent; empty without any.
    pub fn of(summary: &RunSummary) -> Self {
        let mut cases: BTreeMap<(&str, &Tested), Vec<&CaseSummary>> = BTreeMap::new();
        for case in &summary.cases {
            if let Some(tested) = &case.tested {
                cases.entry((&case.entry, tested)).or_default().push(case);
            }
        }
        // A summary put together from cases does not say how often they were to be run.
        let repeat = summary.asked.map_or(1, |asked| asked.repeat as usize);
        let repeat = cases.values().map(Vec::len).fold(repeat, usize::max);
        let settle_at = summary.asked.map_or(SETTLE_AT, |asked| asked.settle_at);
        let cell = |((entry, tested), cases): (&(&str, &Tested), &Vec<&CaseSummary>)| {
            LineCell::of(entry, tested, cases, repeat as u64, settle_at)
        };
        let mut cells: Vec<LineCell> = cases.iter().map(cell).collect();
        let place = |cell: &LineCell| summary.entries.iter().position(|entry| *entry == cell.entry);
        cells.sort_by(|one, next| (place(one), layout::place(one)).cmp(&(place(next), layout::place(next))));
        let has_cells = |entry: &&String| cells.iter().any(|cell| cell.entry == **entry);
        let entries = summary.entries.iter().filter(has_cells).cloned().collect();
        Self { entries, cells, settle_at }
    }

    /// Whether cases were to be run several times.
    fn is_repeated(&self) -> bool {
        self.cells.iter().any(|cell| cell.repeat > 1)
    }

    /// The cells of one cluster.
    fn on<'a>(&'a self, entry: &str) -> Vec<&'a LineCell> {
        self.cells.iter().filter(|cell| cell.entry == entry).collect()
    }
}

/// Prints the table, where there is a case about an agent.
pub(super) fn line_table(summary: &RunSummary) {
    let table = LineTable::of(summary);
    if !table.cells.is_empty() {
        out(format!("\n{}", table.terminal(terminal_width(), colours())));
    }
}

#[cfg(test)]
mod tests;
