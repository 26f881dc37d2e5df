//! Waiting for a file lock. The kernel drops it when its holder ends, however that happens.

use std::{
    fs::{File, TryLockError},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

/// How often a lock that somebody else has is tried again.
pub(crate) const RETRY: Duration = Duration::from_millis(100);
/// After this long the waiting is told.
const PATIENCE: Duration = Duration::from_secs(1);

/// A lock file that could not be opened or locked.
#[derive(Debug, thiserror::Error)]
#[error("failed to lock {}: {source}", file.display())]
pub struct LockError {
    /// The file.
    pub file: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// Opens the file and takes its lock if nobody has it.
pub(crate) fn try_exclusive(path: &Path) -> Result<Option<File>, LockError> {
    let failed = |source| LockError { file: path.to_owned(), source };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let file = File::options().create(true).append(true).open(path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(source)) => Err(failed(source)),
    }
}

/// Waits for the lock; `waiting` is called once, after a second. Dropping the file releases it.
pub(crate) async fn exclusive(path: &Path, waiting: impl FnOnce()) -> Result<File, LockError> {
    let taken = async {
        loop {
            if let Some(file) = try_exclusive(path)? {
                return Ok(file);
            }
            tokio::time::sleep(RETRY).await;
        }
    };
    patiently(taken, waiting).await
}

/// Does what may have to wait; `waiting` is called once, after a second of it.
pub(crate) async fn patiently<T>(done: impl Future<Output = T>, waiting: impl FnOnce()) -> T {
    let mut done = std::pin::pin!(done);
    if let Ok(done) = tokio::time::timeout(PATIENCE, &mut done).await {
        return done;
    }
    waiting();
    done.await
}
