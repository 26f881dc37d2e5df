//! The agents' files, and whether what scenarios and agents say about each other is there.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use sidecheck_core::{
    agent::{Agent, AgentImage, Chosen},
    scenario::{Container, Scenario, line_of},
    yaml::YamlError,
};

use super::{
    Catalog, CatalogError, Listed,
    files::{read, stem, yaml_files},
};

/// Where agents' files lie, each with the folders that it names beside it.
pub fn agent_folder(root: &Path) -> PathBuf {
    root.join("suites/agents")
}

/// Reads all agents, by name.
pub(super) fn load(root: &Path) -> Result<BTreeMap<String, Agent>, CatalogError> {
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

impl Catalog {
    /// A loss that is documented for a scenario that nobody has would be expected nowhere.
    pub(super) fn check_documented_losses(&self, root: &Path) -> Result<(), CatalogError> {
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

    pub(super) fn check_agents(&self, listed: &Listed) -> Result<(), YamlError> {
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

fn containers(scenario: &Scenario) -> impl Iterator<Item = &Container> {
    scenario.workload().pod().containers()
}
