//! What people read at the end of a run.

mod catalogue;
mod closing;
mod explain;
mod flips;
pub(crate) mod grid;
mod line;
mod lines;
mod mood;
mod out;
mod rows;
mod summary;
mod table;
mod tally;
mod timeline;

pub use catalogue::coverage_tables;
pub(crate) use catalogue::terminal_width;
pub use closing::closing;
pub use explain::explanations;
pub use flips::flips;
pub(crate) use line::again;
pub use line::result_line;
pub(crate) use lines::rate_in_words;
pub use lines::{LineCell, LineFaults, LineState, LineTable, SETTLE_AT, Spread};
pub(crate) use mood::Mood;
pub(crate) use out::out;
pub(crate) use rows::{ScenarioRows, VerdictCell, rows};
pub use summary::{Asked, CaseSummary, RunSummary};
pub use table::verdict_table;
pub use timeline::timeline;

use std::io::IsTerminal;

#[cfg(test)]
mod tests;

/// Prints what cases came to: the verdicts, what is to be said of them, and the log lines of agents.
pub(crate) fn tables(summary: &RunSummary) {
    out(verdict_table(summary, colours()));
    out((explanations(summary) + &flips(summary)).trim_end());
    lines::line_table(summary);
}

/// Whether stdout takes colours: a terminal, and the user has not asked for none (`NO_COLOR`).
pub fn colours() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
