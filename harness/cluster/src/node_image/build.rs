//! Building a node image from source, by the recipe in `clusters/node-image`.

use std::time::Duration;

use sidecheck_core::release::Release;

use super::{built_tag, recipe};
use crate::{command::CommandError, engine::Engine, paths::Paths, progress::Progress};

/// Nine minutes on two idle cores; a busy machine may take four times as long, and a hung one must not wait for ever.
const BUILD: Duration = Duration::from_secs(60 * 60);

/// Builds what is missing; returns the image's tag.
pub(super) async fn build(
    release: &Release,
    engine: &Engine,
    paths: &Paths,
    progress: &Progress,
) -> Result<String, CommandError> {
    let tag = built_tag(release, paths).await?;
    if engine.image_id(&tag).await?.is_none() {
        let build = engine.reach(recipe("build", release, paths)).limit(BUILD);
        build.run_with(|line| progress.say(line)).await?;
    }
    Ok(tag)
}
