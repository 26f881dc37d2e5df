//! The table at the end of a run: a row per scenario and promise, a column per cluster.

use std::collections::BTreeMap;

use comfy_table::{Cell, Color};
use sidecheck_core::verdict::{Outcome, Standing, Verdict};

use super::{CaseSummary, RunSummary, grid::plain_table};

/// How often each outcome was seen for one promise on one cluster, over its checks and repetitions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally(BTreeMap<Outcome, (usize, bool)>);

/// How alarming a cell is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mood {
    /// A verdict is not as expected.
    Wrong,
    /// Something was not decided.
    Undecided,
    /// As expected, with a known deviation among it.
    Known,
    /// All was held.
    Held,
}

impl Tally {
    /// Over the verdicts of some cases on one promise.
    pub(crate) fn of(cases: &[&CaseSummary], promise: Option<&str>) -> Self {
        let mut tally = Self::default();
        let verdicts = cases.iter().flat_map(|case| &case.verdicts);
        verdicts.filter(|verdict| Some(verdict.promise.as_str()) == promise).for_each(|verdict| tally.add(verdict));
        tally
    }

    fn add(&mut self, verdict: &Verdict) {
        let (count, alarming) = self.0.entry(verdict.outcome).or_default();
        *count += 1;
        *alarming |= matches!(verdict.standing, Standing::Unexpected | Standing::Undecided);
    }

    /// What stands in the cell.
    pub(crate) fn text(&self) -> String {
        let parts = self.0.iter().map(|(outcome, (count, alarming))| {
            let word = match (outcome, alarming) {
                (Outcome::Held, false) => "held",
                (Outcome::Held, true) => "HELD, not expected",
                (Outcome::Violated, false) => "violated, as known",
                (Outcome::Violated, true) => "VIOLATED",
                (Outcome::Undecidable, _) => "UNDECIDABLE",
                (Outcome::Inconclusive, _) => "INCONCLUSIVE",
                (Outcome::NotApplicable, _) => "not applicable",
            };
            if self.0.len() > 1 { format!("{count}x {word}") } else { word.to_owned() }
        });
        parts.collect::<Vec<_>>().join(", ")
    }

    /// How alarming that is.
    pub(crate) fn mood(&self) -> Mood {
        let alarming = |outcome: Outcome| self.0.get(&outcome).is_some_and(|(_, alarming)| *alarming);
        if alarming(Outcome::Violated) || alarming(Outcome::Held) {
            Mood::Wrong
        } else if self.0.values().any(|(_, alarming)| *alarming) {
            Mood::Undecided
        } else if self.0.contains_key(&Outcome::Violated) {
            Mood::Known
        } else {
            Mood::Held
        }
    }

    fn colour(&self) -> Color {
        match self.mood() {
            Mood::Wrong => Color::Red,
            Mood::Undecided => Color::Yellow,
            Mood::Known | Mood::Held => Color::Green,
        }
    }
}

/// The table, with colours or without.
pub fn verdict_table(summary: &RunSummary, colours: bool) -> String {
    let mut table = plain_table(colours);
    let header = ["scenario", "promise"].into_iter().map(str::to_owned).chain(summary.entries.iter().cloned());
    table.set_header(header);
    let mut scenarios: Vec<&str> = summary.cases.iter().map(|case| case.scenario.as_str()).collect();
    scenarios.dedup();
    for scenario in scenarios {
        let cases: Vec<&CaseSummary> = summary.cases.iter().filter(|case| case.scenario == scenario).collect();
        for (index, promise) in promises(&cases).iter().enumerate() {
            let name = if index == 0 { scenario } else { "" };
            let cells = summary.entries.iter().map(|entry| cell(&cases, entry, promise.as_deref()));
            table.add_row([Cell::new(name), Cell::new(promise.as_deref().unwrap_or("-"))].into_iter().chain(cells));
        }
    }
    table.trim_fmt()
}

/// The promises of a scenario in the order of their verdicts; one row without a promise when there are none.
pub(crate) fn promises(cases: &[&CaseSummary]) -> Vec<Option<String>> {
    let mut names: Vec<Option<String>> = Vec::new();
    for verdict in cases.iter().flat_map(|case| &case.verdicts) {
        let name = Some(verdict.promise.clone());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() { vec![None] } else { names }
}

fn cell(cases: &[&CaseSummary], entry: &str, promise: Option<&str>) -> Cell {
    let here: Vec<&CaseSummary> = cases.iter().copied().filter(|case| case.entry == entry).collect();
    if here.is_empty() {
        return Cell::new("");
    }
    if here.iter().any(|case| case.broken.is_some()) {
        return Cell::new("NOT RUN").fg(Color::Yellow);
    }
    if here.iter().all(|case| case.not_applicable.is_some()) {
        return Cell::new("not applicable").fg(Color::DarkGrey);
    }
    let tally = Tally::of(&here, promise);
    Cell::new(tally.text()).fg(tally.colour())
}
