//! Which agent a container runs, with which of its configurations, on which logs.

use std::{fmt, str::FromStr};

use super::{Agent, Configuration, LogSource};

/// What stands behind `agent:` in a scenario: `NAME`, `NAME/CONFIGURATION` or `NAME/CONFIGURATION/SOURCE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// The agent: its file's name without the ending.
    pub name: String,
    /// Its configuration; `lossless`, or the only one that it has, where none is named.
    pub configuration: Option<String>,
    /// What it reads; `file` where nothing is said.
    pub source: LogSource,
}

impl FromStr for Chosen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split('/');
        let name = parts.next().filter(|name| !name.is_empty());
        let configuration = parts.next().map(str::to_owned);
        let source = parts.next().map_or(Ok(LogSource::File), str::parse)?;
        match (name, parts.next()) {
            (Some(name), None) => Ok(Self { name: name.to_owned(), configuration, source }),
            _ => Err(format!("`{text}` is no agent such as rsyslog, rsyslog/defaults or rsyslog/defaults/container_logs")),
        }
    }
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.configuration, self.source) {
            (None, LogSource::File) => f.write_str(&self.name),
            (Some(configuration), LogSource::File) => write!(f, "{}/{configuration}", self.name),
            (configuration, source) => {
                write!(f, "{}/{}/{source}", self.name, configuration.as_deref().unwrap_or(LOSSLESS))
            }
        }
    }
}

/// The configuration that is taken where none is named.
const LOSSLESS: &str = "lossless";

impl Agent {
    /// The configuration that was chosen, with its name.
    ///
    /// # Errors
    /// The agent has no such configuration, none was named and it has several without a `lossless` one, or it does not read
    /// such logs: a sentence that follows the agent's name.
    pub fn configuration(&self, chosen: &Chosen) -> Result<(&str, &Configuration), String> {
        if !self.reads.contains_key(&chosen.source) {
            return Err(format!("does not read {}", chosen.source));
        }
        let of = |name: &str| self.configurations.get_key_value(name);
        let found = match &chosen.configuration {
            Some(name) => of(name),
            None => of(LOSSLESS).or_else(|| self.configurations.first_key_value().filter(|_| self.configurations.len() == 1)),
        };
        let known = || self.configurations.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        let name = chosen.configuration.as_deref().unwrap_or(LOSSLESS);
        found
            .map(|(name, found)| (name.as_str(), found))
            .ok_or_else(|| format!("has no configuration `{name}`; it has {}", known()))
    }
}
