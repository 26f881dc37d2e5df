//! The files of `suites/` and `clusters/`: scenarios, agents, deviations and the matrix, read once and checked.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use sidecheck_core::{
    agent::{Agent, AgentImage, Chosen},
    catalogue::Catalogue,
    deviation::{Deviation, Deviations},
    scenario::{AgentCase, Container, Scenario, line_of},
    yaml::YamlError,
};

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
        let mut catalog = Self { agents: agents(root)?, deviations: deviations(root)?, ..Self::default() };
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

    /// A loss that is documented for a scenario that nobody has would be expected nowhere.
    fn check_documented_losses(&self, root: &Path) -> Result<(), CatalogError> {
        let situations: BTreeSet<&str> =
            self.scenarios.iter().filter_map(|listed| Some(listed.scenario.tested.as_ref()?.situation.as_str())).collect();
        for (name, agent) in &self.agents {
            let losses = agent.configurations.values().flat_map(|configuration| &configuration.documented_loss);
            let mut named = losses.flat_map(|loss| loss.scenarios.keys());
            if let Some(unknown) = named.find(|named| !situations.contains(named.as_str())) {
                let file = format!("suites/agents/{name}.yaml");
                let line = line_of(&read(&root.join(&file))?, unknown);
                let message = format!("no scenario `{unknown}` is run with every agent");
                return Err(YamlError { file, line, message }.into());
            }
        }
        Ok(())
    }

    /// The agents that a scenario names, by name.
    pub fn agents_of(&self, scenario: &Scenario) -> BTreeMap<String, Agent> {
        let chosen = containers(scenario).filter_map(|container| container.agent.as_ref()?.parse::<Chosen>().ok());
        chosen.filter_map(|chosen| Some((chosen.name.clone(), self.agents.get(&chosen.name)?.clone()))).collect()
    }

    fn check_agents(&self, listed: &Listed) -> Result<(), YamlError> {
        let only = listed.scenario.agents.iter().flat_map(|pattern| &pattern.only);
        for named in only.chain(containers(&listed.scenario).filter_map(|container| container.agent.as_ref())) {
            self.check_agent(named).map_err(|message| YamlError {
                file: listed.file.display().to_string(),
                line: line_of(&listed.text, named),
                message,
            })?;
        }
        Ok(())
    }

    fn check_agent(&self, named: &str) -> Result<(), String> {
        let chosen: Chosen = named.parse()?;
        let name = &chosen.name;
        let unknown = || format!("unknown agent `{name}`: there is no suites/agents/{name}.yaml");
        let agent = self.agents.get(name).ok_or_else(unknown)?;
        agent.configuration(&chosen).map(drop).map_err(|why| format!("agent {name} {why}"))
    }
}

/// Where agents' files lie, each with the folders that it names beside it.
pub fn agent_folder(root: &Path) -> PathBuf {
    root.join("suites/agents")
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

fn agents(root: &Path) -> Result<BTreeMap<String, Agent>, CatalogError> {
    let folder = agent_folder(root);
    let mut agents = BTreeMap::new();
    for file in yaml_files(&folder)? {
        let shown = file.strip_prefix(root).unwrap_or(&file).display().to_string();
        let (text, name) = (read(&file)?, stem(&file));
        let agent = Agent::parse(&shown, &text)?;
        if !is_agent_name(&name) {
            let message = format!("`{name}` is no name of an agent: up to 30 small letters, digits, `-` and `.`");
            return Err(YamlError { file: shown, line: 1, message }.into());
        }
        if let AgentImage::Go(program) = &agent.image
            && !folder.join(&program.module).join("go.mod").is_file()
        {
            let message = format!("there is no suites/agents/{0}/go.mod for `module: {0}`", program.module);
            let line = line_of(&text, &format!("module: {}", program.module));
            return Err(YamlError { file: shown, line, message }.into());
        }
        agents.insert(name, agent);
    }
    Ok(agents)
}

/// It becomes part of the names of images, objects and volumes.
fn is_agent_name(name: &str) -> bool {
    let is_end = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    name.len() <= 30
        && name.starts_with(is_end)
        && name.ends_with(is_end)
        && name.chars().all(|c| is_end(c) || c == '-' || c == '.')
}

fn deviations(root: &Path) -> Result<Deviations, CatalogError> {
    Ok(Deviations::parse("suites/deviations.yaml", &read(&root.join("suites/deviations.yaml"))?)?)
}

/// A file's name without its ending.
fn stem(file: &Path) -> String {
    file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

fn containers(scenario: &Scenario) -> impl Iterator<Item = &Container> {
    scenario.workload().pod().containers()
}

fn yaml_files(folder: &Path) -> Result<Vec<PathBuf>, CatalogError> {
    let files = sorted(folder)?.into_iter();
    Ok(files.filter(|path| path.extension().is_some_and(|ending| ending == "yaml")).collect())
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>, CatalogError> {
    let fail = |source| CatalogError::Read { path: folder.to_owned(), source };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fail)? {
        paths.push(entry.map_err(fail)?.path());
    }
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> Result<String, CatalogError> {
    std::fs::read_to_string(path).map_err(|source| CatalogError::Read { path: path.to_owned(), source })
}
