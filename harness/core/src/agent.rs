//! Log agents are data: one file per agent in `suites/agents/`.

use serde::{Deserialize, Serialize};

use crate::yaml::{self, YamlError};

/// `suites/agents/NAME.yaml`: a real log agent, how its image is had, and how it is configured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// What it is, in a sentence.
    pub about: String,
    /// Where the image comes from.
    pub image: AgentImage,
    /// The container's command.
    pub command: Vec<String>,
    /// Its configuration file.
    pub config: AgentConfig,
    /// What it speaks to the sink.
    pub speaks: Protocol,
    /// The command of an exec startup probe, when the agent has a way to say that it reads.
    #[serde(default)]
    pub startup_probe: Option<Vec<String>>,
    /// What its makers document about loss.
    pub documented_loss: String,
}

/// How an agent's image is had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum AgentImage {
    /// Made here from Debian packages.
    Debian {
        /// The suite, such as `bookworm`.
        suite: String,
        /// The packages; what they depend on comes with them.
        packages: Vec<String>,
    },
}

/// A configuration file and its template. Known placeholders: `{{logs}}` (folder of the shared log files),
/// `{{sink_host}}`, `{{sink_port}}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentConfig {
    /// The file's path in the container.
    pub path: String,
    /// Its text, with placeholders.
    pub text: String,
}

/// A protocol that the sink receives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// Syslog over TCP (RFC 6587, both framings).
    SyslogTcp,
}

impl Agent {
    /// Reads an agent from its YAML text.
    ///
    /// # Errors
    /// File and line of the first thing that is wrong.
    pub fn parse(file: &str, text: &str) -> Result<Self, YamlError> {
        yaml::from_str(file, text)
    }
}
