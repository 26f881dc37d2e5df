//! What rests on an agent that never worked. What was seen to happen against a promise stands, whatever the agent did; what did
//! not come to be may be missing because of it.

use super::Refused;
use crate::{
    case::Case,
    scenario::{Check, ContainerState, Goal, PodState, Step, When},
    trace::{Act, Witness},
};

/// Whether a promise may be broken because of these agents.
pub(crate) fn check(case: &Case<'_>, agents: &[Refused<'_>], check: &Check) -> bool {
    let is_agent = |name: &str| agents.iter().any(|agent| agent.container == name);
    match check {
        Check::DeliversEveryLine { producer }
        | Check::DeliversLinesOnce { producer }
        | Check::DeliversLinesInOrder { producer } => !any_line(case, Some(producer)),
        Check::Runs(runs) => is_agent(&runs.container),
        Check::Exits(exits) => is_agent(&exits.container),
        Check::RunsOnce { container } | Check::RestartsDuring { container, .. } => is_agent(container),
        Check::Shows(shows) => matches!(shows.what(), Some((When::Ever | When::Finally, _))),
        _ => false,
    }
}

/// Whether a wait may have run out because of an agent: a pod that is told to end does so whatever its containers do.
pub(crate) fn wait(case: &Case<'_>, step: usize, goal: &Goal) -> bool {
    let told_to_end = case.scenario().steps[..step].iter().any(|step| matches!(step, Step::Delete | Step::Evict));
    let ends = match goal {
        Goal::Pod(state) => *state == PodState::Ended,
        Goal::Container(goal) => goal.state == ContainerState::Terminated,
        _ => false,
    };
    !(told_to_end && ends)
}

/// Whether a state may have changed because of these agents: that of another container is its own.
pub(crate) fn stay(agents: &[Refused<'_>], goal: &Goal) -> bool {
    match goal {
        Goal::Container(goal) => agents.iter().any(|agent| agent.container == goal.name),
        _ => true,
    }
}

/// Whether the sink has a line of that producer, or of any.
pub(super) fn any_line(case: &Case<'_>, producer: Option<&str>) -> bool {
    case.trace.events.iter().any(|event| match &event.act {
        Act::Delivered(delivered) if event.witness == Witness::Sink && event.pod.is_some() => {
            delivered.lines() > 0 && producer.is_none_or(|producer| event.container.as_deref() == Some(producer))
        }
        _ => false,
    })
}
