//! The table for documents.

use super::{
    LineCell, LineTable,
    grid::{Grid, GridRow},
};

impl LineTable {
    /// A table per cluster under a heading of its own.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for entry in &self.entries {
            let Grid { columns, rows } = self.grid(entry, ", ");
            let header = ["agent".to_owned(), "situation".to_owned()].into_iter();
            text += &format!("### Log lines on {entry}\n\n");
            text += &line(header.chain(columns.iter().cloned()));
            text += &line((0..columns.len() + 2).map(|_| "---".to_owned()));
            for GridRow { agent, situation, cells } in rows {
                let shown = cells.iter().map(|cell| cell.map_or_else(String::new, LineCell::words));
                text += &line([agent, format!("`{situation}`")].into_iter().chain(shown));
            }
            text += "\n";
        }
        text += &self.legend().replace('\n', " ");
        text += "\n";
        if let Some(rates) = self.rates() {
            text += &format!("\n```\n{rates}\n```\n");
        }
        text
    }
}

fn line(cells: impl Iterator<Item = String>) -> String {
    format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).collect::<Vec<_>>().join(" | "))
}
