//! The images that the pods of a run need: the witness, and the agents that the chosen scenarios name.

use std::{collections::BTreeMap, path::PathBuf};

use anyhow::Context as _;
use sidecheck_cluster::{ImageArchive, image, paths::Paths};
use sidecheck_core::agent::{Agent, AgentImage};

use crate::run::Progress;

/// Archives, ready to be loaded into a cluster.
#[derive(Debug, Clone)]
pub struct Images {
    /// The witness and the sink.
    pub witness: ImageArchive,
    /// The agents, by name.
    pub agents: BTreeMap<String, ImageArchive>,
}

impl Images {
    /// Makes what is missing in the cache: a few seconds for the witness, about half a minute for an agent's packages.
    ///
    /// # Errors
    /// The witness was not built (`scripts/build-static`), or an agent's packages can't be had.
    pub async fn prepare(paths: &Paths, agents: &BTreeMap<String, Agent>, progress: &Progress) -> anyhow::Result<Self> {
        let (paths, agents, progress) = (paths.clone(), agents.clone(), progress.clone());
        tokio::task::spawn_blocking(move || {
            let cache = paths.state.join("images");
            let witness = image::witness(&static_binaries(&paths), &cache).context("failed to make the witness image")?;
            let mut archives = BTreeMap::new();
            for (name, agent) in agents {
                let AgentImage::Debian { suite, packages } = &agent.image;
                let archive = image::debian(&name, suite, packages, &cache, &|line| progress.say(line));
                archives.insert(name.clone(), archive.with_context(|| format!("failed to make the image of agent {name}"))?);
            }
            Ok(Self { witness, agents: archives })
        })
        .await?
    }

    /// All archives.
    pub fn all(&self) -> Vec<ImageArchive> {
        std::iter::once(&self.witness).chain(self.agents.values()).cloned().collect()
    }

    /// The agents' image names, by agent.
    pub fn agent_names(&self) -> BTreeMap<String, String> {
        self.agents.iter().map(|(name, archive)| (name.clone(), archive.name.clone())).collect()
    }
}

/// Where `scripts/build-static` leaves its programs.
fn static_binaries(paths: &Paths) -> PathBuf {
    let triple = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    paths.root.join("target/static").join(triple).join("release")
}
