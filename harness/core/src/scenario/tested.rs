//! Which agent a case is about, and how it stands in the pod.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::agent::LogSource;

/// Which agent a case is about, and how: what a case made by [`super::Agents`] is told apart by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tested {
    /// The scenario's name, such as `logs/job-ends`.
    pub situation: String,
    /// The agent's name.
    pub agent: String,
    /// Its version.
    pub version: String,
    /// Its configuration.
    pub configuration: String,
    /// How it stands in the pod.
    pub placement: Placement,
    /// What it reads.
    pub source: LogSource,
}

/// How an agent stands in a pod.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// As a sidecar, before all other init containers.
    Native,
    /// As an ordinary container, before the mains.
    Ordinary,
    /// As an ordinary container that the main asks to end when it ends itself, through a process namespace that they share: what
    /// people did before there were sidecars, so that a Job could complete.
    EndedByMain,
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Native => "native",
            Self::Ordinary => "ordinary",
            Self::EndedByMain => "ended-by-main",
        })
    }
}
