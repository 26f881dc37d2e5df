//! One agent's image, from wherever it can be had.

use std::error::Error;

use sidecheck_cluster::{
    ImageArchive,
    image::{self, ImageError},
    paths::Paths,
};
use sidecheck_core::agent::{Agent, AgentImage};

use super::ImageSources;
use crate::{catalog::agent_folder, run::Progress};

/// The archive, or why it can't be had, in a line.
pub(super) async fn archive(
    paths: &Paths,
    name: &str,
    agent: &Agent,
    sources: &ImageSources,
    progress: &Progress,
) -> Result<ImageArchive, String> {
    if let Some(given) = sources.archives.get(name) {
        return Ok(given.clone());
    }
    let cache = paths.state.join("images");
    let give = format!("give it by --image-archive {name}=FILE");
    match &agent.image {
        AgentImage::Debian(debian) => {
            let (debian, name, progress) = (debian.clone(), name.to_owned(), progress.clone());
            made(move || image::debian(&name, &debian.suite, &debian.packages, &cache, &|line| progress.say(line))).await
        }
        AgentImage::Go(program) => {
            let module = agent_folder(&paths.root).join(&program.module);
            let (program, name, progress) = (program.clone(), name.to_owned(), progress.clone());
            made(move || {
                let program = image::GoProgram { module: &module, package: &program.package, binary: &program.binary };
                image::go(&name, program, &cache, &|line| progress.say(line))
            })
            .await
        }
        AgentImage::Registry(reference) => match &sources.engine {
            Some(engine) => {
                let pulled = image::registry(name, reference, engine, &cache, &|line| progress.say(line)).await;
                pulled.map_err(|error| format!("{}; {give}", in_a_line(&error)))
            }
            None => Err(format!("{reference} would have to be pulled; {give}")),
        },
        AgentImage::Archive(reference) => Err(format!("{reference} comes from an archive only; {give}")),
    }
}

/// What takes its time where blocking is allowed.
async fn made(work: impl FnOnce() -> Result<ImageArchive, ImageError> + Send + 'static) -> Result<ImageArchive, String> {
    let done = tokio::task::spawn_blocking(work).await.map_err(|error| error.to_string())?;
    done.map_err(|error| in_a_line(&error))
}

/// The error with its causes; of what a command said, the line that matters.
fn in_a_line(error: &ImageError) -> String {
    let mut said = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let text = cause.to_string();
        let mut lines = text.lines().map(|line| line.trim().trim_start_matches("| "));
        let (first, last) = (lines.next().unwrap_or_default(), lines.next_back());
        said = last.map_or_else(|| format!("{said}: {first}"), |last| format!("{said}: {first}: {last}"));
        source = cause.source();
    }
    said
}
