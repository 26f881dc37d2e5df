//! Patterns: what is run with every agent.

use super::Wrong;
use crate::scenario::{AGENT, Placement, Scenario};

pub(super) fn check(scenario: &Scenario) -> Result<(), Wrong> {
    if scenario.tested.is_some() {
        return Err(Wrong::new("tested:", "`tested` is what a case made from `agents` has; no file says it"));
    }
    let Some(pattern) = &scenario.agents else { return Ok(()) };
    if scenario.sink.is_some() {
        return Err(Wrong::new("sink:", "with `agents`, the sink is what each agent speaks to: no `sink` beside it"));
    }
    if pattern.placements.is_empty() || pattern.reads.is_empty() {
        return Err(Wrong::new("agents:", "`agents` needs at least one of `placements`, and one of `reads`"));
    }
    let pod = scenario.workload().pod();
    if let Some(other) = pod.containers().find(|one| one.agent.is_some() || one.name == AGENT) {
        return Err(Wrong::new(
            &other.name,
            format!("with `agents`, the agent is put into the pod as `{AGENT}`, and is the only one"),
        ));
    }
    if !pod.mains.iter().any(|main| main.writes.is_some()) {
        return Err(Wrong::new("agents:", "with `agents`, a main must have `writes`"));
    }
    if pattern.placements.contains(&Placement::EndedByMain) && !pod.mains.iter().any(|main| main.exits.is_some()) {
        return Err(Wrong::new("ended-by-main", "no main ends by itself and could end the agent: `exits` is missing"));
    }
    Ok(())
}
