//! How late the container runtime's stamps are on this machine: measured when a cluster comes up, with containers that write down
//! themselves when they end.

mod lags;
mod pod;

use std::time::Duration;

use jiff::Timestamp;
use k8s_openapi::api::core::v1::Pod;
use kube::{
    Api, Client, ResourceExt as _,
    api::{DeleteParams, PostParams},
};
use sidecheck_core::environment::Calibration;
use tokio::time::{Instant, sleep};

use crate::{
    cluster::{Cluster, ClusterError},
    labels::SYSTEM_NAMESPACE,
    recorder::{self, CollectError},
};
use lags::Lags;

/// The largest lag with which an order can still be told. Twice this is the time a main may take to stop in a scenario.
const LARGEST: Duration = Duration::from_millis(250);
/// A clock that is read in two processes does not tell less than this apart.
const LEAST_MS: u64 = 10;
/// The pod takes 4 s, on a busy machine three times that.
const LIMIT: Duration = Duration::from_secs(60);
/// A machine that was busy for a moment gets another chance.
const TRIES: usize = 3;

/// Why the runtime's stamps could not be calibrated.
#[derive(Debug, thiserror::Error)]
pub enum CalibrateError {
    /// The stamps are too late for an order of two events.
    #[error(
        "the machine is too slow to tell an order: the container runtime told of an exit {lag_ms} ms after it ({} ms are allowed, \
         {TRIES} tries); mend with: less that runs beside it",
        LARGEST.as_millis()
    )]
    TooSlow {
        /// The largest lag of the best try, in milliseconds.
        lag_ms: u64,
    },
    /// The cluster can't be spoken to.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// The API server refused or failed.
    #[error("failed to calibrate the runtime's stamps: {0}")]
    Api(#[from] kube::Error),
    /// The pod did not end.
    #[error("the calibration pod did not end within {} s; last seen: {last}", LIMIT.as_secs())]
    NotEnded {
        /// Its phase, and its containers' states.
        last: String,
    },
    /// The node did not give its records.
    #[error(transparent)]
    Collect(#[from] CollectError),
    /// Not every start and exit is in both records.
    #[error("failed to calibrate the runtime's stamps: {0}")]
    Incomplete(String),
}

/// What was measured on all nodes, and what follows from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calibrated {
    /// How much later than the fact a stamp may be, in milliseconds: twice the largest lag that was seen.
    pub resolution_ms: u64,
    /// The lags.
    pub sample: Calibration,
}

/// Measures on every node, with pods of the witness `image`.
///
/// # Errors
/// [`CalibrateError::TooSlow`] names the lag; the others what could not be had.
pub async fn calibrate(cluster: &Cluster, image: &str) -> Result<Calibrated, CalibrateError> {
    let client = cluster.client().await?;
    let mut best: Option<Lags> = None;
    for _ in 0..TRIES {
        let mut lags = Lags::default();
        for node in cluster.nodes() {
            lags.extend(measure(cluster, &client, node, image).await?);
        }
        if best.as_ref().is_none_or(|best| lags.largest_exit() < best.largest_exit()) {
            best = Some(lags);
        }
        if let Some(best) = best.as_ref().filter(|best| best.largest_exit() <= LARGEST) {
            return Ok(Calibrated { resolution_ms: resolution_ms(best.largest_exit()), sample: best.sample() });
        }
    }
    Err(CalibrateError::TooSlow { lag_ms: lags::milliseconds(best.unwrap_or_default().largest_exit()) })
}

fn resolution_ms(largest: Duration) -> u64 {
    lags::milliseconds(2 * largest).max(LEAST_MS)
}

/// Runs one pod on one node; whatever comes of it, nothing of it stays.
async fn measure(cluster: &Cluster, client: &Client, node: &str, image: &str) -> Result<Lags, CalibrateError> {
    let pods = Api::<Pod>::namespaced(client.clone(), SYSTEM_NAMESPACE);
    clear(&pods).await?;
    let began = Timestamp::now();
    let measured = async {
        let pod: Pod = serde_json::from_value(pod::pod(node, image)).map_err(kube::Error::SerdeError)?;
        let uid = pods.create(&PostParams::default(), &pod).await?.uid().unwrap_or_default();
        await_end(&pods).await?;
        let evidence = recorder::collect(&cluster.engine, node, began, pod::FOLDER).await?;
        Lags::of(node, &uid, &evidence).map_err(CalibrateError::Incomplete)
    };
    let measured = measured.await;
    delete(&pods).await?;
    recorder::remove_evidence(&cluster.engine, node, pod::FOLDER).await?;
    measured
}

async fn await_end(pods: &Api<Pod>) -> Result<(), CalibrateError> {
    let begin = Instant::now();
    loop {
        let status = pods.get(pod::NAME).await?.status.unwrap_or_default();
        if matches!(status.phase.as_deref(), Some("Succeeded" | "Failed")) {
            return Ok(());
        }
        if begin.elapsed() > LIMIT {
            let containers = status.container_statuses.into_iter().flatten();
            let running = containers.filter(|one| one.state.as_ref().is_some_and(|state| state.terminated.is_none())).count();
            let last = format!("{}, {running} containers have not ended", status.phase.unwrap_or_default());
            return Err(CalibrateError::NotEnded { last });
        }
        sleep(Duration::from_millis(100)).await;
    }
}

/// Removes the pod, also that of a process that was killed, and waits until its name is free.
async fn clear(pods: &Api<Pod>) -> Result<(), CalibrateError> {
    let begin = Instant::now();
    while pods.get_opt(pod::NAME).await?.is_some() {
        delete(pods).await?;
        if begin.elapsed() > LIMIT {
            return Err(CalibrateError::NotEnded { last: "it can't be removed".to_owned() });
        }
        sleep(Duration::from_millis(100)).await;
    }
    Ok(())
}

/// Its containers have ended, as a rule, so nothing has to be waited for.
async fn delete(pods: &Api<Pod>) -> Result<(), CalibrateError> {
    match pods.delete(pod::NAME, &DeleteParams { grace_period_seconds: Some(0), ..DeleteParams::default() }).await {
        Err(kube::Error::Api(status)) if status.code == 404 => Ok(()),
        deleted => deleted.map(drop).map_err(CalibrateError::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolution_is_twice_the_largest_lag_and_not_below_the_least() {
        assert_eq!(resolution_ms(Duration::from_micros(12_300)), 25);
        assert_eq!(resolution_ms(Duration::from_millis(2)), 10);
        assert_eq!(resolution_ms(LARGEST), 500);
    }

    #[test]
    fn a_machine_that_is_too_slow_is_told_with_its_lag() {
        let error = CalibrateError::TooSlow { lag_ms: 321 }.to_string();
        assert!(error.contains("321 ms after it (250 ms are allowed, 3 tries)"), "{error}");
    }
}
