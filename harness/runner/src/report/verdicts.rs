//! The table of verdicts: a row per scenario and promise, a column per cluster, each cell with a link to its case.

use maud::{Markup, html};
use sidecheck_core::verdict::Standing;

use super::anchor;
use crate::show::{CaseSummary, Mood, RunSummary, Tally, promises};

/// Scenarios are folded by suite; one with a verdict that is not as expected stands open.
pub(super) fn table(summary: &RunSummary) -> Markup {
    let mut scenarios: Vec<&str> = summary.cases.iter().map(|case| case.scenario.as_str()).collect();
    scenarios.dedup();
    let suite = |scenario: &str| scenario.split('/').next().unwrap_or_default().to_owned();
    html! {
        section id="verdicts" {
            h2 { "Verdicts" }
            @for scenarios in scenarios.chunk_by(|one, next| suite(one) == suite(next)) {
                @let cases: Vec<&CaseSummary> = summary.cases.iter().filter(|case| scenarios.contains(&case.scenario.as_str())).collect();
                details open[!cases.iter().all(|case| super::case::is_as_expected(case))] {
                    summary { (suite(scenarios[0])) " " small { (counts(&cases)) } }
                    table {
                        thead { tr { th { "scenario" } th { "promise" } @for entry in &summary.entries { th { (entry) } } } }
                        tbody { @for scenario in scenarios { (rows(summary, scenario, &cases)) } }
                    }
                }
            }
        }
    }
}

fn counts(cases: &[&CaseSummary]) -> String {
    let mut verdicts = 0;
    let mut wrong = 0;
    for verdict in cases.iter().flat_map(|case| &case.verdicts) {
        verdicts += 1;
        wrong += usize::from(matches!(verdict.standing, Standing::Unexpected | Standing::Undecided));
    }
    if wrong == 0 { format!("{verdicts} verdicts, as expected") } else { format!("{verdicts} verdicts, {wrong} not as expected") }
}

fn rows(summary: &RunSummary, scenario: &str, cases: &[&CaseSummary]) -> Markup {
    let cases: Vec<&CaseSummary> = cases.iter().copied().filter(|case| case.scenario == scenario).collect();
    html! {
        @for (index, promise) in promises(&cases).iter().enumerate() {
            tr {
                td { @if index == 0 { (scenario) } }
                td { (promise.as_deref().unwrap_or("-")) }
                @for entry in &summary.entries {
                    (cell(&cases.iter().copied().filter(|case| case.entry == *entry).collect::<Vec<_>>(), promise.as_deref()))
                }
            }
        }
    }
}

fn cell(cases: &[&CaseSummary], promise: Option<&str>) -> Markup {
    let Some(case) = cases.first() else { return html! { td {} } };
    let tally = Tally::of(cases, promise);
    html! {
        @if cases.iter().any(|case| case.broken.is_some()) {
            td.open { a href={ "#" (anchor(case)) } { "NOT RUN" } }
        } @else if cases.iter().all(|case| case.not_applicable.is_some()) {
            td.none title=[case.not_applicable.as_deref()] { "not applicable" }
        } @else {
            td class=(class(&tally)) { a href={ "#" (anchor(case)) } { (tally.text()) } }
        }
    }
}

fn class(tally: &Tally) -> &'static str {
    match tally.mood() {
        Mood::Wrong => "bad",
        Mood::Undecided => "open",
        Mood::Known => "known",
        Mood::Held => "good",
    }
}
