//! The steps of a run: when each began and ended, and how.

use jiff::Timestamp;

use crate::{
    scenario::Step,
    trace::{Act, StepOutcome, Trace},
};

/// What became of one step.
#[derive(Debug, Clone, Default)]
pub(crate) struct StepRun {
    /// When it began, by the harness's clock.
    pub(crate) began: Option<Timestamp>,
    /// When it ended.
    pub(crate) ended: Option<Timestamp>,
    /// How it ended; `None` when the trace does not say.
    pub(crate) outcome: Option<StepOutcome>,
    /// The two events.
    pub(crate) events: Vec<u64>,
}

/// The steps in the order of the scenario.
#[derive(Debug, Clone)]
pub(crate) struct Steps(Vec<StepRun>);

impl Steps {
    pub(crate) fn of(trace: &Trace) -> Self {
        let mut steps = vec![StepRun::default(); trace.header.scenario.steps.len()];
        for event in &trace.events {
            match &event.act {
                Act::StepBegan { step } => {
                    let Some(run) = steps.get_mut(*step) else { continue };
                    run.began = event.at.map(|at| at.earliest);
                    run.events.push(event.seq);
                }
                Act::StepEnded { step, outcome } => {
                    let Some(run) = steps.get_mut(*step) else { continue };
                    run.ended = event.at.map(|at| at.latest);
                    run.outcome = Some(outcome.clone());
                    run.events.push(event.seq);
                }
                _ => {}
            }
        }
        Self(steps)
    }

    pub(crate) fn get(&self, step: usize) -> &StepRun {
        &self.0[step]
    }

    /// From the beginning of the first step that creates something to the end of the last step.
    pub(crate) fn window(&self, steps: &[Step]) -> Option<(Timestamp, Timestamp)> {
        let create = steps.iter().position(|step| *step == Step::Create).unwrap_or(0);
        let from = self.0.get(create)?.began?;
        let to = self.0.iter().filter_map(|run| run.ended).max()?;
        Some((from, to.max(from)))
    }

    /// The first step that the infrastructure made fail, and the cause.
    pub(crate) fn failure(&self) -> Option<(usize, &str)> {
        self.0.iter().enumerate().find_map(|(index, run)| match &run.outcome {
            Some(StepOutcome::Failed { cause }) => Some((index, cause.as_str())),
            _ => None,
        })
    }

    /// The first step before that one which did not end well.
    pub(crate) fn trouble_before(&self, step: usize) -> Option<(usize, &StepOutcome)> {
        self.0[..step].iter().enumerate().find_map(|(index, run)| match &run.outcome {
            Some(StepOutcome::Done | StepOutcome::Skipped) | None => None,
            Some(outcome) => Some((index, outcome)),
        })
    }
}
