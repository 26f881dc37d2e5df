//! A case: one scenario, once, on one cluster. Its stages are types, so that nothing is judged before it is collected
//! and nothing is cleaned up before it is judged.

mod acts;
mod ask;
mod clean_up;
mod collect;
mod goal;
mod poll;
mod prepare;
mod record;
mod room;
mod said;
mod steps;

use std::{collections::BTreeMap, sync::Arc};

use sidecheck_cluster::Cluster;
use sidecheck_core::verdict::Verdict;

use crate::{
    catalog::{Catalog, Listed},
    evidence::CaseDir,
    run::{Group, Interrupt, Progress},
    show::again,
};

/// What a case is made of.
#[derive(Debug, Clone)]
pub struct Case {
    /// The cluster.
    pub cluster: Arc<Cluster>,
    /// The scenario.
    pub listed: Arc<Listed>,
    /// Which repetition, from 1.
    pub repetition: u32,
    /// Those that do the same to the cluster, where it does something to it.
    pub group: Option<Group>,
}

/// What a run gives to its cases.
#[derive(Debug, Clone)]
pub struct Shared {
    /// The run's name.
    pub run: String,
    /// The data files.
    pub catalog: Arc<Catalog>,
    /// The witness image, by its full name.
    pub witness_image: String,
    /// The agents' images, by the agents' names.
    pub agent_images: BTreeMap<String, String>,
    /// Of the other agents, why their image can't be had.
    pub missing_images: BTreeMap<String, String>,
    /// Becomes true when the user interrupts.
    pub interrupt: Interrupt,
    /// Where progress is shown.
    pub progress: Progress,
}

/// What became of a case.
#[derive(Debug, Clone)]
pub struct CaseReport {
    /// The verdicts, in the scenario's order.
    pub verdicts: Vec<Verdict>,
    /// What went wrong while cleaning up; never changes a verdict.
    pub clean_up_problem: Option<String>,
}

impl Case {
    /// The first run of a scenario on a cluster, which nobody shares with it.
    pub fn new(cluster: &Arc<Cluster>, listed: Arc<Listed>) -> Self {
        Self { cluster: Arc::clone(cluster), listed, repetition: 1, group: None }
    }

    /// Why it does not apply: the cluster lacks what the scenario needs, or the image of an agent can't be had.
    pub fn not_applicable(&self, shared: &Shared) -> Option<String> {
        let scenario = &self.listed.scenario;
        let lacking = || {
            let agents = shared.catalog.agents_of(scenario);
            let (name, reason) = shared.missing_images.iter().find(|(name, _)| agents.contains_key(*name))?;
            Some(format!("the image of agent {name} can't be had: {reason}"))
        };
        scenario.needs.unmet(&self.cluster.environment).or_else(lacking)
    }

    /// The case's name for people, such as `1.29 ordering/stop-on-delete`.
    pub fn label(&self) -> String {
        format!("{} {}{}", self.cluster.entry, self.listed.name, again(self.repetition))
    }

    /// What its evidence on the nodes is found by: named after the scenario, and unlike any other's.
    fn key(&self, run: &str) -> String {
        format!("{}-{run}-{}", self.listed.name.replace('/', "-"), self.repetition)
    }

    /// Runs the case to its end: prepare, act, collect, judge, clean up. `room` is the number of the cluster's namespace that it
    /// has for itself meanwhile. Infrastructure that fails becomes part of the
    /// trace, and the verdicts say so.
    ///
    /// # Errors
    /// Evidence can't be written to disk, or no expectation can be derived (which planning has already excluded).
    pub async fn run(&self, room: usize, shared: &Shared, dir: &CaseDir) -> anyhow::Result<CaseReport> {
        let stage = prepare::prepare(self, room, shared).await;
        let acted = stage.act(&self.listed.scenario, shared).await;
        let collected = acted.collect(&self.listed.scenario).await;
        let judged = collected.judge(self, shared, dir)?;
        Ok(judged.clean_up(&self.listed.scenario).await)
    }
}
