//! The steps of a scenario.

use super::{Wrong, published};
use crate::scenario::{Ask, Disruption, Goal, PodState, Scenario, Step, Told, workload::KINDS};

pub(super) fn check(scenario: &Scenario) -> Result<(), Wrong> {
    for step in &scenario.steps {
        match step {
            Step::Update if !scenario.workload().rolls_out() => {
                return Err(Wrong::new("update", "the step `update` needs a `stateful_set`, `deployment` or `daemon_set`"));
            }
            Step::Scale(_) if scenario.stateful_set.is_none() && scenario.deployment.is_none() => {
                return Err(Wrong::new("scale", "the step `scale` needs a `stateful_set` or a `deployment`"));
            }
            Step::Kill(name) if !scenario.workload().pod().containers().any(|container| container.name == *name) => {
                return Err(Wrong::new(format!("kill: {name}"), format!("no container is named `{name}`")));
            }
            Step::Sink(_) if scenario.sink.is_none() => return Err(Wrong::new("sink", "a step `sink` needs a `sink`")),
            Step::Await(wait) => goal(scenario, &wait.goal)?,
            Step::Stays(stays) => {
                lasts(&stays.goal)?;
                goal(scenario, &stays.goal)?;
            }
            Step::Ask(ask) => question(ask)?,
            Step::Tell(tell) => {
                let pod = scenario.workload().pod();
                let listens = pod.containers().any(|container| {
                    let exits = container.exits.as_ref().is_some_and(|exits| exits.once_told);
                    container.name == tell.container && if tell.to == Told::Exit { exits } else { container.ready_when_told }
                });
                if !listens {
                    let field = if tell.to == Told::Exit { "exits: {once_told: true}" } else { "ready_when_told: true" };
                    let message = format!("no container `{}` with `{field}` can be told to {}", tell.container, tell.to);
                    return Err(Wrong::new(format!("container: {}", tell.container), message));
                }
            }
            _ => {}
        }
    }
    pairs(scenario)
}

/// Only what a watch shows is seen to change: a record only grows, and kubectl says what was true when it was asked.
fn lasts(goal: &Goal) -> Result<(), Wrong> {
    let word = match goal {
        Goal::Recorded(_) => "recorded",
        Goal::Kubectl(_) => "kubectl",
        _ => return Ok(()),
    };
    Err(Wrong::new(word, format!("`stays` can't have `{word}` as its goal: nothing shows that it stays so")))
}

fn goal(scenario: &Scenario, goal: &Goal) -> Result<(), Wrong> {
    let name = match goal {
        // A finalizer keeps them until their evidence is taken.
        Goal::Pod(PodState::Gone) if !scenario.workload().rolls_out() => {
            return Err(Wrong::new("gone", "a bare pod and that of a Job stay until they were judged: wait for `ended`"));
        }
        Goal::Container(goal) => &goal.name,
        Goal::Recorded(point) => &point.container,
        Goal::Shows(sight) if sight.facts.is_empty() => return Err(Wrong::new("shows", "`shows` without any fact")),
        Goal::Shows(sight) => return published::check(scenario, &sight.of, &sight.facts),
        _ => return Ok(()),
    };
    let Some(container) = scenario.workload().pod().containers().find(|container| container.name == *name) else {
        return Err(Wrong::new(name, format!("no container is named `{name}`")));
    };
    let Goal::Recorded(point) = goal else { return Ok(()) };
    let place = || point.to_string();
    if container.is_foreign() {
        return Err(Wrong::new(place(), format!("`{name}` is no witness, and records nothing")));
    }
    match (point.needs(), point.has(container)) {
        (Some(need), false) => Err(Wrong::new(place(), format!("`{name}` has no {need}"))),
        _ => Ok(()),
    }
}

fn question(ask: &Ask) -> Result<(), Wrong> {
    let place = || format!("promise: {}", ask.promise);
    match (&ask.create, &ask.patch) {
        (Some(created), None) if created.one_workload().is_none() => {
            Err(Wrong::new(place(), format!("`create` has exactly one of {KINDS}")))
        }
        (Some(_), None) if ask.subresource.is_some() => Err(Wrong::new(place(), "`subresource` belongs to `patch`")),
        (Some(_), None) | (None, Some(_)) => Ok(()),
        _ => Err(Wrong::new(place(), "an `ask` has either `create` or `patch`")),
    }
}

/// What is stopped must be started by the same scenario: others wait for the cluster.
fn pairs(scenario: &Scenario) -> Result<(), Wrong> {
    for (stop, start) in
        [(Disruption::StopKubelet, Disruption::StartKubelet), (Disruption::StopApiServer, Disruption::StartApiServer)]
    {
        let mut runs = true;
        for step in scenario.disruptions().into_iter().filter(|step| [&stop, &start].contains(step)) {
            if (*step == stop) != runs {
                let needle = if *step == stop { word(&stop) } else { word(&start) };
                let state = if runs { "it has not been stopped" } else { "it has been stopped already" };
                return Err(Wrong::new(needle, format!("a step to {step}, but {state}")));
            }
            runs = *step == start;
        }
        if !runs {
            return Err(Wrong::new(word(&stop), format!("a step to {stop}, and none to {start} after it")));
        }
    }
    Ok(())
}

/// How such a step is written.
fn word(disruption: &Disruption) -> &'static str {
    match disruption {
        Disruption::StopKubelet => "stop_kubelet",
        Disruption::StartKubelet => "start_kubelet",
        Disruption::StopApiServer => "stop_api_server",
        Disruption::StartApiServer => "start_api_server",
        _ => "disrupt:",
    }
}
