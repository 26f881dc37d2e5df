//! What the verdicts on one promise come to.

use std::collections::BTreeMap;

use sidecheck_core::verdict::{Outcome, Verdict};

use super::{CaseSummary, Mood};

/// How often each outcome was seen for one promise on one cluster, over its checks and repetitions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tally(BTreeMap<Outcome, (usize, bool)>);

impl Tally {
    /// Over the verdicts of some cases on one promise.
    pub(super) fn of(cases: &[&CaseSummary], promise: Option<&str>) -> Self {
        let mut tally = Self::default();
        let verdicts = cases.iter().flat_map(|case| &case.verdicts);
        verdicts.filter(|verdict| Some(verdict.promise.as_str()) == promise).for_each(|verdict| tally.add(verdict));
        tally
    }

    fn add(&mut self, verdict: &Verdict) {
        let (count, alarming) = self.0.entry(verdict.outcome).or_default();
        *count += 1;
        *alarming |= !verdict.standing.is_as_expected();
    }

    /// What stands in the cell.
    pub(super) fn text(&self) -> String {
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
    pub(super) fn mood(&self) -> Mood {
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
}
