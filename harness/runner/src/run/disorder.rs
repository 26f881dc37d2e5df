//! A mark beside a cluster's record as long as something is done to it: where a process died in the middle, the next one that
//! comes to the cluster finds the mark and mends it first, instead of taking it for what its record says.

use std::path::PathBuf;

use sidecheck_cluster::{
    Cluster,
    lease::{Leases, Use},
    paths::Paths,
};

use crate::act;

/// The mark of one cluster.
#[derive(Debug)]
pub(super) struct Mark(PathBuf);

impl Mark {
    pub(super) fn of(paths: &Paths, cluster: &Cluster) -> Self {
        Self(paths.cluster(&cluster.name).join("disrupted"))
    }

    /// Sets it; the caller has the cluster alone.
    ///
    /// # Errors
    /// The state folder can't be written.
    pub(super) fn set(&self) -> anyhow::Result<()> {
        Ok(std::fs::write(&self.0, "")?)
    }

    /// Whether it is set. For someone with a place on the cluster that means that it was left behind.
    pub(super) fn is_set(&self) -> bool {
        self.0.exists()
    }

    /// Mends the cluster and takes the mark away; the caller has the cluster alone.
    ///
    /// # Errors
    /// A sentence that says what could not be mended.
    pub(super) async fn mend(&self, cluster: &Cluster) -> Result<(), String> {
        act::mend(cluster).await?;
        match std::fs::remove_file(&self.0) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(format!("failed to remove {}: {error}", self.0.display()))
            }
            _ => Ok(()),
        }
    }
}

/// Mends the cluster if something was left behind; the caller must not have a place on it.
///
/// # Errors
/// A lock file can't be used, or the cluster could not be mended.
pub(super) async fn mend_what_was_left(paths: &Paths, cluster: &Cluster) -> anyhow::Result<()> {
    let _alone = Leases::of_cluster(paths, &cluster.name).acquire(Use::Exclusive, || ()).await?;
    let mark = Mark::of(paths, cluster);
    if mark.is_set() {
        mark.mend(cluster).await.map_err(anyhow::Error::msg)?;
    }
    Ok(())
}
