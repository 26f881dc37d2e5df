//! Log agents are data: one file per agent in `suites/agents/`. A new agent is a new file, and no code.

mod check;
mod chosen;
mod configuration;
mod image;
mod place;
mod placeholder;
mod protocol;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use chosen::Chosen;
pub use configuration::{ConfigFile, Configuration, DocumentedLoss, Lines};
pub use image::{AgentImage, Debian, GoProgram};
pub use place::{Filled, LogSource, Place};
pub use protocol::Protocol;

use crate::yaml::{self, YamlError};

/// `suites/agents/NAME.yaml`: a real log agent, how its image is had, how it runs, and how it is configured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// What it is, in a sentence.
    pub about: String,
    /// Where the image comes from.
    pub image: AgentImage,
    /// Its version.
    pub version: Version,
    /// What it speaks to the sink.
    pub speaks: Protocol,
    /// The container's command; the image's own where nothing is said. `$(NAME)` stands for a variable.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// Its arguments; the image's own where nothing is said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Variables of all configurations.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// The container's `startupProbe` in Kubernetes' own fields, where the agent has a way to say that it reads. Once a second
    /// and for ten minutes, unless it says otherwise itself.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub startup_probe: Value,
    /// Folders that outlive a restart of the container, and go with the pod.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub volumes: Vec<AgentVolume>,
    /// How it is told to stop.
    #[serde(default)]
    pub stop: Stop,
    /// The kinds of logs that it can read, each with what is said in its place in the configurations: texts by their names.
    pub reads: BTreeMap<LogSource, BTreeMap<String, String>>,
    /// Its configurations by name. `defaults` and `lossless` are what all agents of the project have.
    pub configurations: BTreeMap<String, Configuration>,
    /// Fields of the container, merged over the rest (RFC 7396), such as `securityContext` or `resources`.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub spec: Value,
}

/// An agent's version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Version {
    /// What is expected.
    pub expected: String,
    /// The command in the image that tells it, where there is one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked_by: Vec<String>,
}

/// A folder of the agent's own: an `emptyDir`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentVolume {
    /// Its name among the agent's volumes.
    pub name: String,
    /// Where it is mounted.
    pub path: String,
}

/// How an agent is told to stop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// The signal that makes it end in good order.
    #[serde(default = "sigterm")]
    pub signal: String,
    /// An HTTP endpoint in the container that does the same, which pods used before there were sidecars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quit: Option<Quit>,
}

/// An HTTP endpoint at which `GET` makes an agent quit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quit {
    /// The port.
    pub port: u16,
    /// The path.
    pub path: String,
}

fn sigterm() -> String {
    "SIGTERM".to_owned()
}

impl Default for Stop {
    fn default() -> Self {
        Self { signal: sigterm(), quit: None }
    }
}

impl Agent {
    /// Reads an agent from its YAML text.
    ///
    /// # Errors
    /// File and line of the first thing that is wrong: what YAML and types refuse, an unknown placeholder, sources that don't
    /// have the same texts, a name or a probe that Kubernetes would not take.
    pub fn parse(file: &str, text: &str) -> Result<Self, YamlError> {
        let agent: Self = yaml::from_str(file, text)?;
        check::check(&agent).map(|()| agent).map_err(|wrong| wrong.placed(file, |needle| check::line_of(text, needle)))
    }
}

#[cfg(test)]
mod tests;
