//! The table for documents.

use super::{LineTable, layout, legend::legend, rates::rates, words::words};

impl LineTable {
    /// A table per cluster under a heading of its own.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for entry in &self.entries {
            let cells = self.on(entry);
            let columns = layout::columns(&cells);
            let header = ["agent".to_owned(), "situation".to_owned()].into_iter();
            text += &format!("### Log lines on {entry}\n\n");
            text += &line(header.chain(columns.iter().map(|column| column.name(", "))));
            text += &line((0..columns.len() + 2).map(|_| "---".to_owned()));
            for (row, cells) in layout::rows(&cells) {
                let of = |column| cells.iter().find(|cell| layout::column(cell) == column);
                let shown = columns.iter().map(|column| of(*column).map_or_else(String::new, |cell| words(cell)));
                text += &line([row.agent(), format!("`{}`", row.situation())].into_iter().chain(shown));
            }
            text += "\n";
        }
        text += &legend(self.is_repeated()).replace('\n', " ");
        text += "\n";
        if let Some(rates) = rates(self) {
            text += &format!("\n```\n{rates}\n```\n");
        }
        text
    }
}

fn line(cells: impl Iterator<Item = String>) -> String {
    format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).collect::<Vec<_>>().join(" | "))
}
