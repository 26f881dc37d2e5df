//! What the user asks about agents' images on the command line.

use std::{collections::BTreeMap, path::PathBuf};

use clap::Args;
use sidecheck_cluster::{image, paths::Paths};
use sidecheck_core::agent::Agent;

use super::{ImageSources, Images};
use crate::{catalog::Catalog, run::Progress};

/// Options of commands that need agents' images.
#[derive(Debug, Clone, Default, Args)]
pub struct AskedImages {
    /// Takes the agent's image from this file, as `docker save` writes it or as an OCI layout in a tar archive; may be given
    /// several times.
    #[arg(long, value_name = "AGENT=FILE", value_parser = archive)]
    image_archive: Vec<(String, PathBuf)>,
    /// Ends with exit code 3 when this agent's image can't be had, instead of leaving its cases out; may be given several times.
    #[arg(long, value_name = "AGENT")]
    require: Vec<String>,
}

/// A name that is no agent's.
#[derive(Debug, thiserror::Error)]
#[error("{option}: there is no agent `{name}`; suites/agents has {known}")]
pub struct UnknownAgent {
    option: &'static str,
    name: String,
    known: String,
}

fn archive(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => Ok((name.to_owned(), PathBuf::from(file))),
        _ => Err("is not AGENT=FILE, such as fluent-bit=fluent-bit.tar".to_owned()),
    }
}

impl AskedImages {
    /// Whether all names are agents.
    ///
    /// # Errors
    /// The first that is none.
    pub fn check(&self, catalog: &Catalog) -> Result<(), UnknownAgent> {
        let archives = self.image_archive.iter().map(|(name, _)| ("--image-archive", name));
        let mut names = archives.chain(self.require.iter().map(|name| ("--require", name)));
        let unknown = names.find(|(_, name)| !catalog.agents.contains_key(*name));
        unknown.map_or(Ok(()), |(option, name)| {
            let known = catalog.agents.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            Err(UnknownAgent { option, name: name.clone(), known })
        })
    }

    /// The agents that are needed, and those that are required.
    pub fn with_required(&self, needed: BTreeMap<String, Agent>, catalog: &Catalog) -> BTreeMap<String, Agent> {
        let required = catalog.agents.iter().filter(|(name, _)| self.require.contains(name));
        needed.into_iter().chain(required.map(|(name, agent)| (name.clone(), agent.clone()))).collect()
    }

    /// The images from the archives that were given. Of two archives for one agent, the last one counts.
    ///
    /// # Errors
    /// The first archive that can't be used.
    pub async fn sources(&self, paths: &Paths, progress: &Progress) -> anyhow::Result<ImageSources> {
        let mut sources = ImageSources::default();
        for (name, file) in self.image_archive.iter().cloned() {
            let (agent, cache, shown) = (name.clone(), paths.state.join("images"), file.display().to_string());
            let adopted = tokio::task::spawn_blocking(move || image::adopt(&agent, &file, &cache)).await??;
            let called = adopted.called.map(|called| format!("{called} ")).unwrap_or_default();
            progress.say(&format!("image of agent {name}: {called}from {shown}"));
            sources.archives.insert(name, adopted.archive);
        }
        Ok(sources)
    }

    /// Fails when a required agent's image is missing.
    ///
    /// # Errors
    /// All that are missing, with the reasons.
    pub fn check_required(&self, images: &Images) -> anyhow::Result<()> {
        let missing = images.missing.iter().filter(|(name, _)| self.require.contains(name));
        let missing: Vec<String> = missing.map(|(name, reason)| format!("{name}: {reason}")).collect();
        anyhow::ensure!(missing.is_empty(), "the image of a required agent can't be had: {}", missing.join("; "));
        Ok(())
    }
}
