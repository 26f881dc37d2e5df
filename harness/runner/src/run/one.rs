//! One case with its places, from the question whether it applies to its result.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use sidecheck_cluster::{
    lease::{Lease, Leases, Use},
    paths::Paths,
};
use sidecheck_core::{scenario::Tested, verdict::Verdict};

use super::disorder::{Mark, mend_what_was_left};
use crate::{
    case::{Case, Shared},
    evidence::RunDir,
};

/// What became of a case.
#[derive(Debug, Clone)]
pub enum CaseResult {
    /// It does not apply to the cluster.
    NotApplicable {
        /// Why.
        reason: String,
    },
    /// It was judged.
    Judged {
        /// The verdicts.
        verdicts: Vec<Verdict>,
        /// The folder with the evidence.
        evidence: PathBuf,
        /// What could not be cleaned up.
        clean_up_problem: Option<String>,
    },
    /// It could not be run or written down.
    Broken {
        /// What was tried, and what came back.
        error: String,
    },
}

/// A case that is over.
#[derive(Debug, Clone)]
pub struct Finished {
    /// The cluster entry.
    pub entry: String,
    /// The scenario.
    pub scenario: String,
    /// Which repetition, from 1.
    pub repetition: u32,
    /// Which agent it is about, where it was made from a scenario with agents.
    pub tested: Option<Tested>,
    /// How long it took, without waiting for the lease.
    pub took: Duration,
    /// The result.
    pub result: CaseResult,
}

/// The places that a case takes while it runs: one on its cluster, and one on the machine for each of its pods.
#[derive(Debug)]
pub(crate) struct Places {
    cluster: Lease,
    _machine: Lease,
}

/// Waits for the places of a case; `None` when the user interrupts.
///
/// # Errors
/// A lock file of the state folder can't be used.
pub(crate) async fn await_places(case: &Case, shared: &Shared, paths: &Paths) -> anyhow::Result<Option<Places>> {
    let (cluster, machine) = (Leases::of_cluster(paths, &case.cluster.name), Leases::of_machine(paths));
    let pods = case.listed.scenario.pods();
    let places = async {
        let mut cluster_place = cluster.acquire(Use::Shared(1), || ()).await?;
        while Mark::of(paths, &case.cluster).is_set() {
            drop(cluster_place);
            mend_what_was_left(paths, &case.cluster).await?;
            cluster_place = cluster.acquire(Use::Shared(1), || ()).await?;
        }
        let machine = machine.acquire(Use::Shared(pods), || ()).await?;
        anyhow::Ok(Places { cluster: cluster_place, _machine: machine })
    };
    tokio::select! {
        places = places => places.map(Some),
        () = shared.interrupt.wait() => Ok(None),
    }
}

/// Runs one case, or says why it does not apply.
pub async fn run_case(case: &Case, shared: &Shared, dir: &RunDir, paths: &Paths) -> Finished {
    if let Some(reason) = case.not_applicable(shared) {
        return finished(case, Duration::ZERO, CaseResult::NotApplicable { reason });
    }
    match await_places(case, shared, paths).await {
        Ok(Some(places)) => run_in(places, case, shared, dir).await,
        Ok(None) => {
            let error = "interrupted by the user before it began".to_owned();
            finished(case, Duration::ZERO, CaseResult::Broken { error })
        }
        Err(error) => finished(case, Duration::ZERO, CaseResult::Broken { error: format!("{error:#}") }),
    }
}

/// Runs one case that has its places.
pub(crate) async fn run_in(places: Places, case: &Case, shared: &Shared, dir: &RunDir) -> Finished {
    let room = places.cluster.slots().next().unwrap_or_default();
    let finished = run_judged(case, room, shared, dir).await;
    drop(places);
    finished
}

/// Runs one case to its end, in one of the cluster's rooms.
pub(super) async fn run_judged(case: &Case, room: usize, shared: &Shared, dir: &RunDir) -> Finished {
    let began = Instant::now();
    let run = async {
        let case_dir = dir.case(&case.cluster.entry, &case.listed.name, case.repetition)?;
        let evidence = case_dir.path().to_owned();
        let report = case.run(room, shared, &case_dir).await?;
        anyhow::Ok(CaseResult::Judged { verdicts: report.verdicts, evidence, clean_up_problem: report.clean_up_problem })
    };
    let result = run.await.unwrap_or_else(|error| CaseResult::Broken { error: format!("{error:#}") });
    finished(case, began.elapsed(), result)
}

/// The record of a case that is over.
pub(crate) fn finished(case: &Case, took: Duration, result: CaseResult) -> Finished {
    Finished {
        entry: case.cluster.entry.clone(),
        scenario: case.listed.name.clone(),
        repetition: case.repetition,
        tested: case.listed.scenario.tested.clone(),
        took,
        result,
    }
}
