//! The look of all tables: columns, and one rule under the header.

use comfy_table::{LineStyle, Table, TableStyle};

/// An empty table, with colours or without.
pub(crate) fn plain_table(colours: bool) -> Table {
    let rule = LineStyle::new('─', '─', '─', '─');
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(rule));
    if colours {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    table
}
