//! Recorded traces on disk.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sidecheck_core::trace::Trace;

use super::BadInput;
use crate::evidence::TRACE;

/// The trace files that a path names: itself, or those in the folder and below, sorted.
pub(super) fn traces(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    collect(path, &mut found).map_err(|error| BadInput(format!("failed to read {}: {error}", path.display())))?;
    found.sort();
    if found.is_empty() {
        return Err(BadInput(format!("{}: no {TRACE} in this folder or below", path.display())).into());
    }
    Ok(found)
}

/// Reads a trace.
pub(super) fn read(file: &Path) -> anyhow::Result<Trace> {
    let bytes = std::fs::read(file).with_context(|| format!("failed to read {}", file.display()))?;
    let text =
        String::from_utf8(bytes).map_err(|_| BadInput(format!("{}:1: not a sidecheck trace: it is no text", file.display())))?;
    Ok(Trace::parse(&file.display().to_string(), &text)?)
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, found)?;
        } else if path.file_name().is_some_and(|name| name == TRACE) {
            found.push(path);
        }
    }
    Ok(())
}
