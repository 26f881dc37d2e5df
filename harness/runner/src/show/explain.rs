//! What went wrong, in sentences with the deciding events, and where the evidence is.

use sidecheck_core::verdict::{self, Outcome, Standing};

use super::RunSummary;

/// A paragraph for each verdict that is not as expected, and a line for each known deviation that was seen.
pub fn explanations(summary: &RunSummary) -> String {
    let mut text = String::new();
    for case in &summary.cases {
        let name = format!("{} on {}", case.scenario, case.entry);
        for verdict in case.verdicts.iter().filter(|verdict| !verdict.standing.is_as_expected()) {
            text += &format!("\n{name}:\n  {}\n", verdict::explain(verdict).replace('\n', "\n  "));
            if let Some(evidence) = &case.evidence {
                text += &format!("  evidence: {evidence}\n");
            }
        }
        if let Some(error) = &case.broken {
            text += &format!("\n{name}: not run: {error}\n");
        }
        if let Some(problem) = &case.clean_up_problem {
            text += &format!("\n{name}: not cleaned up: {problem} (sidecheck gc tries again)\n");
        }
    }
    text + &known_deviations(summary) + &left_out(summary)
}

fn known_deviations(summary: &RunSummary) -> String {
    let mut lines: Vec<String> = Vec::new();
    for case in &summary.cases {
        for verdict in
            case.verdicts.iter().filter(|verdict| verdict.outcome == Outcome::Violated && verdict.standing == Standing::Expected)
        {
            let line = format!("  {}: {}: {}\n", case.entry, verdict.promise, verdict.expectation.because);
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    if lines.is_empty() { String::new() } else { format!("\nKnown deviations, seen as expected:\n{}", lines.concat()) }
}

fn left_out(summary: &RunSummary) -> String {
    let mut lines: Vec<String> = Vec::new();
    for case in &summary.cases {
        if let Some(reason) = &case.not_applicable {
            let line = format!("  {}: {}: {reason}\n", case.entry, case.scenario);
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    if lines.is_empty() { String::new() } else { format!("\nNot applicable ({}):\n{}", lines.len(), lines.concat()) }
}
