//! Images of others, by way of the engine: the one that it has, or else the one that it can pull.

use std::{path::Path, time::Duration};

use super::{ImageArchive, adopt, digest, error::ImageError};
use crate::{
    command::CommandError,
    engine::{Engine, last_line},
};

/// An agent has 10 to 150 MB.
const PULL: Duration = Duration::from_secs(5 * 60);
const SAVE: Duration = Duration::from_secs(2 * 60);

/// An image `sidecheck/agent-NAME` of the content that `reference` stands for, such as `docker.io/fluent/fluent-bit:2.1.10`.
/// Kept in `cache_dir`; the tag stands for the content, so that a node never keeps an old one under a name that moved on.
///
/// # Errors
/// [`ImageError::NotToBeHad`] when the engine has no such image and can't pull it; a file can't be written.
pub async fn registry(
    name: &str,
    reference: &str,
    engine: &Engine,
    cache_dir: &Path,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<ImageArchive, ImageError> {
    let failed = |error: CommandError| ImageError::NotToBeHad { image: reference.to_owned(), said: last_line(&error) };
    let there = engine.image_id(reference).await.map_err(failed)?;
    let id = if let Some(id) = there {
        id
    } else {
        progress(&format!("image of agent {name}: pulling {reference}"));
        engine.docker(["pull", "--quiet", reference]).limit(PULL).run().await.map_err(failed)?;
        engine.docker(["image", "inspect", "--format", "{{.Id}}", reference]).run().await.map_err(failed)?.text()
    };
    // As a rule the id is the digest of the configuration, after which an adopted image is named.
    if let Some(hex) = id.strip_prefix("sha256:").filter(|hex| hex.len() == 64) {
        let archive = ImageArchive::of_agent(name, digest::short(hex), cache_dir);
        if archive.path.exists() {
            return Ok(archive);
        }
    }
    std::fs::create_dir_all(cache_dir).map_err(ImageError::file("create", cache_dir))?;
    let folder = tempfile::Builder::new().prefix(".save-").tempdir_in(cache_dir);
    let folder = folder.map_err(ImageError::file("create a folder in", cache_dir))?;
    let saved = folder.path().join("image.tar");
    engine.docker(["save", "--output"]).arg(&saved).arg(reference).limit(SAVE).run().await.map_err(failed)?;
    adopt::adopt(name, &saved, cache_dir).map(|adopted| adopted.archive)
}
