//! The images that the pods of a run need: the witness, and the agents that the chosen scenarios name.

mod asked;
mod prepare;

use std::{collections::BTreeMap, path::PathBuf};

use anyhow::Context as _;
pub use asked::{AskedImages, UnknownAgent};
use sidecheck_cluster::{ImageArchive, engine::Engine, image, paths::Paths};
use sidecheck_core::agent::Agent;

use crate::run::Progress;

/// Archives, ready to be loaded into a cluster.
#[derive(Debug, Clone)]
pub struct Images {
    /// The witness and the sink.
    pub witness: ImageArchive,
    /// The agents whose images can be had, by name.
    pub agents: BTreeMap<String, ImageArchive>,
    /// The others, with the reason in a line.
    pub missing: BTreeMap<String, String>,
}

/// Where agents' images may come from besides what their files say.
#[derive(Debug, Clone, Default)]
pub struct ImageSources {
    /// Images from archives that the user gave, by agent. They go before all else.
    pub archives: BTreeMap<String, ImageArchive>,
    /// The engine that pulls; without one, nothing is pulled.
    pub engine: Option<Engine>,
}

impl Images {
    /// Makes what is missing in the cache: a few seconds for the witness, half a minute for an agent's packages, up to three
    /// minutes for a Go program. An agent's image that can't be had is [`Images::missing`].
    ///
    /// # Errors
    /// The witness was not built (`scripts/build-static`).
    pub async fn prepare(
        paths: &Paths,
        agents: &BTreeMap<String, Agent>,
        sources: &ImageSources,
        progress: &Progress,
    ) -> anyhow::Result<Self> {
        let cache = paths.state.join("images");
        let (binaries, witness_cache) = (static_binaries(paths), cache.clone());
        let witness = tokio::task::spawn_blocking(move || image::witness(&binaries, &witness_cache));
        let witness = witness.await?.context("failed to make the witness image")?;
        let mut images = Self { witness, agents: BTreeMap::new(), missing: BTreeMap::new() };
        for (name, agent) in agents {
            match prepare::archive(paths, name, agent, sources, progress).await {
                Ok(archive) => drop(images.agents.insert(name.clone(), archive)),
                Err(reason) => {
                    progress.say(&format!("image of agent {name}: {reason}"));
                    images.missing.insert(name.clone(), reason);
                }
            }
        }
        Ok(images)
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
