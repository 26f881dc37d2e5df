//! Which clusters there are.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use sidecheck_core::release::Release;

use super::Clusters;
use crate::{
    cluster::{Record, entry_of},
    command::CommandError,
};

/// One cluster, as far as it can be told without asking it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// kind's name for it.
    pub name: String,
    /// The entry's name.
    pub entry: String,
    /// Its release, once it was complete.
    pub release: Option<Release>,
    /// What is left of it.
    pub state: State,
    /// When it came up.
    pub created: Option<Timestamp>,
}

/// What is left of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Complete, and its nodes run.
    Running,
    /// Complete, but its nodes were stopped; `up` makes it anew.
    Stopped,
    /// Complete once; its nodes are gone.
    Gone,
    /// Being made, or a creation that was killed.
    HalfMade,
    /// Only the logs of a failed creation.
    Failed,
}

impl Clusters {
    /// The clusters of this state folder, by name.
    pub async fn list(&self) -> Result<Vec<Listed>, CommandError> {
        let mut running: BTreeMap<String, bool> = BTreeMap::new();
        for container in self.all_containers().await?.into_iter().filter(|container| container.ours) {
            *running.entry(container.cluster).or_insert(true) &= container.running;
        }
        let folders = std::fs::read_dir(self.paths.state.join("clusters")).into_iter().flatten().flatten();
        let mut names: BTreeSet<String> = folders.filter_map(|folder| folder.file_name().into_string().ok()).collect();
        names.extend(running.keys().cloned());
        Ok(names.into_iter().filter_map(|name| self.listed(&name, running.get(&name).copied())).collect())
    }

    fn listed(&self, name: &str, running: Option<bool>) -> Option<Listed> {
        let entry = entry_of(name)?.to_owned();
        let folder = self.paths.cluster(name);
        let record = Record::read(&folder).ok().flatten();
        let state = match (&record, running) {
            (Some(_), Some(true)) => State::Running,
            (Some(_), Some(false)) => State::Stopped,
            (Some(_), None) => State::Gone,
            (None, None) if !folder.join("kind.yaml").exists() => State::Failed,
            (None, _) => State::HalfMade,
        };
        let environment = record.map(|record| record.environment);
        let release = environment.as_ref().map(|found| found.release.clone());
        Some(Listed { name: name.to_owned(), entry, release, state, created: environment.map(|found| found.created) })
    }
}
