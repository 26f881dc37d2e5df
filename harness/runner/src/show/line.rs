//! One line per finished case, shown as it comes.

use sidecheck_core::verdict::{Outcome, Standing, Verdict};

use crate::run::{CaseResult, Finished};

/// The line.
pub fn result_line(finished: &Finished) -> String {
    let name = format!("{:<11} {}{}", finished.entry, finished.scenario, again(finished.repetition));
    match &finished.result {
        CaseResult::NotApplicable { reason } => format!("  -      {name}: not applicable: {reason}"),
        CaseResult::Broken { error } => format!("  ?      {name}: not run: {error}"),
        CaseResult::Judged { verdicts, .. } => {
            format!("{:>6.1} s {name}: {}", finished.took.as_secs_f64(), in_short(verdicts))
        }
    }
}

/// What stands behind the name of a case that was run before.
pub(crate) fn again(repetition: u32) -> String {
    if repetition > 1 { format!(" #{repetition}") } else { String::new() }
}

fn in_short(verdicts: &[Verdict]) -> String {
    let count = |outcome: Outcome, standing: Standing| {
        verdicts.iter().filter(|verdict| verdict.outcome == outcome && verdict.standing == standing).count()
    };
    let parts = [
        (count(Outcome::Violated, Standing::Unexpected), "VIOLATED"),
        (count(Outcome::Held, Standing::Unexpected), "HELD where a violation is known"),
        (count(Outcome::Undecidable, Standing::Undecided), "UNDECIDABLE"),
        (count(Outcome::Inconclusive, Standing::Undecided), "INCONCLUSIVE"),
        (count(Outcome::Held, Standing::Expected), "held"),
        (count(Outcome::Violated, Standing::Expected), "violated, as known"),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
    parts.collect::<Vec<_>>().join(", ")
}
