//! The last stage: what the case made is removed. A failure here is reported and never changes a verdict.

use std::{sync::Arc, time::Duration};

use sidecheck_cluster::{Cluster, recorder};
use sidecheck_core::{scenario::Scenario, verdict::Verdict};

use super::{CaseReport, room};
use crate::{act::Objects, manifest::Context};

/// How long the pods may take to go: on a busy node they are a while behind.
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
    /// Removes what the case made, our finalizers, and the evidence on the nodes (it has been copied).
    pub(super) async fn clean_up(self, scenario: &Scenario) -> CaseReport {
        // The API server may be the one that had the bad luck: it is tried again until the time is over.
        let mut last = None;
        let removing = async {
            while let Err(problem) = self.remove(scenario).await {
                last = Some(problem);
                tokio::time::sleep(TRY_AGAIN).await;
            }
        };
        let removed = tokio::time::timeout(GONE, removing).await;
        let clean_up_problem = removed.err().map(|_| {
            let last = last.map(|problem| format!("; the last trouble: {problem}")).unwrap_or_default();
            format!("namespace {} was not empty after {} s{last}", self.context.namespace, GONE.as_secs())
        });
        CaseReport { verdicts: self.verdicts, clean_up_problem }
    }

    async fn remove(&self, scenario: &Scenario) -> Result<(), String> {
        let Some(objects) = &self.objects else { return Ok(()) };
        room::leave(objects, &self.context, scenario).await?;
        for node in self.cluster.nodes() {
            let removed = recorder::remove_evidence(&self.cluster.engine, node, &self.context.key).await;
            removed.map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}
