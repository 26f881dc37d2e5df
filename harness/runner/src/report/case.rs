//! One case: its verdicts with what each witness says, and the chart of what was seen.

use maud::{Markup, html};
use sidecheck_core::{
    trace::Trace,
    verdict::{Outcome, Standing, Verdict},
};

use super::{anchor, chart};
use crate::show::{CaseSummary, again};

/// Folded, unless something is not as expected.
pub(super) fn case(case: &CaseSummary, trace: Result<Trace, String>) -> Markup {
    html! {
        details.case id=(anchor(case)) open[!is_as_expected(case)] {
            summary { (case.scenario) (again(case.repetition)) " on " (case.entry) " " small { (case.seconds) " s" } }
            @if let Some(error) = &case.broken { p.open { "Not run: " (error) } }
            @if let Some(problem) = &case.clean_up_problem { p.open { "Not cleaned up: " (problem) } }
            @match trace {
                Ok(trace) => {
                    p { (trace.header.scenario.about) }
                    (chart::chart(&trace))
                }
                Err(_) if case.broken.is_some() => {}
                Err(why) => p.none { "No chart: " (why) }
            }
            @for verdict in &case.verdicts { (verdict_of(verdict)) }
            @if let Some(evidence) = &case.evidence { p.evidence { "evidence: " code { (evidence) } } }
        }
    }
}

/// Whether it was run, cleaned up, and every verdict is as expected.
pub(super) fn is_as_expected(case: &CaseSummary) -> bool {
    let mut verdicts = case.verdicts.iter();
    case.broken.is_none() && case.clean_up_problem.is_none() && verdicts.all(|verdict| verdict.standing.is_as_expected())
}

fn verdict_of(verdict: &Verdict) -> Markup {
    let class = match (verdict.standing, verdict.outcome) {
        (Standing::Unexpected, _) => "bad",
        (Standing::Undecided, _) => "open",
        (_, Outcome::Violated) => "known",
        _ => "good",
    };
    html! {
        div.verdict {
            p { span class={ "outcome " (class) } { (verdict.outcome) } " " b { (verdict.promise) } ": " (verdict.reason) }
            ul {
                @for testimony in &verdict.testimonies {
                    li {
                        (testimony.witness) ": "
                        @match testimony.says {
                            Some(true) => "yes",
                            Some(false) => "no",
                            None => "can't tell",
                        }
                        ", " (testimony.because)
                        @if let Some(gap) = testimony.gap_ms { " (" (gap) " ms apart)" }
                    }
                }
                li.expected { "expected: " (verdict.expectation.expected) " (" (verdict.expectation.because) ")" }
            }
        }
    }
}
