//! Reading the matrix: one file per entry in `clusters/matrix/`, named after the entry.

use std::path::{Path, PathBuf};

use sidecheck_core::{
    matrix::{Entry, Matrix},
    yaml::YamlError,
};

use crate::paths::Paths;

/// Why the matrix can't be used.
#[derive(Debug, thiserror::Error)]
pub enum MatrixError {
    /// An entry says something that it can't say.
    #[error(transparent)]
    Content(#[from] YamlError),
    /// The folder or a file can't be read.
    #[error("failed to read {}: {source}", path.display())]
    Read {
        /// The folder or the file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// Reads all entries, in the order of their names.
///
/// # Errors
/// The first file that can't be read or used, with file and line.
pub fn load(paths: &Paths) -> Result<Matrix, MatrixError> {
    let folder = paths.matrix();
    let fail = |path: &Path, source| MatrixError::Read { path: path.to_owned(), source };
    let mut files = Vec::new();
    for file in std::fs::read_dir(&folder).map_err(|error| fail(&folder, error))? {
        let file = file.map_err(|error| fail(&folder, error))?.path();
        if file.extension().is_some_and(|ending| ending == "yaml") {
            files.push(file);
        }
    }
    files.sort();
    let entries = files.iter().map(|file| {
        let text = std::fs::read_to_string(file).map_err(|error| fail(file, error))?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let shown = file.strip_prefix(&paths.root).unwrap_or(file).display().to_string();
        Ok(Entry::parse(&shown, &name, &text)?)
    });
    Ok(Matrix { entries: entries.collect::<Result<_, MatrixError>>()? })
}
