//! Reading scenario files: what the types can't say is checked here, each message with file and line.

mod agents;
mod containers;
mod lines;
mod promises;
mod published;
mod steps;

use super::{Scenario, Tested, workload::KINDS};
use crate::{
    agent::Protocol,
    wrong::Wrong,
    yaml::{self, YamlError},
};

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
        let checked = one_workload(&scenario).and_then(|()| agents::check(&scenario)).and_then(|()| {
            // A pattern has no agent yet: it is checked with some.
            let placement = scenario.agents.as_ref().and_then(|pattern| pattern.placements.first());
            let filled = placement.map(|first| scenario.with_agent(Tested::sample(*first), Protocol::SyslogTcp));
            all(filled.as_ref().unwrap_or(&scenario))
        });
        checked.map(|()| scenario).map_err(|wrong| wrong.placed(file, |needle| line_of(text, needle)))
    }
}

fn all(scenario: &Scenario) -> Result<(), Wrong> {
    containers::check(scenario)?;
    steps::check(scenario)?;
    promises::check(scenario)
}

fn one_workload(scenario: &Scenario) -> Result<(), Wrong> {
    let wrong = || Wrong::new("about:", format!("a scenario has exactly one of {KINDS}"));
    scenario.one_workload().map(drop).ok_or_else(wrong)
}

/// The first line that has the needle outside a comment, counted from 1: good enough to find a name in a short file.
pub fn line_of(text: &str, needle: &str) -> u64 {
    let position = text.lines().position(|line| line.split('#').next().unwrap_or_default().contains(needle));
    position.map_or(1, |index| index as u64 + 1)
}
