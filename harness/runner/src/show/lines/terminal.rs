//! The table for terminals.

use comfy_table::{Cell, Color, ColumnConstraint, ContentArrangement};

use super::{LineCell, LineState, LineTable, layout, legend::legend, rates::rates, words::words};
use crate::show::grid::plain_table;

impl LineTable {
    /// A table per cluster, for that width or as wide as they get; then what is settled, where cases were run several times.
    pub fn terminal(&self, width: Option<u16>, colours: bool) -> String {
        let mut parts: Vec<String> = self
            .entries
            .iter()
            .map(|entry| format!("Log lines on {entry}\n{}", block(&self.on(entry), width, colours)))
            .collect();
        parts.push(legend(self.is_repeated()));
        parts.extend(rates(self));
        parts.join("\n\n")
    }
}

fn block(cells: &[&LineCell], width: Option<u16>, colours: bool) -> String {
    let mut table = plain_table(colours);
    if let Some(width) = width {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    let columns = layout::columns(cells);
    table.set_header(["agent\n  situation".to_owned()].into_iter().chain(columns.iter().map(|column| column.name("\n"))));
    let mut agent = String::new();
    for (row, cells) in layout::rows(cells) {
        if row.agent() != agent {
            agent = row.agent();
            table.add_row([&agent]);
        }
        let of = |column| cells.iter().find(|cell| layout::column(cell) == column);
        let shown = columns.iter().map(|column| of(*column).map_or_else(|| Cell::new(""), |cell| shown(cell)));
        table.add_row([Cell::new(format!("  {}", row.situation()))].into_iter().chain(shown));
    }
    if let Some(names) = table.column_mut(0) {
        names.set_constraint(ColumnConstraint::ContentWidth);
    }
    table.trim_fmt()
}

fn shown(cell: &LineCell) -> Cell {
    let colour = match cell.state {
        _ if cell.unexpected => Color::Red,
        LineState::Undecided => Color::Yellow,
        LineState::NotApplicable => Color::DarkGrey,
        LineState::Complete => Color::Green,
        LineState::Loses => Color::Cyan,
    };
    Cell::new(words(cell)).fg(colour)
}
