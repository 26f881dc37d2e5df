//! The table of one cluster, whoever draws it.

use super::{LineCell, LineState, LineTable, layout, legend::legend, rates::rates, words::words};
use crate::show::Mood;

/// Headings and rows, as texts.
#[derive(Debug)]
pub(crate) struct Grid<'a> {
    /// Configuration and placement of each column.
    pub(crate) columns: Vec<String>,
    /// From top to bottom.
    pub(crate) rows: Vec<GridRow<'a>>,
}

/// One row.
#[derive(Debug)]
pub(crate) struct GridRow<'a> {
    /// The agent with its version.
    pub(crate) agent: String,
    /// The situation.
    pub(crate) situation: String,
    /// One for each column; none, where there is no such case.
    pub(crate) cells: Vec<Option<&'a LineCell>>,
}

impl LineTable {
    /// The table of that cluster, with what stands between the words of a heading.
    pub(crate) fn grid(&self, entry: &str, between: &str) -> Grid<'_> {
        let all = self.on(entry);
        let columns = layout::columns(&all);
        let rows = layout::rows(&all).map(|(row, cells)| {
            let of = |column| cells.iter().find(|cell| layout::column(cell) == column).copied();
            let cells = columns.iter().map(|column| of(*column)).collect();
            GridRow { agent: row.agent(), situation: row.situation(), cells }
        });
        let rows = rows.collect();
        Grid { columns: columns.iter().map(|column| column.name(between)).collect(), rows }
    }

    /// What the words and marks in the cells mean.
    pub(crate) fn legend(&self) -> String {
        legend(self.is_repeated())
    }

    /// What the runs tell about rates; none, where each case was run once.
    pub(crate) fn rates(&self) -> Option<String> {
        rates(self)
    }
}

impl LineCell {
    /// What stands in it.
    pub(crate) fn words(&self) -> String {
        words(self)
    }

    /// How alarming that is.
    pub(crate) fn mood(&self) -> Mood {
        match self.state {
            _ if self.unexpected => Mood::Wrong,
            LineState::Undecided => Mood::Undecided,
            LineState::NotApplicable => Mood::NotApplicable,
            LineState::Complete => Mood::Held,
            LineState::Loses => Mood::Known,
        }
    }
}
