//! The matrix: the list of cluster entries that sidecheck knows by name.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    release::Release,
    yaml::{self, YamlError},
};

/// All entries.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matrix {
    /// In the order in which they are listed and brought up.
    pub entries: Vec<Entry>,
}

/// One cluster entry: an exact release with its feature gates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The name people use, such as `1.28-alpha`: the name of the entry's file without its ending.
    #[serde(skip)]
    pub name: String,
    /// The exact release.
    pub release: Release,
    /// Gates set on every component; a gate that is not named keeps the release's default.
    #[serde(default)]
    pub feature_gates: BTreeMap<String, bool>,
    /// The effective state that the cluster must show after creation, gate by gate.
    pub expect_gates: BTreeMap<String, bool>,
    /// The published node image with its digest; tried first, else the image is built from source.
    #[serde(default)]
    pub image: Option<String>,
    /// Whether the entry belongs to the default pair.
    #[serde(default)]
    pub default: bool,
}

impl Entry {
    /// Reads an entry from the YAML text of its file; `name` is the file's name without its ending.
    ///
    /// # Errors
    /// File and line of the first thing that is wrong.
    pub fn parse(file: &str, name: &str, text: &str) -> Result<Self, YamlError> {
        let entry: Self = yaml::from_str(file, text)?;
        Ok(Self { name: name.to_owned(), ..entry })
    }
}

/// The gate that decides about sidecars.
pub const SIDECAR_CONTAINERS: &str = "SidecarContainers";

impl Entry {
    /// An entry that is in no file: an exact release, with gates behind it where they are to be set, such as `1.29.0` or
    /// `1.28.15,SidecarContainers=true`. `None` when the text does not begin with an exact release.
    ///
    /// The state that the cluster must show follows from the release: off by default in 1.28 (alpha), on from 1.29 (beta, and
    /// stable in 1.33).
    ///
    /// # Errors
    /// What stands behind the release is no gate with its state.
    pub fn exact(text: &str) -> Option<Result<Self, String>> {
        let mut parts = text.split(',');
        let release: Release = parts.next()?.parse().ok()?;
        let gate = |part: &str| match part.split_once('=') {
            Some((gate, "true")) if !gate.is_empty() => Ok((gate.to_owned(), true)),
            Some((gate, "false")) if !gate.is_empty() => Ok((gate.to_owned(), false)),
            _ => Err(format!("`{part}` in `{text}` is no gate with its state, such as {SIDECAR_CONTAINERS}=true")),
        };
        Some(parts.map(gate).collect::<Result<BTreeMap<_, _>, _>>().map(|feature_gates| {
            let by_default = BTreeMap::from([(SIDECAR_CONTAINERS.to_owned(), release.minor() >= 29)]);
            let expect_gates = by_default.into_iter().chain(feature_gates.clone()).collect();
            // What kind takes as the name of a cluster.
            let name = text.to_lowercase().replace([',', '='], "-");
            Self { name, release, feature_gates, expect_gates, image: None, default: false }
        }))
    }
}

impl Matrix {
    /// The entry of that name.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// The entries of the default pair.
    pub fn defaults(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.default)
    }
}
