//! What a promise is expected to come to on a cluster: derived from scenario, deviations, release and gates alone.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{deviation::Deviations, environment::Environment, release::Minor, scenario::Scenario};

/// The expected outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expected {
    /// Kubernetes promises it here.
    Held,
    /// This release is known to break it; a pass would be a surprise.
    Violated,
    /// Kubernetes leaves it open here: recorded and counted, never red.
    Unspecified,
}

/// An expectation with its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expectation {
    /// The expected outcome.
    pub expected: Expected,
    /// Why: the release from which it holds, or the deviation with its source.
    pub because: String,
}

/// A promise that applies to a cluster, but for which nothing says what to expect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{promise}` holds since {since}, but the scenario applies to {release} and suites/deviations.yaml has no entry for it there"
)]
pub struct NoExpectation {
    /// The promise.
    pub promise: String,
    /// The release from which it holds.
    pub since: Minor,
    /// The cluster's release.
    pub release: String,
}

/// Derives the expectation of a promise of the scenario; `since` is `None` for what holds on every release that the scenario applies to.
///
/// # Errors
/// [`NoExpectation`]: the release is older than `since`, and no deviation covers it.
pub fn expect(
    promise: &str,
    since: Option<Minor>,
    scenario: &Scenario,
    deviations: &Deviations,
    environment: &Environment,
) -> Result<Expectation, NoExpectation> {
    if let Some(deviation) = deviations.find(promise, scenario, environment) {
        let because = format!("{} ({})", deviation.because, deviation.source);
        return Ok(Expectation { expected: deviation.expect, because });
    }
    match since {
        Some(since) if !since.reached_by(&environment.release) => {
            Err(NoExpectation { promise: promise.to_owned(), since, release: environment.release.to_string() })
        }
        Some(since) => Ok(Expectation { expected: Expected::Held, because: format!("promised since {since}") }),
        None => Ok(Expectation { expected: Expected::Held, because: "promised wherever the scenario applies".to_owned() }),
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Held => "held",
            Self::Violated => "violated",
            Self::Unspecified => "unspecified",
        })
    }
}
