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

/// `suites/deviations.yaml`, and the part of a trace's header that says the same.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deviations {
    /// The deviations.
    pub deviations: Vec<Deviation>,
}

/// One known deviation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deviation<Promise = String> {
    /// The promise's name.
    pub promise: Promise,
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
    /// Reads the deviations from their YAML text, in which `promise` is a name, or a list of those that deviate alike.
    ///
    /// # Errors
    /// File and line of the first thing that is wrong.
    pub fn parse(file: &str, text: &str) -> Result<Self, YamlError> {
        let Written { deviations } = yaml::from_str(file, text)?;
        Ok(Self { deviations: deviations.into_iter().flat_map(Deviation::each).collect() })
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    deviations: Vec<Deviation<Promises>>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "the name of a promise, or a list of them")]
enum Promises {
    One(String),
    Several(Vec<String>),
}

impl Deviation<Promises> {
    fn each(self) -> Vec<Deviation> {
        let Self { promise, releases, gates, placements, expect, because, source } = self;
        let promises = match promise {
            Promises::One(promise) => vec![promise],
            Promises::Several(promises) => promises,
        };
        let of = |promise| Deviation {
            promise,
            releases: releases.clone(),
            gates: gates.clone(),
            placements: placements.clone(),
            expect,
            because: because.clone(),
            source: source.clone(),
        };
        promises.into_iter().map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_may_name_several_promises() {
        let text = "deviations: [{promise: [a, b], releases: '*', expect: violated, because: so, source: there}]";
        let read = Deviations::parse("deviations.yaml", text).expect("must parse");
        let names: Vec<&str> = read.deviations.iter().map(|deviation| deviation.promise.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        assert!(read.deviations.iter().all(|deviation| deviation.expect == Expected::Violated && deviation.because == "so"));
    }

    #[test]
    fn what_is_no_promise_is_refused_with_its_place() {
        let text = "deviations:\n- {promise: {a: b}, releases: '*', expect: violated, because: so, source: there}\n";
        let error = Deviations::parse("deviations.yaml", text).expect_err("no promise").to_string();
        assert!(error.contains("deviations.yaml:2") && error.contains("the name of a promise, or a list of them"), "{error}");
    }
}
