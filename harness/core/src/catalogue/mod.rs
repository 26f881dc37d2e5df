//! The catalogue: every behaviour that upstream knows of, and what scenarios cover of it.

mod coverage;
mod place;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub use coverage::{Claim, Cover, Coverage, NO_SCENARIO_YET, Row, coverage};
pub use place::line_of_claim;

use crate::yaml::{self, YamlError};

/// `suites/catalogue.yaml`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// The file's name as the user gave it.
    #[serde(skip)]
    pub file: String,
    /// The sections, in the order of the file.
    pub sections: Vec<Section>,
}

/// Behaviours that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// What they are about.
    pub name: String,
    /// The behaviours.
    pub behaviours: Vec<Behaviour>,
}

/// One behaviour.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Behaviour {
    /// The line on which it begins, counted from 1.
    #[serde(skip)]
    pub line: u64,
    /// What scenarios call it in `covers`.
    pub id: String,
    /// The behaviour, in a sentence.
    pub says: String,
    /// The strongest evidence for it upstream.
    pub upstream: Upstream,
    /// Why no scenario covers it, where that is to stay so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
}

/// Kinds of evidence that upstream has for a behaviour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Upstream {
    /// An end-to-end or integration test asserts it.
    E2e,
    /// A unit test asserts it.
    Unit,
    /// The source does it, without a test.
    Source,
    /// The KEP's text says it.
    Kep,
    /// An issue says it.
    Issue,
}

impl Catalogue {
    /// Reads the catalogue from its YAML text.
    ///
    /// # Errors
    /// File and line of the first thing that is wrong: what YAML and types refuse, an id that is used twice.
    pub fn parse(file: &str, text: &str) -> Result<Self, YamlError> {
        let mut catalogue: Self = yaml::from_str(file, text)?;
        file.clone_into(&mut catalogue.file);
        let mut seen = BTreeSet::new();
        for behaviour in catalogue.sections.iter_mut().flat_map(|section| &mut section.behaviours) {
            let mut lines = place::lines_of_id(text, &behaviour.id);
            behaviour.line = lines.next().unwrap_or(1);
            if !seen.insert(behaviour.id.as_str()) {
                let line = lines.next().unwrap_or(behaviour.line);
                let message = format!("two behaviours have the id `{}`, the other one in line {}", behaviour.id, behaviour.line);
                return Err(YamlError { file: file.to_owned(), line, message });
            }
        }
        Ok(catalogue)
    }

    /// Every behaviour with the name of its section.
    pub fn behaviours(&self) -> impl Iterator<Item = (&str, &Behaviour)> {
        self.sections.iter().flat_map(|section| section.behaviours.iter().map(|behaviour| (section.name.as_str(), behaviour)))
    }
}
