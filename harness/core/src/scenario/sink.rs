//! What the sink can be told to do.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Span;

/// How the sink behaves from then on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum SinkMode {
    /// It takes what comes, at once.
    Normal,
    /// It takes its time.
    Slow(Slow),
    /// Its port is closed, and connections are cut.
    Down,
    /// It refuses each request, or cuts the connection where the protocol has no refusal.
    Refusing,
}

/// How slow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slow {
    /// Before each batch is acknowledged.
    pub answers_after: Span,
}

impl fmt::Display for SinkMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Normal => f.write_str("let the sink be as always"),
            Self::Slow(slow) => write!(f, "let the sink answer after {}", slow.answers_after),
            Self::Down => f.write_str("let the sink be down"),
            Self::Refusing => f.write_str("let the sink refuse"),
        }
    }
}
