//! One case with its lease, from the question whether it applies to its result.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use sidecheck_cluster::{lease, paths::Paths};
use sidecheck_core::verdict::Verdict;

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
    /// How long it took, without waiting for the lease.
    pub took: Duration,
    /// The result.
    pub result: CaseResult,
}

/// Runs one case under a lease of its cluster.
pub async fn run_case(case: &Case, shared: &Shared, dir: &RunDir, paths: &Paths) -> Finished {
    let environment = &case.cluster.environment;
    let (took, result) = match case.listed.scenario.needs.unmet(environment) {
        Some(reason) => (Duration::ZERO, CaseResult::NotApplicable { reason }),
        None => leased(case, shared, dir, paths).await,
    };
    Finished { entry: case.cluster.entry.clone(), scenario: case.listed.name.clone(), repetition: case.repetition, took, result }
}

async fn leased(case: &Case, shared: &Shared, dir: &RunDir, paths: &Paths) -> (Duration, CaseResult) {
    let leases = lease::Leases::new(paths, &case.cluster.name, lease::CAPACITY);
    let waiting = shared.progress.waiting(&case.label(), "wait for a free place on the cluster");
    let lease = tokio::select! {
        lease = leases.acquire(lease::Use::Shared, || ()) => lease,
        () = shared.interrupt.wait() => {
            return (Duration::ZERO, CaseResult::Broken { error: "interrupted by the user before it began".to_owned() });
        }
    };
    drop(waiting);
    let began = Instant::now();
    let result = async {
        let _lease = lease?;
        let case_dir = dir.case(&case.cluster.entry, &case.listed.name, case.repetition)?;
        let evidence = case_dir.path().to_owned();
        let report = case.run(shared, case_dir).await?;
        anyhow::Ok(CaseResult::Judged { verdicts: report.verdicts, evidence, clean_up_problem: report.clean_up_problem })
    };
    let result = result.await.unwrap_or_else(|error| CaseResult::Broken { error: format!("{error:#}") });
    (began.elapsed(), result)
}
