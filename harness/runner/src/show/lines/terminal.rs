//! The table for terminals.

use comfy_table::{Cell, Color, ColumnConstraint, ContentArrangement};

use super::{LineCell, LineTable, grid::Grid};
use crate::show::{Mood, grid::plain_table};

impl LineTable {
    /// A table per cluster, for that width or as wide as they get; then what is settled, where cases were run several times.
    pub fn terminal(&self, width: Option<u16>, colours: bool) -> String {
        let block = |entry: &String| format!("Log lines on {entry}\n{}", block(self.grid(entry, "\n"), width, colours));
        let mut parts: Vec<String> = self.entries.iter().map(block).collect();
        parts.push(self.legend());
        parts.extend(self.rates());
        parts.join("\n\n")
    }
}

fn block(Grid { columns, rows }: Grid<'_>, width: Option<u16>, colours: bool) -> String {
    let mut table = plain_table(colours);
    if let Some(width) = width {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    table.set_header(["agent\n  situation".to_owned()].into_iter().chain(columns));
    let mut agent = String::new();
    for row in rows {
        if row.agent != agent {
            agent = row.agent;
            table.add_row([&agent]);
        }
        let shown = row.cells.iter().map(|cell| cell.map_or_else(|| Cell::new(""), shown));
        table.add_row([Cell::new(format!("  {}", row.situation))].into_iter().chain(shown));
    }
    if let Some(names) = table.column_mut(0) {
        names.set_constraint(ColumnConstraint::ContentWidth);
    }
    table.trim_fmt()
}

fn shown(cell: &LineCell) -> Cell {
    Cell::new(cell.words()).fg(match cell.mood() {
        Mood::Wrong => Color::Red,
        Mood::Undecided => Color::Yellow,
        Mood::NotApplicable => Color::DarkGrey,
        Mood::Held => Color::Green,
        Mood::Known => Color::Cyan,
    })
}
