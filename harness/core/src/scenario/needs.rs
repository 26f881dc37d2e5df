//! What a cluster must have for a scenario to apply.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    environment::{Capability, Environment},
    release::ReleaseRange,
};

/// The needs of a scenario; where one is not met, the scenario is `not-applicable`, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Needs {
    /// Feature gates and the state that each must have.
    #[serde(default)]
    pub gates: BTreeMap<String, bool>,
    /// Releases that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub releases: Option<ReleaseRange>,
    /// What must be possible on the cluster.
    #[serde(default)]
    pub capabilities: Vec<Capability>,
}

impl Needs {
    /// Why the scenario does not apply to that cluster, or `None` when it does.
    pub fn unmet(&self, environment: &Environment) -> Option<String> {
        for (gate, wanted) in &self.gates {
            let state = |on: bool| if on { "on" } else { "off" };
            match environment.gates.get(gate) {
                Some(found) if found == wanted => {}
                Some(found) => return Some(format!("needs the gate {gate} {}, it is {}", state(*wanted), state(*found))),
                None => return Some(format!("needs the gate {gate} {}, its state is not known", state(*wanted))),
            }
        }
        if let Some(range) = &self.releases
            && !range.contains(&environment.release)
        {
            return Some(format!("is about releases {range}, this is {}", environment.release));
        }
        let missing = self.capabilities.iter().find(|needed| !environment.capabilities.contains(needed))?;
        Some(format!("needs the capability {missing:?}, which this cluster lacks"))
    }
}
