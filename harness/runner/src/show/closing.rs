//! The last sentence of a run: what it comes to.

use sidecheck_core::verdict::{Outcome, Standing, Verdict};

use super::RunSummary;

/// How many verdicts there are, and how they stand.
pub fn closing(summary: &RunSummary) -> String {
    let verdicts: Vec<&Verdict> = summary.verdicts().collect();
    let count = |wanted: &dyn Fn(&Verdict) -> bool| verdicts.iter().filter(|verdict| wanted(verdict)).count();
    let unexpected = count(&|verdict| verdict.standing == Standing::Unexpected);
    let undecided = count(&|verdict| verdict.standing == Standing::Undecided);
    let held = count(&|verdict| verdict.standing == Standing::Expected && verdict.outcome == Outcome::Held);
    let violated = count(&|verdict| verdict.standing == Standing::Expected && verdict.outcome == Outcome::Violated);
    let not_run = summary.cases.iter().filter(|case| case.broken.is_some()).count();
    let left_out = summary.cases.iter().filter(|case| case.not_applicable.is_some()).count();

    let mut parts = vec![format!("{held} held"), format!("{violated} violated, as known")];
    for (count, word) in [(unexpected, "NOT AS EXPECTED"), (undecided, "UNDECIDED")] {
        if count > 0 {
            parts.push(format!("{count} {word}"));
        }
    }
    let mut text = format!("{} verdicts: {}.", verdicts.len(), parts.join(", "));
    for (count, words) in [(not_run, "could not be run"), (left_out, "do not apply to their cluster")] {
        if count > 0 {
            text += &format!(" {count} cases {words}.");
        }
    }
    text
}
