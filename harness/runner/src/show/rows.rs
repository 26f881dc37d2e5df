//! The table of verdicts, whoever draws it: a row per scenario and promise, a cell per cluster.

use super::{CaseSummary, Mood, RunSummary, tally::Tally};

/// A scenario's rows.
#[derive(Debug)]
pub(crate) struct ScenarioRows<'a> {
    /// The scenario.
    pub(crate) scenario: &'a str,
    /// All of its cases.
    pub(crate) cases: Vec<&'a CaseSummary>,
    /// One for each promise, in the order of their verdicts; one, where there are none.
    pub(crate) rows: Vec<Row<'a>>,
}

/// A row.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    /// The promise, or `-`.
    pub(crate) promise: &'a str,
    /// One for each cluster; none, where the scenario was not asked for there.
    pub(crate) cells: Vec<Option<VerdictCell<'a>>>,
}

/// A cell.
#[derive(Debug)]
pub(crate) struct VerdictCell<'a> {
    /// What stands in it.
    pub(crate) text: String,
    /// How alarming that is.
    pub(crate) mood: Mood,
    /// The first of its cases.
    pub(crate) case: &'a CaseSummary,
}

/// The rows of all scenarios, in the order of the cases.
pub(crate) fn rows(summary: &RunSummary) -> Vec<ScenarioRows<'_>> {
    let scenarios = summary.cases.chunk_by(|one, next| one.scenario == next.scenario);
    let rows = scenarios.map(|cases| {
        let cases: Vec<&CaseSummary> = cases.iter().collect();
        let row = |promise: Option<&'_ str>| summary.entries.iter().map(|entry| cell(&cases, entry, promise)).collect();
        let rows = promises(&cases).into_iter().map(|promise| Row { promise: promise.unwrap_or("-"), cells: row(promise) });
        let rows = rows.collect();
        ScenarioRows { scenario: cases[0].scenario.as_str(), cases, rows }
    });
    rows.collect()
}

/// One `None` when there are no verdicts.
fn promises<'a>(cases: &[&'a CaseSummary]) -> Vec<Option<&'a str>> {
    let mut names = Vec::new();
    for verdict in cases.iter().flat_map(|case| &case.verdicts) {
        let name = Some(verdict.promise.as_str());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() { vec![None] } else { names }
}

fn cell<'a>(cases: &[&'a CaseSummary], entry: &str, promise: Option<&str>) -> Option<VerdictCell<'a>> {
    let here: Vec<&CaseSummary> = cases.iter().copied().filter(|case| case.entry == entry).collect();
    let case = *here.first()?;
    let told = |text: &str, mood| Some(VerdictCell { text: text.to_owned(), mood, case });
    if here.iter().any(|case| case.broken.is_some()) {
        return told("NOT RUN", Mood::Undecided);
    }
    if here.iter().all(|case| case.not_applicable.is_some()) {
        return told("not applicable", Mood::NotApplicable);
    }
    let tally = Tally::of(&here, promise);
    told(&tally.text(), tally.mood())
}
