//! The run as one JSON document, for other programs and for `sidecheck report`.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use sidecheck_core::{
    scenario::Tested,
    verdict::{Exit, Verdict},
};

use crate::run::{CaseResult, Finished};

/// Version of this document.
const FORMAT: u32 = 1;

/// A run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunSummary {
    /// Version of this document; it grows with any change that is not an added field.
    pub format: u32,
    /// The run's name.
    pub run: String,
    /// The version of sidecheck.
    pub sidecheck: String,
    /// The entries, in the order of the table's columns.
    pub entries: Vec<String>,
    /// Whether the user interrupted it.
    pub interrupted: bool,
    /// How often each case was to be run, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Asked>,
    /// The cases.
    pub cases: Vec<CaseSummary>,
}

/// How often each case was to be run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// At most so many times; exactly so many, where it is not about an agent.
    pub repeat: u32,
    /// The share of runs that lose lines, in percent, which a case is to be above or below.
    pub settle_at: f64,
}

/// A case. Exactly one of `verdicts`, `not_applicable` and `broken` says what became of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CaseSummary {
    /// The cluster entry.
    pub entry: String,
    /// The scenario.
    pub scenario: String,
    /// Which repetition, from 1.
    pub repetition: u32,
    /// Which agent it is about, where it was made from a scenario with agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tested: Option<Tested>,
    /// How long it took, in seconds, without waiting for its turn.
    pub seconds: f64,
    /// The verdicts.
    #[serde(default)]
    pub verdicts: Vec<Verdict>,
    /// Why it does not apply.
    #[serde(default)]
    pub not_applicable: Option<String>,
    /// Why it could not be run.
    #[serde(default)]
    pub broken: Option<String>,
    /// The folder with the evidence.
    #[serde(default)]
    pub evidence: Option<String>,
    /// What could not be cleaned up; never changes a verdict.
    #[serde(default)]
    pub clean_up_problem: Option<String>,
}

impl RunSummary {
    /// A summary of a run with those entries, in their order.
    pub fn new(run: &str, entries: Vec<String>, interrupted: bool, finished: &[Finished]) -> Self {
        let cases = finished.iter().map(CaseSummary::of).collect();
        Self { entries, interrupted, ..Self::of_cases(run, cases) }
    }

    /// All verdicts, case by case.
    pub fn verdicts(&self) -> impl Iterator<Item = &Verdict> {
        self.cases.iter().flat_map(|case| &case.verdicts)
    }

    /// What the verdicts come to.
    pub fn exit(&self) -> Exit {
        Exit::of(self.verdicts())
    }

    /// A summary of cases from wherever they come; the entries are those of the cases, sorted. The cases stand in the order of
    /// scenario, entry and repetition.
    pub fn of_cases(run: &str, mut cases: Vec<CaseSummary>) -> Self {
        cases.sort_by(|a, b| (&a.scenario, &a.entry, a.repetition).cmp(&(&b.scenario, &b.entry, b.repetition)));
        let entries: BTreeSet<String> = cases.iter().map(|case| case.entry.clone()).collect();
        Self {
            format: FORMAT,
            run: run.to_owned(),
            sidecheck: env!("CARGO_PKG_VERSION").to_owned(),
            entries: entries.into_iter().collect(),
            interrupted: false,
            asked: None,
            cases,
        }
    }
}

impl CaseSummary {
    /// The summary of one case.
    pub fn of(finished: &Finished) -> Self {
        let mut summary = Self {
            entry: finished.entry.clone(),
            scenario: finished.scenario.clone(),
            repetition: finished.repetition,
            tested: finished.tested.clone(),
            seconds: (finished.took.as_secs_f64() * 10.0).round() / 10.0,
            verdicts: Vec::new(),
            not_applicable: None,
            broken: None,
            evidence: None,
            clean_up_problem: None,
        };
        match &finished.result {
            CaseResult::NotApplicable { reason } => summary.not_applicable = Some(reason.clone()),
            CaseResult::Broken { error } => summary.broken = Some(error.clone()),
            CaseResult::Judged { verdicts, evidence, clean_up_problem } => {
                summary.verdicts.clone_from(verdicts);
                summary.evidence = Some(evidence.display().to_string());
                summary.clean_up_problem.clone_from(clean_up_problem);
            }
        }
        summary
    }
}
