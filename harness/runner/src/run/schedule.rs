//! In which order the cases of a cluster run, and which of them together.

use std::sync::Arc;

use sidecheck_cluster::Cluster;

use super::Batch;
use crate::{
    case::{Case, Shared},
    catalog::Listed,
};

/// The work on one cluster.
#[derive(Debug)]
pub struct Schedule {
    /// What does not apply, with the reason.
    pub not_applicable: Vec<(Case, String)>,
    /// What shares the cluster with others.
    pub side_by_side: Vec<Case>,
    /// What needs the cluster for itself.
    pub alone: Vec<Batch>,
}

impl Schedule {
    /// Sorts the scenarios: repetition by repetition, so that every scenario has been seen once before any is seen twice, and in
    /// each the ones that take longest first. What does not apply is told once.
    pub fn new(scenarios: &[Listed], cluster: &Arc<Cluster>, shared: &Shared, repeat: u32) -> Self {
        let mut schedule = Self { not_applicable: vec![], side_by_side: vec![], alone: vec![] };
        let mut due: Vec<Arc<Listed>> = Vec::new();
        for listed in scenarios.iter().cloned().map(Arc::new) {
            let case = Case::new(cluster, Arc::clone(&listed));
            match case.not_applicable(shared) {
                Some(reason) => schedule.not_applicable.push((case, reason)),
                None => due.push(listed),
            }
        }
        due.sort_by_key(|listed| std::cmp::Reverse((listed.scenario.pods(), listed.scenario.least_time())));
        let (alone, side_by_side): (Vec<_>, Vec<_>) = due.into_iter().partition(|listed| listed.scenario.needs_cluster_alone());
        let repeated = |listed: &[Arc<Listed>]| -> Vec<Case> {
            let case = |listed: &Arc<Listed>, repetition| Case { repetition, ..Case::new(cluster, Arc::clone(listed)) };
            (1..=repeat).flat_map(|repetition| listed.iter().map(move |listed| case(listed, repetition))).collect()
        };
        schedule.side_by_side = repeated(&side_by_side);
        schedule.alone = Batch::of(repeated(&alone));
        schedule
    }
}
