//! One configuration of an agent, and what its makers say about loss with it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{expectation::Expected, scenario::Span};

/// A configuration, such as `defaults` or `lossless`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// What it is, in a sentence.
    pub about: String,
    /// Its files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<ConfigFile>,
    /// Variables, on top of the agent's own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// The longest that it goes on after the stop signal, when the sink does not answer.
    pub stops_within: Span,
    /// The shapes of lines that it delivers as they were written.
    #[serde(default)]
    pub lines: Lines,
    /// What its documentation or source says about loss; nothing, where it claims to lose nothing.
    #[serde(default)]
    pub documented_loss: Vec<DocumentedLoss>,
}

/// A configuration file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfigFile {
    /// Its path in the container.
    pub path: String,
    /// Its text, with placeholders.
    pub text: String,
}

/// The shapes of lines that an agent delivers as they were written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lines {
    /// The longest line in bytes; a longer one is cut, split or left out.
    #[serde(default = "sixteen_kib")]
    pub longest: u64,
    /// Whether a last line without a line feed arrives.
    #[serde(default)]
    pub unfinished: bool,
    /// Whether bytes that are no UTF-8 arrive as they were.
    #[serde(default)]
    pub invalid_utf8: bool,
}

/// The length at which container runtimes split lines: what any agent takes.
const fn sixteen_kib() -> u64 {
    16 * 1024
}

impl Default for Lines {
    fn default() -> Self {
        Self { longest: sixteen_kib(), unfinished: false, invalid_utf8: false }
    }
}

/// A loss that the agent's makers document: with this configuration it is no surprise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocumentedLoss {
    /// The situation, in words.
    pub when: String,
    /// What happens to the lines then, and why.
    pub because: String,
    /// Where that is written: a page, an issue, or a file of the source.
    pub source: String,
    /// The scenarios with that situation, by name, each with what is expected there: `violated` where it always shows, and
    /// `unspecified` where it may.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub scenarios: BTreeMap<String, Expected>,
}
