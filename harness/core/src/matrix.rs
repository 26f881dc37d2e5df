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
