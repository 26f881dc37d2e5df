//! Taking clusters down.

use super::Clusters;
use crate::{
    cluster::{Record, name_of},
    command::CommandError,
    lease::{Lease, Leases, Use},
    lock::{self, LockError},
    progress::Progress,
};

/// Why a cluster could not be taken down.
#[derive(Debug, thiserror::Error)]
pub enum DownError {
    /// kind or the engine failed.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// Its lock or its leases.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// Its folder could not be removed.
    #[error("failed to remove the state of the cluster: {0}")]
    State(#[from] std::io::Error),
}

impl Clusters {
    /// Takes the cluster of an entry down, once nobody uses it any more. Returns whether there was one.
    pub async fn down(&self, entry: &str, progress: &Progress) -> Result<bool, DownError> {
        let name = name_of(entry);
        let waiting = || progress.say("waiting for another process that is bringing it up or down");
        let _lock = lock::exclusive(&self.paths.lock(&format!("cluster-{name}")), waiting).await?;
        let containers = self.containers(&name).await?;
        let there = self.paths.cluster(&name).exists() || containers.iter().any(|container| container.ours);
        if there {
            self.remove(&name, progress).await?;
        }
        Ok(there)
    }

    /// Removes record, containers and folder, in the order in which their absence means something. The caller holds
    /// the cluster's lock.
    pub(super) async fn remove(&self, name: &str, progress: &Progress) -> Result<(), DownError> {
        let _alone = self.alone(name, progress).await?;
        self.remove_alone(name).await
    }

    /// Waits until nobody uses the cluster.
    pub(super) async fn alone(&self, name: &str, progress: &Progress) -> Result<Lease, LockError> {
        let leases = Leases::of_cluster(&self.paths, name);
        leases.acquire(Use::Exclusive, || progress.say("waiting for the tests that use it")).await
    }

    /// The same, for a caller who has the cluster alone.
    pub(super) async fn remove_alone(&self, name: &str) -> Result<(), DownError> {
        let folder = self.paths.cluster(name);
        Record::remove(&folder)?;
        if self.containers(name).await?.iter().any(|container| container.ours) {
            self.kind.delete(name, &folder.join("kubeconfig")).await?;
        }
        match std::fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }
}
