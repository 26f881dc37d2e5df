//! Where a cell stands: rows are situations, agent by agent; columns are configurations with their placements.

use sidecheck_core::{agent::LogSource, scenario::Placement};

use super::LineCell;

/// A row: agent, version, situation and source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row<'a> {
    agent: &'a str,
    version: &'a str,
    situation: &'a str,
    source: LogSource,
}

/// A column: configuration, then placement in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Column<'a> {
    configuration: &'a str,
    placement: Placement,
}

/// The row of a cell.
fn row(cell: &LineCell) -> Row<'_> {
    let tested = &cell.tested;
    Row { agent: &tested.agent, version: &tested.version, situation: &tested.situation, source: tested.source }
}

/// The column of a cell.
pub(super) fn column(cell: &LineCell) -> Column<'_> {
    Column { configuration: &cell.tested.configuration, placement: cell.tested.placement }
}

/// Its place among the cells of its cluster.
pub(super) fn place(cell: &LineCell) -> (Row<'_>, Column<'_>) {
    (row(cell), column(cell))
}

/// All columns of some cells, each once and in order.
pub(super) fn columns<'a>(cells: &[&'a LineCell]) -> Vec<Column<'a>> {
    let mut columns: Vec<Column<'_>> = cells.iter().map(|cell| column(cell)).collect();
    columns.sort_unstable();
    columns.dedup();
    columns
}

/// Cells that are in the order of their rows, row by row.
pub(super) fn rows<'a, 'c>(cells: &'c [&'a LineCell]) -> impl Iterator<Item = (Row<'a>, &'c [&'a LineCell])> {
    cells.chunk_by(|one, next| row(one) == row(next)).map(|cells| (row(cells[0]), cells))
}

impl Row<'_> {
    /// Agent and version.
    pub(super) fn agent(&self) -> String {
        format!("{} {}", self.agent, self.version)
    }

    /// The situation, with the source where it is not the usual one.
    pub(super) fn situation(&self) -> String {
        let source = if self.source == LogSource::File { String::new() } else { format!(" ({})", self.source) };
        format!("{}{source}", self.situation)
    }
}

impl Column<'_> {
    /// Configuration and placement with that between them.
    pub(super) fn name(&self, between: &str) -> String {
        format!("{}{between}{}", self.configuration, self.placement)
    }
}
