//! A request to the API server whose answer is a promise.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{DaemonSet, Fact, Job, Pod, Replicated};
use crate::release::Minor;

/// A request and the answer that is promised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// The name of the promise.
    pub promise: String,
    /// The release from which it holds; without it, on every release that the scenario applies to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Minor>,
    /// The behaviours of the catalogue that it shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub covers: Vec<String>,
    /// An object that is created, as a dry run: it passes defaulting, admission and validation, and is not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub create: Option<Submitted>,
    /// A change of the workload's object, as a strategic merge patch (lists of containers merge by name), for real.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<Value>,
    /// The subresource that is changed, such as `ephemeralcontainers`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subresource: Option<String>,
    /// The promised answer.
    pub answer: Answer,
}

/// An object to be created: exactly one of these.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submitted {
    /// A bare pod in short form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pod: Option<Pod>,
    /// A Job in short form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<Job>,
    /// A StatefulSet in short form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stateful_set: Option<Replicated>,
    /// A Deployment in short form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deployment: Option<Replicated>,
    /// A DaemonSet in short form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub daemon_set: Option<DaemonSet>,
}

/// What the API server answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Answer {
    /// It accepts, and all this is true of the object that it returns.
    Accepted(Vec<Fact>),
    /// It finds the object invalid (422), for exactly these causes in any order, each as `path: text`.
    Invalid(Vec<String>),
    /// It finds the object invalid (422), and this, as `path: text`, begins one of the causes.
    InvalidWith(String),
    /// It refuses (403) with a message that contains this.
    Forbidden(String),
}

impl fmt::Display for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match (&self.create, &self.subresource) {
            (Some(created), _) => format!("create {}", created.workload()),
            (None, Some(subresource)) => format!("change {subresource}"),
            (None, None) => "change the object".to_owned(),
        };
        write!(f, "ask the API server to {what}: {}", self.answer)
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accepted(facts) if facts.is_empty() => f.write_str("accepted"),
            Self::Accepted(facts) => {
                let facts: Vec<String> = facts.iter().map(ToString::to_string).collect();
                write!(f, "accepted, and {}", facts.join(" and "))
            }
            Self::Invalid(causes) => write!(f, "invalid: {}", causes.join("; ")),
            Self::InvalidWith(cause) => write!(f, "invalid, with: {cause}"),
            Self::Forbidden(text) => write!(f, "forbidden: {text}"),
        }
    }
}
