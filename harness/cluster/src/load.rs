//! Giving a cluster the images that its pods use.

use std::path::{Path, PathBuf};

use crate::{command::CommandError, engine::Engine, kind::Kind, progress::Progress};

/// An image as `docker save` writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageArchive {
    /// Its full name, such as `docker.io/sidecheck/witness:0123456789ab`. The tag stands for the content: a node that
    /// has the name has the image.
    pub name: String,
    /// The archive.
    pub path: PathBuf,
}

impl ImageArchive {
    /// That of a log agent, in the folder where such archives are kept.
    pub(crate) fn of_agent(name: &str, tag: &str, cache_dir: &Path) -> Self {
        Self { name: format!("docker.io/sidecheck/agent-{name}:{tag}"), path: cache_dir.join(format!("agent-{name}-{tag}.tar")) }
    }
}

/// Loads those images that `node` lacks.
pub(crate) async fn load(
    kind: &Kind,
    engine: &Engine,
    cluster: &str,
    node: &str,
    images: &[ImageArchive],
    progress: &Progress,
) -> Result<(), CommandError> {
    if images.is_empty() {
        return Ok(());
    }
    let there = engine.docker(["exec", node, "ctr", "-n", "k8s.io", "images", "ls", "-q"]).run().await?.text();
    for image in images.iter().filter(|image| !there.lines().any(|name| is_same(name, &image.name))) {
        progress.say(format!("loading image {}", image.name));
        kind.load_archive(cluster, &image.path).await?;
    }
    Ok(())
}

/// containerd knows images by their full names.
fn is_same(full: &str, name: &str) -> bool {
    let rest = full.strip_suffix(name);
    matches!(rest, Some("" | "docker.io/" | "docker.io/library/"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn short_names_are_those_of_docker() {
        for name in ["docker.io/sidecheck/witness:1", "sidecheck/witness:1"] {
            assert!(super::is_same("docker.io/sidecheck/witness:1", name));
        }
        assert!(!super::is_same("docker.io/other/sidecheck/witness:1", "sidecheck/witness:1"));
    }
}
