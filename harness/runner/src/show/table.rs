//! The table at the end of a run: a row per scenario and promise, a column per cluster.

use comfy_table::{Cell, Color};

use super::{
    Mood, RunSummary,
    grid::plain_table,
    rows::{ScenarioRows, VerdictCell, rows},
};

/// The table, with colours or without.
pub fn verdict_table(summary: &RunSummary, colours: bool) -> String {
    let mut table = plain_table(colours);
    let header = ["scenario", "promise"].into_iter().map(str::to_owned).chain(summary.entries.iter().cloned());
    table.set_header(header);
    for ScenarioRows { scenario, rows, .. } in rows(summary) {
        for (index, row) in rows.iter().enumerate() {
            let name = if index == 0 { scenario } else { "" };
            let cells = row.cells.iter().map(|cell| cell.as_ref().map_or_else(|| Cell::new(""), shown));
            table.add_row([Cell::new(name), Cell::new(row.promise)].into_iter().chain(cells));
        }
    }
    table.trim_fmt()
}

fn shown(cell: &VerdictCell<'_>) -> Cell {
    Cell::new(&cell.text).fg(match cell.mood {
        Mood::Wrong => Color::Red,
        Mood::Undecided => Color::Yellow,
        Mood::NotApplicable => Color::DarkGrey,
        Mood::Known | Mood::Held => Color::Green,
    })
}
