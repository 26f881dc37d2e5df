//! The node image of an entry: the published one where it can be pulled, else one built from source.

mod build;
mod pull;

use std::path::Path;

use serde::{Deserialize, Serialize};
use sidecheck_core::{matrix::Entry, release::Release};

use crate::{
    command::{Command, CommandError},
    engine::Engine,
    lock::{self, LockError},
    matrix,
    paths::Paths,
    progress::Progress,
};

/// An image that the engine has, from which nodes can be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeImage {
    /// The name by which kind gets it.
    pub reference: String,
    /// Where it came from.
    pub origin: Origin,
    /// Why it is not the published one, where the entry names one.
    pub note: Option<String>,
}

/// Where a node image came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Pulled by its digest.
    Published,
    /// Built here from source.
    Built,
}

/// Why there is no node image.
#[derive(Debug, thiserror::Error)]
pub enum NodeImageError {
    /// The entry's image has no digest, so that nobody could tell what it is.
    #[error("image `{0}` has no digest: write NAME:TAG@sha256:...")]
    NoDigest(String),
    /// The registry has another image under that name. It is not replaced by one built here: the entry is wrong, or
    /// somebody changed the image.
    #[error("the registry does not have what the entry names: {image}\n{said}")]
    Mismatch {
        /// The image as the entry names it.
        image: String,
        /// What the registry or the engine said.
        said: String,
    },
    /// The build from source failed, or the engine did.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// Another process could not be waited for.
    #[error(transparent)]
    Lock(#[from] LockError),
}

/// Gives the engine the node image of `entry`: one that is there already is used without asking a registry.
///
/// # Errors
/// [`NodeImageError`]; an image that can't be reached or was never published is none, since it is built then.
pub async fn resolve(entry: &Entry, engine: &Engine, paths: &Paths, progress: &Progress) -> Result<NodeImage, NodeImageError> {
    let mut note = None;
    if let Some(image) = &entry.image {
        match pull::pull(image, engine, progress).await? {
            pull::Pulled::Here => return Ok(NodeImage { reference: image.clone(), origin: Origin::Published, note }),
            pull::Pulled::NotToBeHad(why) => {
                progress.say(format!("{image} can't be pulled ({why}); it is built from source instead"));
                note = Some(why);
            }
        }
    }
    // One build at a time: a second one would only make both late, and the first cluster with them.
    let waiting = || progress.say("waiting for another node image to be built");
    let _turn = lock::exclusive(&paths.lock("node-image-build"), waiting).await?;
    let reference = build::build(&entry.release, engine, paths, progress).await?;
    Ok(NodeImage { reference, origin: Origin::Built, note })
}

/// The tag that an image built here for `release` has now; another one means that the recipe has changed.
pub(crate) async fn built_tag(release: &Release, paths: &Paths) -> Result<String, CommandError> {
    Ok(recipe("tag", release, paths).run().await?.text())
}

fn recipe(program: &str, release: &Release, paths: &Paths) -> Command {
    let folder = Path::new("clusters/node-image");
    // A build takes minutes of all cores, while clusters may already be at work on verdicts: it gets what they leave.
    let recipe = paths.root.join(folder).join(program);
    Command::new("nice").args(["-n", "10"]).arg(recipe).arg(release.to_string()).env("SIDECHECK_STATE", &paths.state)
}

/// Whether the engine has a node image for every default entry of the matrix, so that nothing has to be built.
pub(crate) async fn has_images(engine: &Engine, paths: &Paths) -> bool {
    let Ok(matrix) = matrix::load(paths) else { return false };
    for entry in matrix.defaults() {
        let published = entry.image.clone();
        let built = built_tag(&entry.release, paths).await.ok();
        let mut there = false;
        for image in published.into_iter().chain(built) {
            there |= matches!(engine.image_id(&image).await, Ok(Some(_)));
        }
        if !there {
            return false;
        }
    }
    true
}
