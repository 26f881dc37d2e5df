//! Removing what killed processes and old runs left behind.

use std::{path::Path, time::Duration};

use jiff::Timestamp;
use k8s_openapi::api::core::v1::Namespace;
use kube::{
    Api, Client, ResourceExt as _,
    api::{DeleteParams, ListParams},
};

use super::{Clusters, DownError, Listed, State};
use crate::{
    cluster,
    command::CommandError,
    labels::{CREATED, RUN},
    lock::{self, LockError},
    progress::Progress,
    release::release_pods,
};

/// Logs of failed creations are kept this long.
const LOGS: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Why leftovers could not be removed.
#[derive(Debug, thiserror::Error)]
pub enum GcError {
    /// The engine failed.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// A dead cluster could not be removed.
    #[error(transparent)]
    Down(#[from] DownError),
    /// A lock file.
    #[error(transparent)]
    Lock(#[from] LockError),
}

impl Clusters {
    /// Removes dead clusters, creations that were killed, namespaces of runs that began more than `age` ago, old logs
    /// and stale files. What somebody is at work on stays. Returns a line for each thing that went, or could not.
    pub async fn gc(&self, age: Duration, progress: &Progress) -> Result<Vec<String>, GcError> {
        let mut gone = Vec::new();
        for listed in self.list().await? {
            match listed.state {
                State::Running => gone.extend(self.old_namespaces(&listed, age).await),
                State::Failed => gone.extend(self.old_logs(&listed.name)),
                State::Stopped | State::Gone | State::HalfMade => gone.extend(self.dead(&listed, progress).await?),
            }
        }
        gone.extend(self.stale_leases());
        Ok(gone)
    }

    async fn dead(&self, listed: &Listed, progress: &Progress) -> Result<Option<String>, GcError> {
        let Some(_lock) = lock::try_exclusive(&self.paths.lock(&format!("cluster-{}", listed.name)))? else { return Ok(None) };
        let _alone = self.alone(&listed.name, progress).await?;
        // A node that a test was just rebooting is not running for a while.
        if self.list().await?.iter().any(|now| now.name == listed.name && now.state == State::Running) {
            return Ok(None);
        }
        self.remove_alone(&listed.name).await?;
        Ok(Some(format!("cluster {} ({})", listed.entry, if listed.state == State::HalfMade { "half-made" } else { "dead" })))
    }

    async fn old_namespaces(&self, listed: &Listed, age: Duration) -> Vec<String> {
        let kubeconfig = self.paths.cluster(&listed.name).join("kubeconfig");
        let sweep = async {
            let client = cluster::client(&listed.name, &kubeconfig).await.map_err(|error| error.to_string())?;
            sweep(&client, age).await.map_err(|error| error.to_string())
        };
        match sweep.await {
            Ok(names) => names.into_iter().map(|name| format!("namespace {name} in cluster {}", listed.entry)).collect(),
            Err(error) => vec![format!("not looked at: cluster {} ({error})", listed.entry)],
        }
    }

    fn old_logs(&self, name: &str) -> Option<String> {
        let folder = self.paths.cluster(name);
        let old = modified_before(&folder, LOGS);
        (old && std::fs::remove_dir_all(&folder).is_ok()).then(|| format!("logs of failed creations in {}", folder.display()))
    }

    /// The slots of clusters that are no more. Locks themselves can't be stale: the kernel frees them.
    fn stale_leases(&self) -> Vec<String> {
        let folders = std::fs::read_dir(self.paths.state.join("leases")).into_iter().flatten().flatten();
        let stale = folders.filter(|folder| !self.paths.cluster(&folder.file_name().to_string_lossy()).exists());
        let removed = stale.filter(|folder| std::fs::remove_dir_all(folder.path()).is_ok());
        removed.map(|folder| format!("leases of {}", folder.file_name().to_string_lossy())).collect()
    }
}

fn modified_before(path: &Path, age: Duration) -> bool {
    let modified = path.metadata().and_then(|metadata| metadata.modified()).ok();
    modified.and_then(|then| then.elapsed().ok()).is_some_and(|elapsed| elapsed > age)
}

/// Deletes the namespaces of old runs, and with them whatever their pods' finalizers held back.
async fn sweep(client: &Client, age: Duration) -> Result<Vec<String>, kube::Error> {
    let namespaces = Api::<Namespace>::all(client.clone());
    let now = Timestamp::now().as_second();
    let mut swept = Vec::new();
    for namespace in namespaces.list(&ListParams::default().labels(RUN)).await? {
        let name = namespace.name_any();
        let created = namespace.labels().get(CREATED).and_then(|label| label.parse::<i64>().ok());
        if created.is_some_and(|created| now - created < age.as_secs().cast_signed()) {
            continue;
        }
        namespaces.delete(&name, &DeleteParams::default()).await?;
        release_pods(client, &name).await?;
        swept.push(name);
    }
    Ok(swept)
}
