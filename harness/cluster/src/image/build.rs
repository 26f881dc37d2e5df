//! Running what makes an image from blocking code, with what it says in a log.

use std::{
    fs::File,
    io::{self, Write as _},
    path::Path,
};

use super::error::ImageError;
use crate::command::{Command, CommandError, Output};

/// Runs a command with a small runtime of its own, so that it works on any thread that may block. Its errors go to `log` as they
/// come.
pub(super) fn run(command: &Command, log: &Path) -> Result<Result<Output, CommandError>, ImageError> {
    let mut lines = File::create(log).map_err(ImageError::file("create", log))?;
    // A line that can't be logged is no reason to go without the image; the last ones are kept for the error anyway.
    let note = |line: &str| drop(writeln!(lines, "{line}"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(ImageError::file("wait for", command.to_string()))?;
    Ok(runtime.block_on(command.run_with(note)))
}

/// Waits until no other process makes the same image; the lock goes when the file is dropped.
pub(super) fn lock(cache_dir: &Path, name: &str) -> Result<File, ImageError> {
    std::fs::create_dir_all(cache_dir).map_err(ImageError::file("create", cache_dir))?;
    let path = cache_dir.join(format!(".agent-{name}.lock"));
    let locked = File::options().create(true).append(true).open(&path).and_then(|file| file.lock().map(|()| file));
    locked.map_err(ImageError::file("lock", path))
}

/// Whether a program could not be found.
pub(super) fn is_missing(error: &CommandError) -> bool {
    use crate::command::CommandFailure::NotStarted;
    matches!(&error.kind, NotStarted(error) if error.kind() == io::ErrorKind::NotFound)
}
