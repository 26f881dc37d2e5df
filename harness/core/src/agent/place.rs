//! Where an agent runs: which logs it reads, and where the sink is.

use std::{collections::BTreeMap, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{Agent, ConfigFile, Configuration, placeholder};

/// A kind of logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogSource {
    /// Files on a volume that the containers of the pod share.
    File,
    /// What the containers wrote to stdout and stderr, as the container runtime keeps it on the node in CRI format.
    ContainerLogs,
}

impl LogSource {
    /// All kinds.
    pub const ALL: [Self; 2] = [Self::File, Self::ContainerLogs];
}

impl fmt::Display for LogSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::File => "file",
            Self::ContainerLogs => "container_logs",
        })
    }
}

impl FromStr for LogSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|source| source.to_string() == text);
        found.ok_or_else(|| format!("`{text}` is no kind of logs: there are file and container_logs"))
    }
}

/// What placeholders stand for in one pod.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'a> {
    /// `{{logs}}`: the folder that has the log files, in the agent's container.
    pub logs: &'a str,
    /// `{{files}}`: all log files, as a glob.
    pub files: &'a str,
    /// `{{sink_host}}`: the sink's address.
    pub sink_host: &'a str,
    /// `{{sink_port}}`: its port for what the agent speaks.
    pub sink_port: u16,
}

/// A configuration without placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// The files.
    pub files: Vec<ConfigFile>,
    /// The variables.
    pub env: BTreeMap<String, String>,
}

impl Agent {
    /// Fills the placeholders of a configuration in. `{{NAME}}` alone on a line stands for all lines of its text, each with the
    /// same space before it, and for no line at all where the text is empty.
    pub fn filled(&self, configuration: &Configuration, source: LogSource, place: &Place<'_>) -> Filled {
        let known = BTreeMap::from([
            ("logs", place.logs.to_owned()),
            ("files", place.files.to_owned()),
            ("sink_host", place.sink_host.to_owned()),
            ("sink_port", place.sink_port.to_string()),
        ]);
        let texts = self.reads.get(&source).into_iter().flatten();
        let texts: Vec<_> = texts.map(|(name, text)| (name.as_str(), placeholder::fill(text, &known))).collect();
        let known = known.into_iter().chain(texts).collect();
        let file = |file: &ConfigFile| ConfigFile { path: file.path.clone(), text: placeholder::fill(&file.text, &known) };
        let env = self.env.iter().chain(&configuration.env);
        Filled {
            files: configuration.files.iter().map(file).collect(),
            env: env.map(|(name, text)| (name.clone(), placeholder::fill(text, &known))).collect(),
        }
    }
}
