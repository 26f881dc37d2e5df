//! The table of verdicts: a row per scenario and promise, a column per cluster, each cell with a link to its case.

use maud::{Markup, html};

use super::{anchor, case::is_as_expected, class};
use crate::show::{Mood, RunSummary, ScenarioRows, VerdictCell, rows};

/// Scenarios are folded by suite; one with a verdict that is not as expected stands open.
pub(super) fn table(summary: &RunSummary) -> Markup {
    let scenarios = rows(summary);
    html! {
        section id="verdicts" {
            h2 { "Verdicts" }
            @for suite in scenarios.chunk_by(|one, next| suite(one) == suite(next)) {
                details open[!suite.iter().flat_map(|scenario| &scenario.cases).all(|case| is_as_expected(case))] {
                    summary { (self::suite(&suite[0])) " " small { (counts(suite)) } }
                    table {
                        thead { tr { th { "scenario" } th { "promise" } @for entry in &summary.entries { th { (entry) } } } }
                        tbody { @for scenario in suite { (rows_of(scenario)) } }
                    }
                }
            }
        }
    }
}

fn suite<'a>(scenario: &ScenarioRows<'a>) -> &'a str {
    scenario.scenario.split('/').next().unwrap_or_default()
}

fn counts(suite: &[ScenarioRows<'_>]) -> String {
    let verdicts = || suite.iter().flat_map(|scenario| &scenario.cases).flat_map(|case| &case.verdicts);
    let wrong = verdicts().filter(|verdict| !verdict.standing.is_as_expected()).count();
    let stand = if wrong == 0 { "as expected".to_owned() } else { format!("{wrong} not as expected") };
    format!("{} verdicts, {stand}", verdicts().count())
}

fn rows_of(scenario: &ScenarioRows<'_>) -> Markup {
    html! {
        @for (index, row) in scenario.rows.iter().enumerate() {
            tr {
                td { @if index == 0 { (scenario.scenario) } }
                td { (row.promise) }
                @for cell in &row.cells { @if let Some(cell) = cell { (shown(cell)) } @else { td {} } }
            }
        }
    }
}

/// What does not apply has no case to lead to.
fn shown(cell: &VerdictCell<'_>) -> Markup {
    html! {
        td class=(class(cell.mood)) title=[cell.case.not_applicable.as_deref()] {
            @if cell.mood == Mood::NotApplicable { (cell.text) } @else { a href={ "#" (anchor(cell.case)) } { (cell.text) } }
        }
    }
}
