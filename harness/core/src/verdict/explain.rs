//! A verdict in words for people.

use super::{Outcome, Verdict};

/// A sentence or two: the promise, what became of it, what decides it (instants in UTC, with the gap), and what was expected.
pub fn explain(verdict: &Verdict) -> String {
    let Verdict { promise, check, outcome, expectation, reason, .. } = verdict;
    let verb = match outcome {
        Outcome::Held => "was held",
        Outcome::Violated => "was violated",
        Outcome::Undecidable => "is undecidable",
        Outcome::NotApplicable => return format!("`{promise}` does not apply: it {reason}."),
        Outcome::Inconclusive => "is inconclusive",
    };
    format!("`{promise}` {verb}: {reason}. Checked: {check}. Expected: {} ({}).", expectation.expected, expectation.because)
}
