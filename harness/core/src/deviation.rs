//! Known deviations: where a release is known not to keep a promise, with the source that says so.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    environment::Environment,
    expectation::Expected,
    release::ReleaseRange,
    scenario::{Placement, Scenario},
    yaml::{self, YamlError},
};

/// `suites/deviations.yaml`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deviations {
    /// The deviations.
    pub deviations: Vec<Deviation>,
}

/// One known deviation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deviation {
    /// The promise's name.
    pub promise: String,
    /// The releases that deviate.
    pub releases: ReleaseRange,
    /// Gate states in which they do.
    #[serde(default)]
    pub gates: BTreeMap<String, bool>,
    /// Placements of an agent in which they do; all, where none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub placements: Vec<Placement>,
    /// `violated`, or `unspecified` where Kubernetes leaves it open.
    pub expect: Expected,
    /// What happens instead.
    pub because: String,
    /// The upstream issue, change or document that says so.
    pub source: String,
}

impl Deviations {
    /// Reads the deviations from their YAML text.
    ///
    /// # Errors
    /// File and line of the first thing that is wrong.
    pub fn parse(file: &str, text: &str) -> Result<Self, YamlError> {
        yaml::from_str(file, text)
    }

    /// The deviation of a promise of the scenario on a release with those gates.
    pub fn find(&self, promise: &str, scenario: &Scenario, environment: &Environment) -> Option<&Deviation> {
        let placement = scenario.tested.as_ref().map(|tested| tested.placement);
        self.deviations.iter().find(|deviation| {
            deviation.promise == promise
                && deviation.releases.contains(&environment.release)
                && deviation.gates.iter().all(|(gate, state)| environment.gates.get(gate) == Some(state))
                && (deviation.placements.is_empty() || placement.is_some_and(|here| deviation.placements.contains(&here)))
        })
    }
}
