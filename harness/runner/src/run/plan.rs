//! What a run will do, checked before anything is created.

use std::collections::BTreeMap;

use globset::Glob;
use jiff::Timestamp;
use sidecheck_core::{
    environment::{Capability, Environment},
    expectation::NoExpectation,
    matrix::{Entry, Matrix},
    scenario::line_of,
};

use crate::catalog::{Catalog, Listed};

/// The chosen entries and scenarios.
#[derive(Debug, Clone)]
pub struct Plan {
    /// In the matrix's order.
    pub entries: Vec<Entry>,
    /// In the catalog's order.
    pub scenarios: Vec<Listed>,
}

/// Why a run can't be planned: all bad input.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// No such entry.
    #[error("unknown cluster entry `{name}`; clusters/matrix has {known}; an exact release such as 1.29.0 will do, too")]
    UnknownEntry {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// Something behind an exact release is no gate.
    #[error("{0}")]
    Gate(String),
    /// The glob can't be read.
    #[error("`{glob}` is not a glob: {said}")]
    Glob {
        /// The glob.
        glob: String,
        /// What is wrong with it.
        said: String,
    },
    /// Nothing to run.
    #[error(
        "no scenario matches {globs}; `sidecheck list` shows all, and --nightly runs those that are left to nightly runs, too"
    )]
    NoScenario {
        /// What was asked for.
        globs: String,
    },
    /// A promise without an expectation.
    #[error("{file}: on {entry}: {source}")]
    NoExpectation {
        /// The scenario's file, with the promise's line.
        file: String,
        /// The entry.
        entry: String,
        /// The promise, and what is missing.
        source: NoExpectation,
    },
}

/// Which scenarios are asked for.
#[derive(Debug, Clone, Copy)]
pub struct Globs<'a> {
    /// Globs over their names; all, where there is none.
    pub named: &'a [String],
    /// Those that are left to nightly runs, too. One that is named as it is, without any wildcard, is run anyway.
    pub nightly: bool,
}

impl Plan {
    /// Chooses entries (none named: the default pair) and scenarios (no glob: all).
    ///
    /// # Errors
    /// [`PlanError`], each with a message for the user.
    pub fn new(matrix: &Matrix, catalog: &Catalog, entries: &[String], globs: Globs<'_>) -> Result<Self, PlanError> {
        let plan = Self { entries: choose_entries(matrix, entries)?, scenarios: choose_scenarios(catalog, globs)? };
        let deviations: Vec<_> = plan.scenarios.iter().map(|listed| listed.deviations(catalog)).collect();
        for entry in &plan.entries {
            let environment = planned_environment(entry);
            let applies = |listed: &Listed| listed.scenario.needs.unmet(&environment).is_none();
            for (listed, deviations) in plan.scenarios.iter().zip(&deviations).filter(|(listed, _)| applies(listed)) {
                let expectations = sidecheck_core::expectations(&listed.scenario, deviations, &environment);
                expectations.map_err(|source| PlanError::NoExpectation {
                    file: format!("{}:{}", listed.file.display(), line_of(&listed.text, &source.promise)),
                    entry: entry.name.clone(),
                    source,
                })?;
            }
        }
        Ok(plan)
    }
}

/// The entries of those names or exact releases, or the default pair.
pub(crate) fn choose_entries(matrix: &Matrix, names: &[String]) -> Result<Vec<Entry>, PlanError> {
    if names.is_empty() {
        return Ok(matrix.defaults().cloned().collect());
    }
    let find = |name: &String| match (matrix.entry(name), Entry::exact(name)) {
        (Some(entry), _) => Ok(entry.clone()),
        (None, Some(exact)) => exact.map_err(PlanError::Gate),
        (None, None) => Err(PlanError::UnknownEntry {
            name: name.clone(),
            known: matrix.entries.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>().join(", "),
        }),
    };
    names.iter().map(find).collect()
}

fn choose_scenarios(catalog: &Catalog, globs: Globs<'_>) -> Result<Vec<Listed>, PlanError> {
    let Globs { named, nightly } = globs;
    let matchers = named.iter().map(|glob| {
        let compiled = Glob::new(glob).map_err(|error| PlanError::Glob { glob: glob.clone(), said: error.kind().to_string() })?;
        Ok(compiled.compile_matcher())
    });
    let matchers: Vec<_> = matchers.collect::<Result<_, PlanError>>()?;
    let chosen = |listed: &&Listed| matchers.is_empty() || matchers.iter().any(|matcher| matcher.is_match(&listed.name));
    let is_due = |listed: &&Listed| nightly || !listed.nightly || named.contains(&listed.name);
    let scenarios: Vec<Listed> = catalog.scenarios.iter().filter(chosen).filter(is_due).cloned().collect();
    if scenarios.is_empty() {
        let globs = if named.is_empty() { "anything".to_owned() } else { named.join(", ") };
        return Err(PlanError::NoScenario { globs });
    }
    Ok(scenarios)
}

/// What an entry's cluster will be found to be, if all goes well: enough to tell which scenarios apply, and what to expect.
pub fn planned_environment(entry: &Entry) -> Environment {
    Environment {
        entry: entry.name.clone(),
        release: entry.release.clone(),
        gates: entry.expect_gates.clone(),
        components: BTreeMap::new(),
        nodes: Vec::new(),
        capabilities: vec![Capability::NodeFiles, Capability::RestartKubelet, Capability::StopApiServer],
        runtime_resolution_ms: 0,
        calibration: None,
        node_image: String::new(),
        tools: BTreeMap::new(),
        created: Timestamp::UNIX_EPOCH,
    }
}
