//! The last stage: what the case made is removed. A failure here is reported and never changes a verdict.

use std::{sync::Arc, time::Duration};

use sidecheck_cluster::{Cluster, recorder};
use sidecheck_core::verdict::Verdict;

use super::CaseReport;
use crate::{act::Objects, manifest::Context};

/// How long a namespace may take to go. Pods end with their own grace, and the controller comes round every few seconds.
const GONE: Duration = Duration::from_secs(60);

const TRY_AGAIN: Duration = Duration::from_secs(2);

/// A case with its verdicts.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) cluster: Arc<Cluster>,
    pub(super) context: Context,
    pub(super) objects: Option<Objects>,
    pub(super) verdicts: Vec<Verdict>,
}

impl Judged {
    /// Removes the namespace with all that is in it, our finalizers, and the evidence on the nodes (it has been copied).
    pub(super) async fn clean_up(self) -> CaseReport {
        // The API server may be the one that had the bad luck: it is tried again until the time is over.
        let mut last = None;
        let removing = async {
            while let Err(problem) = self.remove().await {
                last = Some(problem);
                tokio::time::sleep(TRY_AGAIN).await;
            }
        };
        let removed = tokio::time::timeout(GONE, removing).await;
        let clean_up_problem = removed.err().map(|_| {
            let last = last.map(|problem| format!("; the last trouble: {problem}")).unwrap_or_default();
            format!("namespace {} was not gone after {} s{last}", self.context.namespace, GONE.as_secs())
        });
        CaseReport { verdicts: self.verdicts, clean_up_problem }
    }

    async fn remove(&self) -> Result<(), String> {
        let Some(objects) = &self.objects else { return Ok(()) };
        // The namespace first: in a namespace that is going, no controller makes a new pod with our finalizer.
        objects.delete("v1", "Namespace", &self.context.namespace).await?;
        while objects.exists("v1", "Namespace", &self.context.namespace).await? {
            objects.release_pods().await?;
            tokio::time::sleep(Duration::from_millis(700)).await;
        }
        for node in self.cluster.nodes() {
            let removed = recorder::remove_evidence(&self.cluster.engine, node, &self.context.namespace).await;
            removed.map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}
