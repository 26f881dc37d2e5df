//! Cases that do something to their cluster: those that do the same run together, and nobody else is on the cluster.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use futures::future::join_all;
use sidecheck_cluster::{
    lease::{CAPACITY, Lease, Leases, Use},
    paths::Paths,
};
use sidecheck_core::scenario::Disruption;

use super::{
    CaseResult, Finished, Group,
    disorder::Mark,
    one::{finished, run_judged},
};
use crate::{
    case::{Case, Shared},
    evidence::RunDir,
};

/// How many pods a batch has at most: the machine bears more, but all of them come back at the same moment after a reboot.
const PODS: usize = 12;

/// Cases of one cluster that do the same to it, in the same order.
#[derive(Debug)]
pub struct Batch {
    cases: Vec<Case>,
}

/// The cluster and the places of its pods on the machine, for a batch.
#[derive(Debug)]
pub(crate) struct Alone {
    cluster: Lease,
    _machine: Lease,
}

impl Batch {
    /// Makes batches of cases that are all on one cluster.
    pub fn of(cases: Vec<Case>) -> Vec<Self> {
        let mut alike: BTreeMap<(u32, Vec<Disruption>), Vec<Self>> = BTreeMap::new();
        for case in cases {
            let disruptions = case.listed.scenario.disruptions().into_iter().cloned().collect();
            let batches = alike.entry((case.repetition, disruptions)).or_default();
            let pods = case.listed.scenario.pods();
            match batches.last_mut() {
                Some(batch) if batch.pods() + pods <= PODS && batch.cases.len() < CAPACITY => batch.cases.push(case),
                _ => batches.push(Self { cases: vec![case] }),
            }
        }
        alike.into_values().flatten().map(|batch| batch.without(|_| false)).collect()
    }

    /// The same without some of its cases; those that stay wait for each other only.
    #[must_use]
    pub fn without(mut self, is_left_out: impl Fn(&Case) -> bool) -> Self {
        self.cases.retain(|case| !is_left_out(case));
        let group = Group::of(self.cases.len());
        self.cases.iter_mut().for_each(|case| case.group = Some(group.clone()));
        self
    }

    /// Whether there is nothing to run.
    pub fn is_empty(&self) -> bool {
        self.cases.is_empty()
    }

    fn pods(&self) -> usize {
        self.cases.iter().map(|case| case.listed.scenario.pods()).sum()
    }

    /// Waits for the cluster; `None` when the user interrupts.
    ///
    /// # Errors
    /// A lock file of the state folder can't be used.
    pub(crate) async fn await_alone(&self, shared: &Shared, paths: &Paths) -> anyhow::Result<Option<Alone>> {
        let Some(case) = self.cases.first() else { return Ok(None) };
        let (cluster, machine) = (Leases::of_cluster(paths, &case.cluster.name), Leases::of_machine(paths));
        let alone = async {
            let cluster = cluster.acquire(Use::Exclusive, || ()).await?;
            let machine = machine.acquire(Use::Shared(self.pods()), || ()).await?;
            anyhow::Ok(Alone { cluster, _machine: machine })
        };
        tokio::select! {
            alone = alone => alone.map(Some),
            () = shared.interrupt.wait() => Ok(None),
        }
    }

    /// Runs the cases, and mends the cluster afterwards, whatever became of them.
    pub(crate) async fn run_in(self, alone: Alone, shared: &Shared, dir: &RunDir, paths: &Paths) -> Vec<Finished> {
        let Some(cluster) = self.cases.first().map(|case| Arc::clone(&case.cluster)) else { return vec![] };
        let mark = Mark::of(paths, &cluster);
        // What was left behind by others is mended now, and what is left behind from now on by whoever comes next.
        let begun = if mark.is_set() { mark.mend(&cluster).await.map_err(anyhow::Error::msg) } else { Ok(()) };
        if let Err(error) = begun.and_then(|()| mark.set()) {
            let broken = |case| finished(case, Duration::ZERO, CaseResult::Broken { error: format!("{error:#}") });
            return self.cases.iter().map(broken).collect();
        }
        let rooms: Vec<usize> = alone.cluster.slots().collect();
        let cases = self.cases.iter().zip(rooms).map(|(case, room)| run_judged(case, room, shared, dir));
        let results = join_all(cases).await;
        let mended = mark.mend(&cluster).await;
        drop(alone);
        let told = |mut case: Finished| {
            if let (Err(problem), CaseResult::Judged { clean_up_problem, .. }) = (&mended, &mut case.result) {
                clean_up_problem.get_or_insert_with(|| problem.clone());
            }
            case
        };
        results.into_iter().map(told).collect()
    }

    /// Waits for the cluster, and runs.
    pub async fn run(self, shared: &Shared, dir: &RunDir, paths: &Paths) -> Vec<Finished> {
        let broken = |error: String| -> Vec<Finished> {
            let result = |case| finished(case, Duration::ZERO, CaseResult::Broken { error: error.clone() });
            self.cases.iter().map(result).collect()
        };
        match self.await_alone(shared, paths).await {
            Ok(Some(alone)) => self.run_in(alone, shared, dir, paths).await,
            Ok(None) => broken("interrupted by the user before it began".to_owned()),
            Err(error) => broken(format!("{error:#}")),
        }
    }
}
