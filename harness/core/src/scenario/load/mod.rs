//! Reading scenario files: what the types can't say is checked here, each message with file and line.

use std::collections::BTreeSet;

use super::{Check, Container, Goal, Pod, Scenario, Step};
use crate::yaml::{self, YamlError};

/// A scenario file that can't be used.
pub type ScenarioError = YamlError;

impl Scenario {
    /// Reads a scenario from its YAML text.
    ///
    /// # Errors
    /// File and line of the first thing that is wrong: what YAML and types refuse, no or several workloads, a name that
    /// is used twice or not at all, an agent with a behaviour, a step or promise that does not fit the workload.
    pub fn parse(file: &str, text: &str) -> Result<Self, ScenarioError> {
        let scenario: Self = yaml::from_str(file, text)?;
        let fail = |needle: &str, message: String| YamlError { file: file.to_owned(), line: line_of(text, needle), message };

        let workloads = [scenario.pod.is_some(), scenario.job.is_some(), scenario.stateful_set.is_some()];
        if workloads.iter().filter(|present| **present).count() != 1 {
            return Err(fail("about:", "a scenario has exactly one of `pod`, `job` and `stateful_set`".to_owned()));
        }
        let pod = scenario.workload().pod();
        let mut names = BTreeSet::new();
        for container in pod.init_containers.iter().chain(&pod.mains) {
            if !names.insert(container.name.as_str()) {
                return Err(fail(&container.name, format!("two containers are named `{}`", container.name)));
            }
            if let Some(agent) = &container.agent
                && behaves(container)
            {
                let message =
                    format!("container `{}` is the agent {agent}: it can't have a witness's behaviour too", container.name);
                return Err(fail(&container.name, message));
            }
        }
        if let Some(main) = pod.mains.iter().find(|main| main.sidecar) {
            return Err(fail(&main.name, format!("`{}` is a main: only an init container can be a sidecar", main.name)));
        }
        for named in scenario.containers_named() {
            if !names.contains(named.as_str()) {
                return Err(fail(&named, format!("no container is named `{named}`")));
            }
        }
        for check in scenario.promises.iter().map(|promise| &promise.check) {
            if let Some((container, kind)) = wrong_probe(check, pod) {
                let message = format!("`{check}` needs a container `{container}` with its {kind} probe as its only probe");
                return Err(fail(&format!("name: {container}"), message));
            }
        }
        if scenario.promises.iter().any(|promise| promise.check.is_about_rollout()) && scenario.stateful_set.is_none() {
            return Err(fail("promises:", "a promise about ordinals needs a `stateful_set`".to_owned()));
        }
        if scenario.steps.contains(&Step::Update) && scenario.stateful_set.is_none() {
            return Err(fail("update", "the step `update` needs a `stateful_set`".to_owned()));
        }
        let delivers = |promise: &super::Promise| matches!(promise.check, Check::DeliversEveryLine { .. });
        if scenario.promises.iter().any(delivers) && scenario.sink.is_none() {
            return Err(fail("delivers_every_line", "a promise about lines needs a `sink`".to_owned()));
        }
        Ok(scenario)
    }

    /// Every container name that steps and promises mention.
    fn containers_named(&self) -> Vec<String> {
        let goals = self.steps.iter().filter_map(|step| match step {
            Step::Await(wait) => Some(&wait.goal),
            Step::Stays(stays) => Some(&stays.goal),
            Step::Create | Step::Delete | Step::Update => None,
        });
        let in_steps = goals.filter_map(|goal| match goal {
            Goal::Container(goal) => Some(goal.name.clone()),
            _ => None,
        });
        let pod = self.workload().pod();
        let endings = pod.init_containers.iter().chain(&pod.mains).filter_map(|container| container.exits.as_ref());
        let in_endings = endings.filter_map(|exits| exits.once_started.clone());
        in_steps.chain(in_endings).chain(self.promises.iter().flat_map(|promise| promise.check.containers())).collect()
    }
}

/// The container that a check about a probe can't be put to, and the kind of the probe: the runtime does not tell kinds apart,
/// so it must be the only one. What probes an agent has is the agent's matter.
fn wrong_probe<'a>(check: &'a Check, pod: &Pod) -> Option<(&'a str, &'static str)> {
    let (container, kind) = match check {
        Check::StartsAfterProbe { gate, .. } => (gate, "startup"),
        Check::WaitsForReadyAbove { container } => (container, "readiness"),
        _ => return None,
    };
    let found = pod.init_containers.iter().chain(&pod.mains).find(|one| one.name == *container)?;
    let (startup, readiness) = (found.startup_probe.is_some(), found.readiness_probe.is_some());
    let right = found.agent.is_some() || if kind == "startup" { startup && !readiness } else { readiness && !startup };
    (!right).then_some((container.as_str(), kind))
}

fn behaves(container: &Container) -> bool {
    let Container { startup_probe, readiness_probe, exits, stop_takes, writes, .. } = container;
    startup_probe.is_some() || readiness_probe.is_some() || exits.is_some() || stop_takes.millis() > 0 || writes.is_some()
}

impl Check {
    /// The containers that the check names.
    pub fn containers(&self) -> Vec<String> {
        let names: Vec<&String> = match self {
            Self::StartsAfter { first, then } | Self::StopsAfter { first, then } => vec![first, then],
            Self::StartsAfterProbe { gate, then } => vec![gate, then],
            Self::RestartsDuring { container, during } => vec![container, during],
            Self::RunsOnce { container }
            | Self::NeverStarts { container }
            | Self::RestartPolicyDropped { container }
            | Self::WaitsForReadyAbove { container }
            | Self::OldGoneBeforeNewStarts { container } => vec![container],
            Self::DeliversEveryLine { producer } => vec![producer],
            Self::ReplacesHighestOrdinalFirst | Self::ReplacesOneAtATime => vec![],
        };
        names.into_iter().cloned().collect()
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

/// The first line that has the needle outside a comment, counted from 1: good enough to find a name in a short file.
pub fn line_of(text: &str, needle: &str) -> u64 {
    let position = text.lines().position(|line| line.split('#').next().unwrap_or_default().contains(needle));
    position.map_or(1, |index| index as u64 + 1)
}
