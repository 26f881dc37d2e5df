//! What a witness container does: how it answers probes, runs hooks, ends and writes.

use serde::{Deserialize, Serialize};

use super::Span;

/// A probe that succeeds from a given age of the container on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// The age, counted from the process's start. One container has one age for all its probes.
    #[serde(default)]
    pub succeeds_after: Span,
    /// `periodSeconds`, in whole seconds.
    #[serde(default = "default_period")]
    pub period: Span,
    /// `initialDelaySeconds`, in whole seconds.
    #[serde(default, skip_serializing_if = "is_none")]
    pub initial_delay: Span,
    /// `failureThreshold`; so many that it never fails for good, where nothing is said.
    #[serde(default = "default_failures", skip_serializing_if = "is_default_failures")]
    pub failures: u32,
    /// How long each answer takes.
    #[serde(default, skip_serializing_if = "is_none")]
    pub takes: Span,
    /// `timeoutSeconds`, in whole seconds. Starting a process in a container took up to 0.9 s under load upstream
    /// (kubernetes#129036), and Kubernetes' default of 1 s would make a slow machine look like a failing probe.
    #[serde(default = "default_timeout", skip_serializing_if = "is_default_timeout")]
    pub timeout: Span,
    /// `terminationGracePeriodSeconds` of the probe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grace: Option<Span>,
}

const fn default_period() -> Span {
    Span::seconds(1)
}

const fn default_failures() -> u32 {
    600
}

const fn default_timeout() -> Span {
    Span::seconds(10)
}

fn is_none(span: &Span) -> bool {
    span.millis() == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_default_failures(failures: &u32) -> bool {
    *failures == default_failures()
}

fn is_default_timeout(timeout: &Span) -> bool {
    *timeout == default_timeout()
}

/// A hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hook {
    /// From its begin to its end.
    #[serde(default)]
    pub takes: Span,
    /// Its exit code.
    #[serde(default)]
    pub code: u8,
}

/// How a container ends by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ending {
    /// Counted from the latest of its start, its last line when it writes lines, and what it waits for.
    #[serde(default)]
    pub after: Span,
    /// Not before this container of the same pod has started: a cause instead of a guess about how long starts take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub once_started: Option<String>,
    /// Not before a step `tell` says so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub once_told: bool,
    /// It asks the other processes that it sees to end, too: those of the pod's other containers, where they share one process
    /// namespace.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ends_others: bool,
    /// The exit code.
    #[serde(default)]
    pub code: u8,
    /// Only in the first N incarnations; later ones run until TERM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_incarnations: Option<u32>,
}
