//! Verdicts that differ between the repetitions of a run: what a soak is about.

use std::collections::BTreeMap;

use sidecheck_core::{
    expectation::Expected,
    verdict::{Outcome, Verdict},
};

use super::RunSummary;

/// What was checked, on which cluster: entry, scenario, place among the scenario's verdicts, promise, and the check in words.
type Checked<'a> = (&'a str, &'a str, usize, &'a str, &'a str);

/// A sentence, and a line for each check that did not come to the same every time; nothing for a run without repetitions.
/// Where Kubernetes leaves the answer open, it may differ: such a line says so.
pub fn flips(summary: &RunSummary) -> String {
    let repetitions = summary.cases.iter().map(|case| case.repetition).max().unwrap_or(1);
    if repetitions < 2 {
        return String::new();
    }
    let outcomes = outcomes(summary);
    let mut lines = Vec::new();
    let mut open = 0;
    for ((entry, scenario, _, promise, check), (expected, seen)) in outcomes.iter().filter(|(_, (_, seen))| seen.len() > 1) {
        let counts: Vec<String> = seen.iter().map(|(outcome, count)| format!("{count}x {outcome}")).collect();
        let left_open = *expected == Expected::Unspecified;
        open += usize::from(left_open);
        let why = if left_open { ", which Kubernetes leaves open" } else { "" };
        lines.push(format!("  {entry}: {scenario}: {promise} ({check}): {}{why}\n", counts.join(", ")));
    }
    let flipped = lines.len() - open;
    let times = |(_, seen): &(Expected, BTreeMap<Outcome, usize>)| seen.values().sum::<usize>();
    let up_to = if outcomes.values().all(|seen| times(seen) >= repetitions as usize) { "" } else { "up to " };
    let open = if open > 0 { format!(", beside {open} that Kubernetes leaves open") } else { String::new() };
    let end = if lines.is_empty() { ".\n" } else { ":\n" };
    format!("\n{} checks, {up_to}{repetitions} times each: {flipped} flipped{open}{end}{}", outcomes.len(), lines.concat())
}

/// How often each check came to what.
fn outcomes(summary: &RunSummary) -> BTreeMap<Checked<'_>, (Expected, BTreeMap<Outcome, usize>)> {
    let mut outcomes = BTreeMap::new();
    for case in &summary.cases {
        // Whether an agent loses lines is a rate, and has a table of its own.
        let is_rate = |verdict: &Verdict| case.tested.is_some() && verdict.lines.is_some();
        for (place, verdict) in case.verdicts.iter().enumerate().filter(|(_, verdict)| !is_rate(verdict)) {
            let checked = (case.entry.as_str(), case.scenario.as_str(), place, verdict.promise.as_str(), verdict.check.as_str());
            let (_, seen) = outcomes.entry(checked).or_insert((verdict.expectation.expected, BTreeMap::new()));
            *seen.entry(verdict.outcome).or_insert(0) += 1;
        }
    }
    outcomes
}
