//! The catalogue of behaviours with what covers them: a table per section, then the counts.

use std::ops::RangeInclusive;

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table};
use sidecheck_core::catalogue::{Coverage, Row};

use super::grid::plain_table;

/// How many scenarios a cell names.
const NAMED: usize = 2;

/// Where an id may be wrapped: it has no width, and is taken out in the end.
const BREAK: char = '\u{200b}';

/// The least width that is left to a column that is wrapped.
const LEAST: usize = 15;

/// What stands between the contents of two columns, at most.
const PADDING: usize = 3;

/// The width of the terminal that stdout is; `None` where it is none.
pub(crate) fn terminal_width() -> Option<u16> {
    Table::new().width()
}

/// The tables, for that width or as wide as they get, with a column per cluster entry. The last line counts all.
pub fn coverage_tables(rows: &[Row], entries: &[String], width: Option<u16>) -> String {
    let mut parts = Vec::new();
    for section in rows.chunk_by(|one, next| one.section == next.section) {
        parts.push(format!("{}\n{}", section[0].section, section_table(section, entries, width)));
    }
    parts.push(counts(rows, entries, width));
    parts.push(closing(rows));
    parts.join("\n\n")
}

fn section_table(rows: &[Row], entries: &[String], width: Option<u16>) -> String {
    let mut table = fitting_table(width);
    let columns = entries.iter().map(String::as_str);
    table.set_header(["behaviour"].into_iter().chain(columns).chain(["covered by, or why not"]));
    for row in rows {
        let marks = entries.iter().map(|entry| mark(row, entry).to_owned());
        let id = row.id.replace('-', &format!("-{BREAK}"));
        table.add_row(std::iter::once(id).chain(marks).chain([by_or_why_not(row)]));
    }
    keep_whole(&mut table, 1..=entries.len());
    if let Some(ids) = table.column_mut(0) {
        ids.set_delimiter(BREAK);
    }
    table.trim_fmt().replace(BREAK, "")
}

fn mark(row: &Row, entry: &str) -> &'static str {
    match (row.is_covered(), row.is_covered_on(entry)) {
        (_, true) => "yes",
        (true, false) => "-",
        (false, false) => "",
    }
}

/// The scenarios that cover it, each once; the first few by name.
fn by_or_why_not(row: &Row) -> String {
    let by = match &row.coverage {
        Coverage::NotCovered { why } => return why.clone(),
        Coverage::Covered { by } => by,
    };
    let mut scenarios: Vec<&str> = by.iter().map(|cover| cover.scenario.as_str()).collect();
    scenarios.sort_unstable();
    scenarios.dedup();
    let named = scenarios.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    match scenarios.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

fn counts(rows: &[Row], entries: &[String], width: Option<u16>) -> String {
    let mut table = fitting_table(width);
    let on = entries.iter().map(String::as_str);
    table.set_header(["section", "known", "covered"].into_iter().chain(on).chain(["left out", "open"]));
    let mut add = |name: &str, rows: &[Row]| {
        let count = |which: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| which(row)).count();
        let covered = count(&Row::is_covered);
        let open = count(&Row::is_open);
        let on = entries.iter().map(|entry| count(&|row| row.is_covered_on(entry)));
        let numbers = [rows.len(), covered].into_iter().chain(on).chain([rows.len() - covered - open, open]);
        table.add_row(std::iter::once(name.to_owned()).chain(numbers.map(|number| number.to_string())));
    };
    for section in rows.chunk_by(|one, next| one.section == next.section) {
        add(&section[0].section, section);
    }
    add("all", rows);
    keep_whole(&mut table, 1..=entries.len() + 4);
    table.column_iter_mut().skip(1).for_each(|column| {
        column.set_cell_alignment(CellAlignment::Right);
    });
    table.trim_fmt()
}

fn closing(rows: &[Row]) -> String {
    let covered = rows.iter().filter(|row| row.is_covered()).count();
    let open = rows.iter().filter(|row| row.is_open()).count();
    let covers = rows.iter().filter_map(|row| match &row.coverage {
        Coverage::Covered { by } => Some(by),
        Coverage::NotCovered { .. } => None,
    });
    let mut scenarios: Vec<&str> = covers.flatten().map(|cover| cover.scenario.as_str()).collect();
    scenarios.sort_unstable();
    scenarios.dedup();
    let (all, left_out) = (rows.len(), rows.len() - covered - open);
    format!(
        "{covered} of {all} behaviours covered (scenarios: {}), {left_out} left out for a reason, {open} open.",
        scenarios.len()
    )
}

/// A table that wraps its cells where the width is known.
fn fitting_table(width: Option<u16>) -> Table {
    let mut table = plain_table(false);
    if let Some(width) = width {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    table
}

/// Columns that are not wrapped, if the others still have room.
fn keep_whole(table: &mut Table, columns: RangeInclusive<usize>) {
    let contents = table.column_max_content_widths();
    let widths = contents.iter().zip(0..).map(|(width, index)| {
        let whole = usize::from(*width);
        PADDING + if columns.contains(&index) { whole } else { whole.min(LEAST) }
    });
    let least: usize = widths.sum();
    if table.width().is_some_and(|width| usize::from(width) < least) {
        return;
    }
    for index in columns {
        if let Some(column) = table.column_mut(index) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
}
