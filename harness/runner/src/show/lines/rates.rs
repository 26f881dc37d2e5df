//! What the runs of a case tell about its rate of loss. Cases that came to the same numbers stand on one line.

use std::collections::BTreeMap;

use sidecheck_core::{
    agent::LogSource,
    rate::{Interval, Rate},
};

use super::{LineCell, LineState, LineTable};

/// How many cases a line names when there are no more.
const NAMED: usize = 2;

/// A paragraph, where cases were to be run several times.
pub(super) fn rates(table: &LineTable) -> Option<String> {
    let mut alike: BTreeMap<(usize, Rate, String), Vec<&LineCell>> = BTreeMap::new();
    for cell in table.cells.iter().filter(|cell| cell.interval.is_some()) {
        let (place, text) = told(cell);
        alike.entry((place, cell.rate(), text)).or_default().push(cell);
    }
    let lines: Vec<String> = alike.iter().map(|((_, _, text), cells)| format!("\n  {text}\n    {}", named(cells))).collect();
    let question =
        format!("Does a case lose lines in more than {} % of its runs? By the exact 95 % interval of its rate:", table.settle_at);
    (!lines.is_empty()).then(|| question + &lines.concat())
}

/// Runs that lost lines, and where the true rate lies, such as `0 of 20 runs lose, 0-17 %`.
pub(crate) fn rate_in_words(rate: Rate) -> String {
    let runs = if rate.runs == 1 { "run" } else { "runs" };
    format!("{} of {} {runs} lose, {}", rate.wrong, rate.runs, percent(rate.interval()))
}

/// What is said of a case, and where that stands among the others.
fn told(cell: &LineCell) -> (usize, String) {
    let rate = rate_in_words(cell.rate());
    let ended = cell.runs + cell.undecided;
    let early = if ended < cell.repeat { format!("; settled after {ended} of {} runs", cell.repeat) } else { String::new() };
    match (cell.settled, cell.would_settle) {
        (Some(LineState::Complete), _) => (1, format!("complete: {rate}{early}")),
        (Some(_), _) => (0, format!("loses: {rate}{early}")),
        (None, Some(needed)) => (2, format!("not enough runs: {rate}; {needed} would do")),
        (None, None) => (2, format!("not enough runs: {rate}; 1000 would not do, either, if they went on like that")),
    }
}

/// The cases by name, if they are few.
fn named(cells: &[&LineCell]) -> String {
    let names: Vec<String> = cells.iter().take(NAMED).map(|cell| name(cell)).collect();
    match cells.len().saturating_sub(NAMED) {
        0 => names.join("; "),
        more => format!("{}; and {more} more", names.join("; ")),
    }
}

fn name(cell: &LineCell) -> String {
    let tested = &cell.tested;
    let source = if tested.source == LogSource::File { String::new() } else { format!("/{}", tested.source) };
    format!("{}: {} {}/{}{source} {}", cell.entry, tested.situation, tested.agent, tested.configuration, tested.placement)
}

/// Rounded away from the middle, so that the numbers claim no more than is known.
fn percent(interval: Interval) -> String {
    format!("{}-{} %", rounded(interval.low, f64::floor), rounded(interval.high, f64::ceil))
}

/// In percent, below 10 % with one digit more.
fn rounded(rate: f64, round: fn(f64) -> f64) -> f64 {
    let percent = rate * 100.0;
    if percent < 10.0 { round(percent * 10.0) / 10.0 } else { round(percent) }
}
