//! The files of `suites/` and `clusters/`: scenarios, agents, deviations and the matrix, read once and checked.

mod agents;
mod files;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use sidecheck_core::{
    agent::Agent,
    catalogue::Catalogue,
    deviation::{Deviation, Deviations},
    scenario::{AgentCase, Scenario},
    yaml::YamlError,
};

pub use self::agents::agent_folder;
use self::files::{read, sorted, stem, yaml_files};

/// A scenario with its place.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Suite and file name without its ending, such as `ordering/stop-on-delete`.
    pub name: String,
    /// The file, as a path below the project.
    pub file: PathBuf,
    /// The file's text, to name lines in it.
    pub text: String,
    /// The scenario.
    pub scenario: Scenario,
    /// Deviations of its own, before those of all: what an agent's makers document.
    pub deviations: Vec<Deviation>,
    /// Whether only nightly runs have it.
    pub nightly: bool,
}

impl Listed {
    /// What is known to deviate in it.
    pub fn deviations(&self, catalog: &Catalog) -> Deviations {
        Deviations { deviations: self.deviations.iter().chain(&catalog.deviations.deviations).cloned().collect() }
    }
}

/// All that the project's data files say about scenarios.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    /// The scenarios, by name.
    pub scenarios: Vec<Listed>,
    /// The agents, by name.
    pub agents: BTreeMap<String, Agent>,
    /// The known deviations.
    pub deviations: Deviations,
}

/// Why the files can't be used.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// A file says something that it can't say.
    #[error(transparent)]
    Content(#[from] YamlError),
    /// A file or folder can't be read.
    #[error("failed to read {path}: {source}")]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl Catalog {
    /// Reads `suites/` below the project's root. Every folder but `agents` and those without YAML files is a suite.
    ///
    /// # Errors
    /// The first file that can't be read or used, with file and line.
    pub fn load(root: &Path) -> Result<Self, CatalogError> {
        let suites = root.join("suites");
        let mut catalog = Self { agents: agents::load(root)?, deviations: deviations(root)?, ..Self::default() };
        for suite in sorted(&suites)?.into_iter().filter(|path| path.is_dir() && !path.ends_with("agents")) {
            for file in yaml_files(&suite)? {
                let listed = catalog.read(root, &file)?;
                catalog.scenarios.extend(listed);
            }
        }
        catalog.check_documented_losses(root)?;
        Ok(catalog)
    }

    /// Reads one file: a scenario, or a pattern, which makes a scenario for each agent.
    ///
    /// # Errors
    /// It can't be read or used.
    pub fn read(&self, root: &Path, file: &Path) -> Result<Vec<Listed>, CatalogError> {
        let listed = read_scenario(root, file)?;
        self.check_agents(&listed)?;
        if listed.scenario.agents.is_none() {
            return Ok(vec![listed]);
        }
        let case = |case: AgentCase| Listed {
            name: format!("{}/{}", listed.name, case.name),
            scenario: case.scenario,
            deviations: case.deviations,
            nightly: case.nightly,
            ..listed.clone()
        };
        Ok(listed.scenario.cases(&listed.name, &self.agents).into_iter().map(case).collect())
    }
}

/// Reads the catalogue of behaviours.
///
/// # Errors
/// It can't be read or used.
pub fn read_catalogue(root: &Path) -> Result<Catalogue, CatalogError> {
    Ok(Catalogue::parse("suites/catalogue.yaml", &read(&root.join("suites/catalogue.yaml"))?)?)
}

/// Reads one scenario file.
///
/// # Errors
/// It can't be read or used.
pub fn read_scenario(root: &Path, file: &Path) -> Result<Listed, CatalogError> {
    let shown = file.strip_prefix(root).unwrap_or(file).to_owned();
    let text = read(file)?;
    let scenario = Scenario::parse(&shown.display().to_string(), &text)?;
    let suite = file.parent().map(stem).unwrap_or_default();
    let name = format!("{suite}/{}", stem(file));
    let nightly = scenario.nightly;
    Ok(Listed { name, file: shown, text, scenario, deviations: vec![], nightly })
}

fn deviations(root: &Path) -> Result<Deviations, CatalogError> {
    Ok(Deviations::parse("suites/deviations.yaml", &read(&root.join("suites/deviations.yaml"))?)?)
}
