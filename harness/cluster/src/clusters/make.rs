//! Making a cluster, with nothing left of it when that fails or is given up.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use jiff::Timestamp;
use k8s_openapi::api::core::v1::ServiceAccount;
use kube::{Api, Client};
use sidecheck_core::matrix::Entry;
use tokio::time::Instant;

use super::{Clusters, up::UpError};
use crate::{
    cluster::{self, Cluster, Inputs, Record},
    heartbeat, kind,
    load::{self, ImageArchive},
    node_image::NodeImage,
    progress::Progress,
    recorder,
    verify::{self, Made},
};

/// The account comes a moment after the node is ready.
const ACCOUNT: Duration = Duration::from_secs(60);

impl Clusters {
    pub(super) async fn make(
        &self,
        entry: &Entry,
        name: &str,
        image: NodeImage,
        images: &[ImageArchive],
        progress: &Progress,
    ) -> Result<Cluster, UpError> {
        let folder = self.paths.cluster(name);
        std::fs::create_dir_all(&folder)?;
        let mut half_made = HalfMade { clusters: self, name, complete: false };
        match self.steps(entry, name, image, images, progress).await {
            Ok(record) => {
                record.write(&folder)?;
                half_made.complete = true;
                Ok(record.into_cluster(name.to_owned(), &self.paths, &self.engine))
            }
            Err(cause) => {
                progress.say("it failed; keeping the logs of its nodes");
                let logs = self.keep_logs(name, &folder, &cause).await?;
                Err(UpError::Logged { cause: Box::new(cause), logs })
            }
        }
    }

    async fn steps(
        &self,
        entry: &Entry,
        name: &str,
        image: NodeImage,
        images: &[ImageArchive],
        progress: &Progress,
    ) -> Result<Record, UpError> {
        let folder = self.paths.cluster(name);
        let (config, kubeconfig) = (folder.join("kind.yaml"), folder.join("kubeconfig"));
        std::fs::write(&config, kind::config(entry, &image, &folder).map_err(std::io::Error::other)?)?;
        self.kind.create(name, &config, &kubeconfig, progress).await?;

        let client = cluster::client(name, &kubeconfig).await?;
        let node = format!("{name}-control-plane");
        // First of all: containerd tells only those who listen.
        recorder::install(&self.engine, &node).await?;
        let loaded = async { Ok::<_, UpError>(load::load(&self.kind, &self.engine, name, &node, images, progress).await?) };
        tokio::try_join!(loaded, await_service_account(&client))?;

        progress.say("verifying versions and gates");
        let made = Made { image: &image, kind: &self.kind.version, when: Timestamp::now() };
        let environment = verify::verify(&client, &self.engine, entry, made).await?;
        let mut record = Record { version: Record::VERSION, inputs: Inputs::of(entry), image, environment };
        if let Some(witness) = images.first() {
            progress.say("starting the heartbeat");
            heartbeat::start(&client, &self.paths, &witness.name).await?;
            progress.say("measuring how late the runtime's stamps are");
            let cluster = record.clone().into_cluster(name.to_owned(), &self.paths, &self.engine);
            record.calibrate(&cluster, &witness.name).await?;
        }
        Ok(record)
    }

    /// Writes why it failed and what its nodes logged into a folder that outlives the cluster.
    async fn keep_logs(&self, name: &str, folder: &Path, cause: &UpError) -> Result<PathBuf, UpError> {
        let logs = folder.join(format!("failed-{}", Timestamp::now().strftime("%Y%m%d-%H%M%S")));
        std::fs::create_dir_all(&logs)?;
        let said = match cause {
            UpError::Command(error) => format!("{error}\n\nall that it printed:\n{}\n", error.said),
            other => format!("{other}\n"),
        };
        std::fs::write(logs.join("cause.log"), said)?;
        // Without a single container there is nothing to export, which the cause says better.
        _ = self.kind.export_logs(name, &logs).await;
        Ok(logs)
    }
}

/// Bare pods made before this account exists are refused.
async fn await_service_account(client: &Client) -> Result<(), UpError> {
    let accounts = Api::<ServiceAccount>::namespaced(client.clone(), "default");
    let begin = Instant::now();
    loop {
        let last = match accounts.get_opt("default").await {
            Ok(Some(_)) => return Ok(()),
            Ok(None) => "not there".to_owned(),
            Err(error) => error.to_string(),
        };
        if begin.elapsed() > ACCOUNT {
            return Err(UpError::NotReady { seconds: ACCOUNT.as_secs(), last });
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Removes the cluster when dropped before it is complete, so that neither an error nor a dropped future leaves
/// containers behind. Logs of failures stay.
struct HalfMade<'a> {
    clusters: &'a Clusters,
    name: &'a str,
    complete: bool,
}

impl Drop for HalfMade<'_> {
    fn drop(&mut self) {
        if self.complete {
            return;
        }
        // A drop can't wait for a future on the runtime that it may be running on.
        let (clusters, name) = (self.clusters.clone(), self.name.to_owned());
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.is_ok_and(|runtime| runtime.block_on(clusters.discard(&name)))
        });
        // What could not be removed keeps its files, by which `gc` finds it.
        if thread.join().unwrap_or(false) {
            let folder = self.clusters.paths.cluster(self.name);
            for file in ["kubeconfig", "kind.yaml"] {
                _ = std::fs::remove_file(folder.join(file));
            }
            // Goes only when no logs are in it.
            _ = std::fs::remove_dir(folder);
        }
    }
}

/// How long the engine may still be at work on a container whose client was stopped.
const AFTERMATH: Duration = Duration::from_secs(3);

impl Clusters {
    /// Removes the node of a cluster whose making was given up, also one that comes up only now. Says whether it is
    /// gone for certain.
    async fn discard(&self, name: &str) -> bool {
        let begin = Instant::now();
        // An engine that is asked to remove what it is just starting says yes, and keeps a ghost of it in its list.
        while begin.elapsed() < AFTERMATH && !self.containers(name).await.is_ok_and(|nodes| nodes.iter().any(|node| node.running))
        {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        self.kind.delete(name, &self.paths.cluster(name).join("kubeconfig")).await.is_ok()
    }
}
