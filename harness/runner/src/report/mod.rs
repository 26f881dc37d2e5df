//! A run as one HTML page that needs nothing else: verdicts, log lines, and for each case what was seen, drawn and in words.

mod case;
mod chart;
mod head;
mod lines;
mod verdicts;

use std::collections::BTreeSet;

use maud::{DOCTYPE, PreEscaped, html};
use sidecheck_core::trace::Trace;

use crate::{
    evidence::case_name,
    show::{CaseSummary, LineTable, Mood, RunSummary},
};

const STYLE: &str = include_str!("style.css");

/// The page. `trace` reads the evidence of a case, or says why it can't be read; it is asked for those cases only that are shown
/// one by one: the first run of each, and each run that was not as expected.
pub fn page(summary: &RunSummary, trace: impl Fn(&CaseSummary) -> Result<Trace, String>) -> String {
    let table = LineTable::of(summary);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "sidecheck " (summary.run) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (head::head(summary))
                (verdicts::table(summary))
                @if !table.cells.is_empty() { (lines::tables(&table)) }
                section id="cases" {
                    h2 { "Cases" }
                    (chart::legend())
                    @for shown in shown(summary) { (case::case(shown, trace(shown))) }
                }
            }
        }
    };
    page.into_string()
}

/// The cases that are shown one by one.
fn shown(summary: &RunSummary) -> impl Iterator<Item = &CaseSummary> {
    let mut first = BTreeSet::new();
    let judged = summary.cases.iter().filter(|case| case.not_applicable.is_none());
    judged.filter(move |case| first.insert((&case.scenario, &case.entry)) || !case::is_as_expected(case))
}

/// The anchor of a case on the page.
fn anchor(case: &CaseSummary) -> String {
    format!("{}.{}", case.entry, case_name(&case.scenario, case.repetition))
}

/// Under which its colour stands in the style.
fn class(mood: Mood) -> &'static str {
    match mood {
        Mood::Wrong => "bad",
        Mood::Undecided => "open",
        Mood::Known => "known",
        Mood::Held => "good",
        Mood::NotApplicable => "none",
    }
}
