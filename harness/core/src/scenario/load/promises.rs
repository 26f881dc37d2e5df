//! The promises of a scenario.

use super::{Wrong, published};
use crate::scenario::{Check, Container, Pod, Point, PointMoment, Scenario};

pub(super) fn check(scenario: &Scenario) -> Result<(), Wrong> {
    let pod = scenario.workload().pod();
    for promise in &scenario.promises {
        let check = &promise.check;
        if let Some(unknown) = check.containers().iter().find(|name| !pod.containers().any(|one| one.name == **name)) {
            return Err(Wrong::new(unknown, format!("no container is named `{unknown}`")));
        }
        if let Some((container, need)) = wrong_exec(check, pod) {
            let message = format!("`{check}` needs a container `{container}` with its {need} as its only probe or hook");
            return Err(Wrong::new(format!("name: {container}"), message));
        }
        if let Some(message) = ill_formed(check) {
            return Err(Wrong::new(format!("name: {}", promise.name), format!("`{check}` {message}")));
        }
        if let Check::Shows(shows) = check
            && shows.of != "created"
        {
            let facts = [&shows.always, &shows.ever, &shows.never, &shows.finally].into_iter().flatten();
            published::check(scenario, &shows.of, shows.given.iter().chain(facts))?;
        }
        if check.is_about_rollout() && scenario.stateful_set.is_none() {
            return Err(Wrong::new("promises:", "a promise about ordinals needs a `stateful_set`"));
        }
        if let Some(producer) = check.producer() {
            let needle = format!("name: {}", promise.name);
            if scenario.sink.is_none() {
                return Err(Wrong::new(needle, "a promise about lines needs a `sink`"));
            }
            if pod.containers().any(|one| one.name == *producer && one.writes.is_none()) {
                return Err(Wrong::new(needle, format!("`{producer}` has no `writes`")));
            }
        }
        if let Check::CallsAreAnswered { container } = check
            && pod.containers().any(|one| one.name == *container && one.calls.is_none())
        {
            return Err(Wrong::new(format!("name: {}", promise.name), format!("`{container}` has no `calls`")));
        }
    }
    Ok(())
}

fn ill_formed(check: &Check) -> Option<&'static str> {
    match check {
        Check::Before(points) if points.len() < 2 => Some("has no two moments"),
        Check::Before(points) if points.windows(2).any(|pair| pair[0] == pair[1]) => Some("has one moment twice"),
        Check::Together(containers) if containers.len() < 2 => Some("has no two containers"),
        Check::Together(containers) if (1..containers.len()).any(|at| containers[..at].contains(&containers[at])) => {
            Some("has one container twice")
        }
        Check::Takes(takes) if takes.from == takes.to => Some("has one moment twice"),
        Check::Takes(takes) => match (takes.at_least, takes.at_most) {
            (None, None) => Some("has no bound"),
            (Some(at_least), Some(at_most)) if at_least > at_most => Some("has bounds that nothing keeps to"),
            _ => None,
        },
        Check::Runs(runs) => match (runs.at_least, runs.exactly) {
            (Some(0), None) | (None, Some(0)) => Some("is no number of runs: `never_starts` is a check of its own"),
            (Some(_), None) | (None, Some(_)) => None,
            _ => Some("has not one of `at_least` and `exactly`"),
        },
        Check::Shows(shows) if shows.what().is_none() => Some("has not one of `always`, `ever`, `never` and `finally`"),
        _ => None,
    }
}

/// The container that a check about a probe or hook can't be put to, and what it would need: the runtime sees commands
/// without their kind, so there must be one kind only. What probes an agent has is the agent's matter.
fn wrong_exec(check: &Check, pod: &Pod) -> Option<(String, &'static str)> {
    let wrong = |name: &str, need: &'static str, has: &dyn Fn(&Container) -> bool| {
        let found = pod.containers().find(|one| one.name == name)?;
        let right = found.agent.is_some() || (has(found) && found.execs() == 1);
        (!right).then(|| (name.to_owned(), need))
    };
    let of_point = |point: &Point| wrong(&point.container, point.needs()?, &|one| point.has(one));
    match check {
        Check::StartsAfterProbe { gate, .. } => wrong(gate, "startup probe", &|one| one.startup_probe.is_some()),
        Check::WaitsForReadyAbove { container } => wrong(container, "readiness probe", &|one| one.readiness_probe.is_some()),
        Check::Before(points) => points.iter().find_map(of_point),
        Check::Takes(takes) => of_point(&takes.from).or_else(|| of_point(&takes.to)),
        _ => None,
    }
}

impl Point {
    /// What a container must have for this moment to come, where not every one has it.
    pub(super) fn needs(&self) -> Option<&'static str> {
        match self.moment {
            PointMoment::Start | PointMoment::Exit | PointMoment::Term => None,
            PointMoment::Pass | PointMoment::Fail => Some("probe"),
            PointMoment::PostStartBegin | PointMoment::PostStartEnd => Some("postStart hook"),
            PointMoment::PreStopBegin | PointMoment::PreStopEnd => Some("preStop hook"),
        }
    }

    /// Whether the container has what the moment needs.
    pub(super) fn has(&self, container: &Container) -> bool {
        match self.moment {
            PointMoment::Start | PointMoment::Exit | PointMoment::Term => true,
            PointMoment::Pass | PointMoment::Fail => {
                let probes = [container.startup_probe, container.readiness_probe, container.liveness_probe];
                probes.iter().any(Option::is_some)
            }
            PointMoment::PostStartBegin | PointMoment::PostStartEnd => container.post_start.is_some(),
            PointMoment::PreStopBegin | PointMoment::PreStopEnd => container.pre_stop.is_some(),
        }
    }
}

impl Check {
    /// The containers that the check names.
    pub fn containers(&self) -> Vec<String> {
        let names: Vec<&String> = match self {
            Self::Before(points) => points.iter().map(|point| &point.container).collect(),
            Self::Together(containers) => containers.iter().collect(),
            Self::Takes(takes) => vec![&takes.from.container, &takes.to.container],
            Self::Runs(runs) => vec![&runs.container],
            Self::Exits(exits) => vec![&exits.container],
            Self::StartsAfter { first, then } | Self::StopsAfter { first, then } => vec![first, then],
            Self::StartsAfterProbe { gate, then } => vec![gate, then],
            Self::RestartsDuring { container, during } => vec![container, during],
            Self::RunsOnce { container }
            | Self::NeverStarts { container }
            | Self::CallsAreAnswered { container }
            | Self::RestartPolicyDropped { container }
            | Self::WaitsForReadyAbove { container }
            | Self::OldGoneBeforeNewStarts { container } => vec![container],
            Self::DeliversEveryLine { producer }
            | Self::DeliversLinesOnce { producer }
            | Self::DeliversLinesInOrder { producer } => vec![producer],
            Self::Shows(_) | Self::ReplacesHighestOrdinalFirst | Self::ReplacesOneAtATime => vec![],
        };
        names.into_iter().cloned().collect()
    }

    /// The container whose lines the check is about.
    fn producer(&self) -> Option<&String> {
        match self {
            Self::DeliversEveryLine { producer }
            | Self::DeliversLinesOnce { producer }
            | Self::DeliversLinesInOrder { producer } => Some(producer),
            _ => None,
        }
    }

    /// Whether the check is about the ordinals of a StatefulSet.
    pub fn is_about_rollout(&self) -> bool {
        matches!(
            self,
            Self::ReplacesHighestOrdinalFirst
                | Self::ReplacesOneAtATime
                | Self::WaitsForReadyAbove { .. }
                | Self::OldGoneBeforeNewStarts { .. }
        )
    }
}
