//! The table of log lines, for agents.

use maud::{Markup, html};

use crate::show::{LineCell, LineState, LineTable};

/// A table per cluster.
pub(super) fn tables(table: &LineTable) -> Markup {
    html! {
        section id="lines" {
            h2 { "Log lines" }
            @for entry in &table.entries {
                @let grid = table.grid(entry);
                h3 { (entry) }
                table {
                    thead { tr { th { "agent" } th { "situation" } @for column in &grid.columns { th { (column) } } } }
                    tbody {
                        @for row in &grid.rows {
                            tr {
                                td { (row.agent) }
                                td { (row.situation) }
                                @for cell in &row.cells { td class=[cell.map(class)] { @if let Some(cell) = cell { (cell.words()) } } }
                            }
                        }
                    }
                }
            }
            p.legend { (table.legend()) }
            @if let Some(rates) = table.rates() { pre { (rates) } }
        }
    }
}

fn class(cell: &LineCell) -> &'static str {
    match cell.state {
        _ if cell.unexpected => "bad",
        LineState::Undecided => "open",
        LineState::NotApplicable => "none",
        LineState::Complete => "good",
        LineState::Loses => "known",
    }
}
