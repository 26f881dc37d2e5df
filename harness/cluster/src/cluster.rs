//! A cluster that is up, and the record that says so.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

use kube::{Client, Config, config::KubeConfigOptions, config::Kubeconfig};
use serde::{Deserialize, Serialize};
use sidecheck_core::{environment::Environment, matrix::Entry, release::Release};

use crate::{
    calibrate::{CalibrateError, Calibrated, calibrate},
    engine::Engine,
    node_image::NodeImage,
    paths::Paths,
};

/// What all of our clusters' names begin with, so that no other cluster is ever touched.
const PREFIX: &str = "sidecheck-";
const RECORD: &str = "cluster.json";

/// A running cluster, verified when it came up.
#[derive(Debug, Clone)]
pub struct Cluster {
    /// kind's name for it, such as `sidecheck-1.28-alpha`.
    pub name: String,
    /// The matrix entry's name.
    pub entry: String,
    /// Its own kubeconfig file.
    pub kubeconfig: PathBuf,
    /// What it was found to be.
    pub environment: Environment,
    /// Where its nodes run. A node's name in Kubernetes is its container's name there.
    pub engine: Engine,
}

/// Why a cluster could not be opened or spoken to.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// It is not up.
    #[error("cluster `{entry}` is not up; to bring it up: sidecheck up {entry}")]
    NotUp {
        /// The entry's name.
        entry: String,
    },
    /// Its record or kubeconfig can't be read.
    #[error("failed to read {}: {said}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        said: String,
    },
    /// No client can be made from its kubeconfig.
    #[error("failed to make a client for cluster `{name}`: {said}")]
    Client {
        /// The cluster's name.
        name: String,
        /// What is wrong.
        said: String,
    },
}

/// The cluster's name for an entry's name.
pub fn name_of(entry: &str) -> String {
    format!("{PREFIX}{entry}")
}

/// The entry's name for one of our clusters' names.
pub(crate) fn entry_of(name: &str) -> Option<&str> {
    name.strip_prefix(PREFIX)
}

impl Cluster {
    /// Opens a cluster that was brought up earlier, without asking it anything: a test that finds it dead sees that
    /// at its first request.
    ///
    /// # Errors
    /// [`ClusterError::NotUp`] names the command that brings it up.
    pub fn open(entry: &str, paths: &Paths, engine: &Engine) -> Result<Self, ClusterError> {
        let name = name_of(entry);
        let record = Record::read(&paths.cluster(&name))?.ok_or_else(|| ClusterError::NotUp { entry: entry.to_owned() })?;
        Ok(record.into_cluster(name, paths, engine))
    }

    /// A client with the rights of the cluster's administrator; each request may take 30 s.
    ///
    /// # Errors
    /// [`ClusterError::Client`].
    pub async fn client(&self) -> Result<Client, ClusterError> {
        client(&self.name, &self.kubeconfig).await
    }

    /// The nodes' names.
    pub fn nodes(&self) -> impl Iterator<Item = &str> {
        self.environment.nodes.iter().map(|node| node.name.as_str())
    }
}

pub(crate) async fn client(name: &str, kubeconfig: &Path) -> Result<Client, ClusterError> {
    let failed = |said: String| ClusterError::Client { name: name.to_owned(), said };
    let read = Kubeconfig::read_from(kubeconfig).map_err(|error| failed(error.to_string()))?;
    let options = KubeConfigOptions::default();
    let mut config = Config::from_custom_kubeconfig(read, &options).await.map_err(|error| failed(error.to_string()))?;
    config.connect_timeout = Some(Duration::from_secs(5));
    // Watches and log follows are longer, so only the time between two reads is limited.
    config.write_timeout = Some(Duration::from_secs(30));
    Client::try_from(config).map_err(|error| failed(error.to_string()))
}

/// From what a cluster was made: others make it another cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Inputs {
    pub(crate) release: Release,
    pub(crate) feature_gates: BTreeMap<String, bool>,
    /// The published image that the entry names, taken or not.
    pub(crate) published: Option<String>,
}

impl Inputs {
    pub(crate) fn of(entry: &Entry) -> Self {
        Self { release: entry.release.clone(), feature_gates: entry.feature_gates.clone(), published: entry.image.clone() }
    }
}

/// `cluster.json`: written last, so that its presence means that the cluster is complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// Version of this format.
    pub(crate) version: u32,
    pub(crate) inputs: Inputs,
    pub(crate) image: NodeImage,
    pub(crate) environment: Environment,
}

impl Record {
    pub(crate) const VERSION: u32 = 1;

    /// None when there is none, or one of another version: such a cluster is made anew.
    pub(crate) fn read(folder: &Path) -> Result<Option<Self>, ClusterError> {
        let file = folder.join(RECORD);
        let unreadable = |said: String| ClusterError::Unreadable { file: file.clone(), said };
        match std::fs::read(&file) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok().filter(|record: &Self| record.version == Self::VERSION)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unreadable(error.to_string())),
        }
    }

    /// Measures how late the runtime's stamps are, and notes it.
    pub(crate) async fn calibrate(&mut self, cluster: &Cluster, witness: &str) -> Result<(), CalibrateError> {
        let Calibrated { resolution_ms, sample } = calibrate(cluster, witness).await?;
        self.environment.runtime_resolution_ms = resolution_ms;
        self.environment.calibration = Some(sample);
        Ok(())
    }

    pub(crate) fn write(&self, folder: &Path) -> std::io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer_pretty(&mut file, self)?;
        file.persist(folder.join(RECORD)).map(drop).map_err(|error| error.error)
    }

    /// Removes the record, first of all when a cluster is taken down.
    pub(crate) fn remove(folder: &Path) -> std::io::Result<()> {
        match std::fs::remove_file(folder.join(RECORD)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    pub(crate) fn into_cluster(self, name: String, paths: &Paths, engine: &Engine) -> Cluster {
        let kubeconfig = paths.cluster(&name).join("kubeconfig");
        Cluster { entry: self.environment.entry.clone(), name, kubeconfig, environment: self.environment, engine: engine.clone() }
    }
}
