//! The mark that tells probes that the container is ready.
//!
//! It lies in the container's own root file system, which a restart renews, so that no mark outlives its incarnation.

use std::fs::{self, File};
use std::io;
use std::path::PathBuf;

use crate::failure::Failure;

fn path() -> PathBuf {
    std::env::var_os("SIDECHECK_READY").map_or_else(|| PathBuf::from("/ready"), PathBuf::from)
}

/// Sets the mark.
pub(crate) fn set() -> Result<(), Failure> {
    let path = path();
    File::create(&path).map(drop).map_err(Failure::unseen("create", &path))
}

/// Removes the mark: the container's own, or one that was left, as where the mark's folder outlives a container.
pub(crate) fn clear() -> Result<(), Failure> {
    let path = path();
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Failure::unseen("remove", &path)(error)),
        _ => Ok(()),
    }
}

/// Whether the container is ready.
pub(crate) fn is_set() -> bool {
    path().exists()
}
