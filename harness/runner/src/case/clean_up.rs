//! The last stage: what the case made is removed. A failure here is reported and never changes a verdict.

use std::{sync::Arc, time::Duration};

use sidecheck_cluster::{Cluster, recorder};
use sidecheck_core::{scenario::Scenario, verdict::Verdict};
use tokio::time::{Instant, sleep, timeout};

use super::{CaseReport, room};
use crate::{act::Objects, manifest::Context};

/// How long the pods may take to go while the API server answers: on a busy node they are a while behind.
const GONE: Duration = Duration::from_secs(60);
/// How long the API server may take to answer again.
const ANSWERS: Duration = Duration::from_secs(120);
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
        // The API server may be the one that had the bad luck, and then comes back late: it is tried again.
        let begin = Instant::now();
        let clean_up_problem = loop {
            let said = match timeout(GONE, self.remove(scenario)).await {
                Ok(Ok(())) => break None,
                Ok(Err(_)) if begin.elapsed() < ANSWERS => {
                    sleep(TRY_AGAIN).await;
                    continue;
                }
                Ok(Err(said)) => said,
                Err(_) => "its pods are still there".to_owned(),
            };
            let (namespace, waited) = (&self.context.namespace, begin.elapsed().as_secs());
            break Some(format!("namespace {namespace} was not empty after {waited} s: {said}"));
        };
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
