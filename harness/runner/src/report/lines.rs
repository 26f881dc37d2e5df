//! The table of log lines, for agents.

use maud::{Markup, html};

use super::class;
use crate::show::LineTable;

/// A table per cluster.
pub(super) fn tables(table: &LineTable) -> Markup {
    html! {
        section id="lines" {
            h2 { "Log lines" }
            @for entry in &table.entries {
                @let grid = table.grid(entry, ", ");
                h3 { (entry) }
                table {
                    thead { tr { th { "agent" } th { "situation" } @for column in &grid.columns { th { (column) } } } }
                    tbody {
                        @for row in &grid.rows {
                            tr {
                                td { (row.agent) }
                                td { (row.situation) }
                                @for cell in &row.cells { td class=[cell.map(|cell| class(cell.mood()))] { @if let Some(cell) = cell { (cell.words()) } } }
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
