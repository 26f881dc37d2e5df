//! Files and folders, in the order of their names.

use std::path::{Path, PathBuf};

use super::CatalogError;

/// A file's name without its ending.
pub(super) fn stem(file: &Path) -> String {
    file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

pub(super) fn yaml_files(folder: &Path) -> Result<Vec<PathBuf>, CatalogError> {
    let files = sorted(folder)?.into_iter();
    Ok(files.filter(|path| path.extension().is_some_and(|ending| ending == "yaml")).collect())
}

pub(super) fn sorted(folder: &Path) -> Result<Vec<PathBuf>, CatalogError> {
    let fail = |source| CatalogError::Read { path: folder.to_owned(), source };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fail)? {
        paths.push(entry.map_err(fail)?.path());
    }
    paths.sort();
    Ok(paths)
}

pub(super) fn read(path: &Path) -> Result<String, CatalogError> {
    std::fs::read_to_string(path).map_err(|source| CatalogError::Read { path: path.to_owned(), source })
}
