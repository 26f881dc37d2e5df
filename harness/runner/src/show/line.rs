//! One line per finished case, shown as it comes.

use sidecheck_core::verdict::{Outcome, Standing, Verdict};

use crate::run::{CaseResult, Finished};

/// The line.
pub fn result_line(finished: &Finished) -> String {
    let repetition = if finished.repetition > 1 { format!(" #{}", finished.repetition) } else { String::new() };
    let name = format!("{:<11} {}{repetition}", finished.entry, finished.scenario);
    match &finished.result {
        CaseResult::NotApplicable { reason } => format!("  -      {name}: not applicable: {reason}"),
        CaseResult::Broken { error } => format!("  ?      {name}: not run: {error}"),
        CaseResult::Judged { verdicts, .. } => {
            format!("{:>6.1} s {name}: {}", finished.took.as_secs_f64(), in_short(verdicts))
        }
    }
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
