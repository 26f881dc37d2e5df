//! Waits as promises: a wait that runs out of its budget on a live node is a promise broken, not a test that hung.
//!
//! The budget is generous and is no promise by itself: Kubernetes promises that things happen, not how fast. What makes
//! "not within 60 s" a statement about Kubernetes is the node's heartbeat in that time.

use jiff::SignedDuration;

use crate::{
    case::Case,
    lives::clock,
    pulse::{LONGEST_PAUSE, Lapse},
    quorum::Ruling,
    scenario::{Await, Stays},
    steps::StepRun,
    trace::{StepOutcome, Witness},
    verdict::{Outcome, Testimony},
};

/// The promise that a wait serves.
pub(crate) fn waited(case: &Case<'_>, step: usize, wait: &Await) -> Ruling {
    let run = case.steps.get(step);
    match &run.outcome {
        Some(StepOutcome::Done) => told(run, true, format!("{} after {}", wait.goal, took(run))),
        Some(StepOutcome::TimedOut { last_seen }) => {
            let (goal, within, took) = (&wait.goal, wait.within, took(run));
            let because =
                format!("not so that {goal} after {took} (the budget is {within} without a change); last seen: {last_seen}");
            on_a_live_node(case, run, told(run, false, because))
        }
        Some(StepOutcome::Changed { seen }) => told(run, false, format!("{seen} was seen instead")),
        other => not_done(case, step, other.as_ref()),
    }
}

/// The promise that something stays as it is.
pub(crate) fn stays(case: &Case<'_>, step: usize, stays: &Stays) -> Ruling {
    let run = case.steps.get(step);
    match &run.outcome {
        Some(StepOutcome::Done) => {
            let lasted = run.began.zip(run.ended).map(|(began, ended)| ended.duration_since(began));
            let lasting = SignedDuration::try_from(stays.lasting.duration()).unwrap_or(SignedDuration::MAX);
            if lasted.is_none_or(|lasted| lasted < lasting) {
                let reason = format!("it was watched for {} only, not for {}", took(run), stays.lasting);
                return Ruling::without_word(Outcome::Undecidable, reason);
            }
            let because = format!("{} for {}", stays.goal, took(run));
            on_a_live_node(case, run, told(run, true, because))
        }
        Some(StepOutcome::Changed { seen }) => {
            told(run, false, format!("not so that {} for {}: {seen}", stays.goal, stays.lasting))
        }
        Some(StepOutcome::TimedOut { last_seen }) => {
            told(run, false, format!("not so that {}; last seen: {last_seen}", stays.goal))
        }
        other => not_done(case, step, other.as_ref()),
    }
}

fn told(run: &StepRun, says: bool, because: String) -> Ruling {
    let witness = Witness::Harness;
    Ruling::by_one(Testimony { witness, says: Some(says), because, gap_ms: None, events: run.events.clone() })
}

/// The ruling, if the nodes lived through the step.
fn on_a_live_node(case: &Case<'_>, run: &StepRun, ruling: Ruling) -> Ruling {
    let Some((began, ended)) = run.began.zip(run.ended) else {
        return Ruling {
            outcome: Outcome::Undecidable,
            reason: "the trace does not say when the step began and ended".to_owned(),
            ..ruling
        };
    };
    match case.pulse.covers(began, ended) {
        Ok(()) => {
            let limit = LONGEST_PAUSE.as_secs();
            let reason =
                format!("{} (the nodes lived: no pause of their heartbeat over {limit} s up to {})", ruling.reason, clock(ended));
            Ruling { reason, ..ruling }
        }
        Err(lapse) => {
            let outcome = if lapse == Lapse::NoHeartbeat { Outcome::Undecidable } else { Outcome::Inconclusive };
            Ruling { outcome, reason: format!("{}, but {lapse}", ruling.reason), ..ruling }
        }
    }
}

/// A step that failed, was skipped, or of which the trace says nothing.
pub(super) fn not_done(case: &Case<'_>, step: usize, outcome: Option<&StepOutcome>) -> Ruling {
    if let Some(StepOutcome::Failed { cause }) = outcome {
        return Ruling::without_word(Outcome::Inconclusive, format!("the step failed: {cause}"));
    }
    let why = match case.steps.trouble_before(step) {
        // The judge makes it inconclusive, as everything else that lacks evidence because of it.
        Some((earlier, StepOutcome::Failed { cause })) => format!("step {} failed: {cause}", earlier + 1),
        Some((earlier, StepOutcome::TimedOut { .. })) => format!("step {} ran out of its budget", earlier + 1),
        Some((earlier, _)) => format!("step {} did not end well", earlier + 1),
        None => "the run was interrupted".to_owned(),
    };
    Ruling::without_word(Outcome::Undecidable, format!("not reached: {why}"))
}

fn took(run: &StepRun) -> String {
    let span = run.began.zip(run.ended).map(|(began, ended)| ended.duration_since(began));
    span.map_or_else(|| "an unknown time".to_owned(), |span| format!("{:.1} s", span.as_secs_f64()))
}
