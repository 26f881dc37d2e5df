//! Scenarios that are run with every log agent: one file is a pattern, and makes a case for each agent, configuration, placement
//! and kind of logs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Check, Container, LogTarget, Placement, Pod, Scenario, Tested};
use crate::{
    agent::{Agent, DocumentedLoss, LogSource, Protocol},
    deviation::Deviation,
    release::ReleaseRange,
};

/// The name of the agent's container.
pub const AGENT: &str = "agent";
/// The gate without which there is no native sidecar.
const GATE: &str = "SidecarContainers";

/// With which agents a pattern is run, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agents {
    /// Only these agents; all of `suites/agents/`, where none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// How the agent stands in the pod. All but the first are left to nightly runs.
    pub placements: Vec<Placement>,
    /// Which logs it reads. All but the first are left to nightly runs.
    #[serde(default = "file")]
    pub reads: Vec<LogSource>,
}

fn file() -> Vec<LogSource> {
    vec![LogSource::File]
}

/// A case that was made from a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentCase {
    /// What is put behind the pattern's name, such as `rsyslog-lossless-native`.
    pub name: String,
    /// The scenario.
    pub scenario: Scenario,
    /// What the agent's makers document about this situation.
    pub deviations: Vec<Deviation>,
    /// Whether only nightly runs have it.
    pub nightly: bool,
}

impl Scenario {
    /// The cases of a pattern of that name, for each agent with each of its configurations; none for any other scenario.
    pub fn cases(&self, name: &str, agents: &BTreeMap<String, Agent>) -> Vec<AgentCase> {
        let Some(pattern) = &self.agents else { return vec![] };
        let ways = pattern.placements.iter().flat_map(|place| pattern.reads.iter().map(move |source| (*place, *source)));
        let ways: Vec<(Placement, LogSource)> = ways.collect();
        let mut cases = Vec::new();
        for (agent_name, agent) in agents.iter().filter(|(name, _)| pattern.only.is_empty() || pattern.only.contains(name)) {
            for (configuration, settings) in &agent.configurations {
                let readable = ways.iter().enumerate().filter(|(_, (_, source))| agent.reads.contains_key(source));
                for (way, &(placement, source)) in readable {
                    let tested = Tested {
                        situation: name.to_owned(),
                        agent: agent_name.clone(),
                        version: agent.version.expected.clone(),
                        configuration: configuration.clone(),
                        placement,
                        source,
                    };
                    cases.push(AgentCase {
                        name: tested.name(),
                        deviations: self.documented(name, &settings.documented_loss),
                        scenario: self.with_agent(tested, agent.speaks),
                        nightly: self.nightly || way > 0,
                    });
                }
            }
        }
        cases
    }

    /// The scenario with that agent in its pod.
    pub(super) fn with_agent(&self, tested: Tested, speaks: Protocol) -> Self {
        let mut scenario = Self { agents: None, sink: Some(speaks), ..self.clone() };
        if tested.placement == Placement::Native {
            scenario.needs.gates.insert(GATE.to_owned(), true);
        }
        if let Some(pod) = scenario.pod_mut() {
            place(pod, &tested);
        }
        Self { tested: Some(tested), ..scenario }
    }

    /// A documented loss is a deviation of the promise that every line arrives.
    fn documented(&self, name: &str, losses: &[DocumentedLoss]) -> Vec<Deviation> {
        let arrives = |check: &Check| matches!(check, Check::DeliversEveryLine { .. });
        let promises = self.promises.iter().filter(|promise| arrives(&promise.check));
        let here = losses.iter().filter_map(|loss| Some((loss, *loss.scenarios.get(name)?)));
        let deviation = |(loss, expect): (&DocumentedLoss, _)| {
            let because = format!("documented by its makers: when {}: {}", loss.when, loss.because);
            let of = |promise: &str| Deviation {
                promise: promise.to_owned(),
                releases: ReleaseRange::all(),
                gates: BTreeMap::new(),
                placements: vec![],
                expect,
                because: because.clone(),
                source: loss.source.clone(),
            };
            promises.clone().map(|promise| of(&promise.name)).collect::<Vec<_>>()
        };
        here.flat_map(deviation).collect()
    }

    fn pod_mut(&mut self) -> Option<&mut Pod> {
        let pods = [
            self.pod.as_mut(),
            self.job.as_mut().map(|job| &mut job.pod),
            self.stateful_set.as_mut().map(|set| &mut set.pod),
            self.deployment.as_mut().map(|deployment| &mut deployment.pod),
            self.daemon_set.as_mut().map(|set| &mut set.pod),
        ];
        pods.into_iter().flatten().next()
    }
}

fn place(pod: &mut Pod, tested: &Tested) {
    let agent = Container {
        agent: Some(format!("{}/{}/{}", tested.agent, tested.configuration, tested.source)),
        ..Container::named(AGENT)
    };
    for writes in pod.mains.iter_mut().filter_map(|main| main.writes.as_mut()) {
        writes.to = match tested.source {
            LogSource::File => writes.to,
            LogSource::ContainerLogs => LogTarget::Stdout,
        };
    }
    match tested.placement {
        Placement::Native => pod.init_containers.insert(0, Container { sidecar: true, ..agent }),
        Placement::Ordinary => pod.mains.insert(0, agent),
        Placement::EndedByMain => {
            for ending in pod.mains.iter_mut().filter_map(|main| main.exits.as_mut()) {
                ending.ends_others = true;
            }
            pod.mains.insert(0, agent);
            if pod.spec.is_null() {
                pod.spec = json!({});
            }
            pod.spec["shareProcessNamespace"] = Value::Bool(true);
        }
    }
}

impl Tested {
    /// What its case is told apart by.
    fn name(&self) -> String {
        let source = if self.source == LogSource::File { "" } else { "-container-logs" };
        format!("{}-{}-{}{source}", self.agent, self.configuration, self.placement)
    }

    /// Some agent: to check a pattern as if it were a scenario.
    pub(super) fn sample(placement: Placement) -> Self {
        let sample = || "sample".to_owned();
        let (agent, configuration) = (sample(), sample());
        Self { situation: sample(), agent, version: sample(), configuration, placement, source: LogSource::File }
    }
}
