//! What scenarios cover of the catalogue.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Behaviour, Catalogue, Upstream};
use crate::yaml::YamlError;

/// Why a behaviour is not covered that neither a scenario nor the catalogue says anything about.
pub const NO_SCENARIO_YET: &str = "no scenario yet";

/// A scenario's word that one of its promises covers a behaviour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The id of the behaviour.
    pub behaviour: String,
    /// The scenario.
    pub scenario: String,
    /// The promise.
    pub promise: String,
    /// The scenario's file.
    pub file: String,
    /// The line of the claim in it.
    pub line: u64,
    /// The cluster entries that the scenario applies to.
    pub entries: Vec<String>,
}

/// A behaviour with what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The name of its section.
    pub section: String,
    /// The behaviour's id.
    pub id: String,
    /// The behaviour, in a sentence.
    pub says: String,
    /// The strongest evidence for it upstream.
    pub upstream: Upstream,
    /// Whether it is covered.
    #[serde(flatten)]
    pub coverage: Coverage,
}

/// Whether a behaviour is covered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Coverage {
    /// By at least one promise of a scenario.
    Covered {
        /// Those that do, each once.
        by: Vec<Cover>,
    },
    /// By none.
    NotCovered {
        /// Why.
        why: String,
    },
}

/// A promise that covers a behaviour.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cover {
    /// The scenario.
    pub scenario: String,
    /// The promise.
    pub promise: String,
    /// The cluster entries that the scenario applies to.
    pub entries: Vec<String>,
}

impl Row {
    /// Whether a scenario covers it.
    pub fn is_covered(&self) -> bool {
        matches!(self.coverage, Coverage::Covered { .. })
    }

    /// Whether a scenario that covers it applies to that cluster entry.
    pub fn is_covered_on(&self, entry: &str) -> bool {
        match &self.coverage {
            Coverage::Covered { by } => by.iter().flat_map(|cover| &cover.entries).any(|one| one == entry),
            Coverage::NotCovered { .. } => false,
        }
    }

    /// Whether it could be covered, for all that is known, and is not.
    pub fn is_open(&self) -> bool {
        matches!(&self.coverage, Coverage::NotCovered { why } if why == NO_SCENARIO_YET)
    }
}

/// Joins the catalogue with what scenarios claim to cover: a row per behaviour, in the order of the catalogue.
///
/// # Errors
/// File and line of a claim about a behaviour that there is not, or of a `why_not` although a scenario does.
pub fn coverage(catalogue: &Catalogue, claims: &[Claim]) -> Result<Vec<Row>, YamlError> {
    let known: BTreeSet<&str> = catalogue.behaviours().map(|(_, behaviour)| behaviour.id.as_str()).collect();
    if let Some(claim) = claims.iter().find(|claim| !known.contains(claim.behaviour.as_str())) {
        let message = format!("`{}` covers `{}`, which is no id in {}", claim.promise, claim.behaviour, catalogue.file);
        return Err(YamlError { file: claim.file.clone(), line: claim.line, message });
    }
    let mut by_id: BTreeMap<&str, Vec<&Claim>> = BTreeMap::new();
    for claim in claims {
        by_id.entry(&claim.behaviour).or_default().push(claim);
    }
    let row = |(section, behaviour): (&str, &Behaviour)| {
        let claims = by_id.get(behaviour.id.as_str());
        let coverage = match (claims, &behaviour.why_not) {
            (Some(claims), None) => Coverage::Covered { by: covers(claims) },
            (None, why) => Coverage::NotCovered { why: why.clone().unwrap_or_else(|| NO_SCENARIO_YET.to_owned()) },
            (Some(claims), Some(_)) => {
                let scenario = claims.first().map_or_else(String::new, |claim| claim.scenario.clone());
                let message = format!("`{}` has a why_not, but {scenario} covers it", behaviour.id);
                return Err(YamlError { file: catalogue.file.clone(), line: behaviour.line, message });
            }
        };
        let Behaviour { id, says, upstream, .. } = behaviour.clone();
        Ok(Row { section: section.to_owned(), id, says, upstream, coverage })
    };
    catalogue.behaviours().map(row).collect()
}

/// The promises behind claims; one with several checks claims the same several times.
fn covers(claims: &[&Claim]) -> Vec<Cover> {
    let mut covers: Vec<Cover> = Vec::new();
    for claim in claims {
        let Claim { scenario, promise, entries, .. } = (*claim).clone();
        let cover = Cover { scenario, promise, entries };
        if !covers.contains(&cover) {
            covers.push(cover);
        }
    }
    covers
}
