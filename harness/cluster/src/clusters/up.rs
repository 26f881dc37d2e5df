//! Bringing a cluster up: the one that is there, or a new one.

use sidecheck_core::matrix::Entry;

use super::{Clusters, down::DownError, reuse::Unfit};
use crate::{
    calibrate::CalibrateError,
    cluster::{Cluster, ClusterError, Inputs, Record, name_of},
    command::CommandError,
    engine::EngineError,
    heartbeat::{self, HeartbeatError},
    lease::{Lease, Leases, Use},
    load::{self, ImageArchive},
    lock::{self, LockError},
    node_image::{self, NodeImageError},
    progress::Progress,
    verify::VerifyError,
};

/// Why a cluster did not come up; nothing of it is left behind.
#[derive(Debug, thiserror::Error)]
pub enum UpError {
    /// The node image.
    #[error("failed to get the node image: {0}")]
    NodeImage(#[from] NodeImageError),
    /// The engine can't run nodes.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Containers of that name belong to another state folder.
    #[error(
        "containers of a cluster `{name}` exist that this state folder did not make; to remove them: kind delete cluster --name {name}"
    )]
    Foreign {
        /// The cluster's name.
        name: String,
    },
    /// kind, Docker or a command on a node failed.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The cluster can't be spoken to.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// It is not what its entry says.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// Its heartbeat did not start.
    #[error(transparent)]
    Heartbeat(#[from] HeartbeatError),
    /// The lateness of the runtime's stamps could not be measured, or is too large.
    #[error(transparent)]
    Calibrate(#[from] CalibrateError),
    /// It did not get as far as running pods.
    #[error("the API server did not make the service account `default` within {seconds} s; last seen: {last}")]
    NotReady {
        /// How long it was given.
        seconds: u64,
        /// The last answer.
        last: String,
    },
    /// The one that was there can't be removed.
    #[error(transparent)]
    Down(#[from] DownError),
    /// Its lock file.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// A file in the state folder.
    #[error("failed to write the state of the cluster: {0}")]
    State(#[from] std::io::Error),
    /// A failure in making it, with where the nodes' logs were kept.
    #[error("{cause}\nlogs of the nodes: {}", logs.display())]
    Logged {
        /// What went wrong.
        #[source]
        cause: Box<UpError>,
        /// A folder.
        logs: std::path::PathBuf,
    },
}

impl Clusters {
    /// Brings the cluster of `entry` up, with `images` on its nodes; the first of them is the witness.
    ///
    /// One that runs already, from the same release, gates and image, is used as it is, within two seconds; if a disruption has
    /// left it amiss, it is mended. One that is dead or was made from something else is removed first, when nobody uses it any
    /// more. When the future is dropped half way, what was made is removed before the drop returns.
    pub async fn up(&self, entry: &Entry, images: &[ImageArchive], progress: &Progress) -> Result<Cluster, UpError> {
        let name = name_of(&entry.name);
        let waiting = || progress.say("waiting for another process that is bringing it up or down");
        let _lock = lock::exclusive(&self.paths.lock(&format!("cluster-{name}")), waiting).await?;
        match self.reusable(entry, &name, progress).await? {
            Ok(record) => return self.reuse(&name, record, images, progress).await,
            Err(why) => self.clear_away(&name, why, progress).await?,
        }
        self.engine.check_privileged().await?;
        let image = node_image::resolve(entry, &self.engine, &self.paths, progress).await?;
        self.make(entry, &name, image, images, progress).await
    }

    /// Loads those of `images` that the nodes of a running cluster lack.
    ///
    /// # Errors
    /// [`UpError::Lock`] or [`UpError::Command`].
    pub async fn load(&self, cluster: &Cluster, images: &[ImageArchive], progress: &Progress) -> Result<(), UpError> {
        // Like a test: not on a cluster that somebody has to themselves, who may just have paused its node.
        let _place = self.place(&cluster.name, progress).await?;
        // Tests of several processes would all load what is missing.
        let waiting = || progress.say("waiting for another process that is loading images");
        let _lock = lock::exclusive(&self.paths.lock(&format!("load-{}", cluster.name)), waiting).await?;
        for node in cluster.nodes() {
            load::load(&self.kind, &self.engine, &cluster.name, node, images, progress).await?;
        }
        Ok(())
    }

    /// Removes what is there under that name, of which `why` says why it is of no use.
    async fn clear_away(&self, name: &str, why: Option<String>, progress: &Progress) -> Result<(), UpError> {
        let containers = self.containers(name).await?;
        if containers.iter().any(|container| !container.ours) {
            return Err(UpError::Foreign { name: name.to_owned() });
        }
        if !containers.is_empty() || self.paths.cluster(name).exists() {
            if let Some(why) = why {
                progress.say(format!("making it anew: {why}"));
            }
            self.remove(name, progress).await?;
        }
        Ok(())
    }

    /// The record of the cluster that is there, or why it can't be used; no reason when there is none.
    async fn reusable(&self, entry: &Entry, name: &str, progress: &Progress) -> Result<Result<Record, Option<String>>, UpError> {
        let Some(record) = Record::read(&self.paths.cluster(name))? else { return Ok(Err(None)) };
        if record.inputs != Inputs::of(entry) {
            return Ok(Err(Some("it was made for another release or other gates".to_owned())));
        }
        // Whoever has it alone may just have stopped its API server or its node.
        let _place = self.place(name, progress).await?;
        let (recipe, health) = tokio::join!(self.recipe_change(&record), self.health(name, &record));
        let unfit = match (recipe, health) {
            (Some(why), _) | (None, Err(Unfit::Dead(why))) => Some(why),
            (None, Err(Unfit::Amiss(why))) => {
                let cluster = record.clone().into_cluster(name.to_owned(), &self.paths, &self.engine);
                self.mend(&cluster, why, progress).await.err()
            }
            (None, Ok(())) => None,
        };
        Ok(unfit.map_or(Ok(record), |why| Err(Some(why))))
    }

    /// Gives a cluster that runs what it lacks.
    async fn reuse(
        &self,
        name: &str,
        mut record: Record,
        images: &[ImageArchive],
        progress: &Progress,
    ) -> Result<Cluster, UpError> {
        let cluster = record.clone().into_cluster(name.to_owned(), &self.paths, &self.engine);
        self.load(&cluster, images, progress).await?;
        let Some(witness) = images.first() else { return Ok(cluster) };
        let _place = self.place(name, progress).await?;
        // Of the same version as the witnesses; nothing happens when it is.
        heartbeat::start(&cluster.client().await?, &self.paths, &witness.name).await?;
        if record.environment.calibration.is_none() {
            progress.say("measuring how late the runtime's stamps are");
            record.calibrate(&cluster, &witness.name).await?;
            record.write(&self.paths.cluster(name))?;
        }
        Ok(record.into_cluster(name.to_owned(), &self.paths, &self.engine))
    }

    /// A place on the cluster, as a test has one.
    async fn place(&self, name: &str, progress: &Progress) -> Result<Lease, LockError> {
        let leases = Leases::of_cluster(&self.paths, name);
        leases.acquire(Use::Shared(1), || progress.say("waiting for a place on the cluster")).await
    }
}
