//! Why the witness stops, and the exit code that says so.

use std::fmt;
use std::io;
use std::path::Path;

/// Wrong arguments or a missing variable (`EX_USAGE`).
pub(crate) const USAGE: u8 = 64;
/// Evidence could not be written: whatever happens now would be unseen.
pub(crate) const UNSEEN: u8 = 70;

/// Why the witness can't go on.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments or the environment are wrong; what is wrong with them.
    Usage(String),
    /// Evidence could not be written.
    Unseen {
        /// What was tried, and on which file.
        tried: String,
        /// What the system said.
        source: io::Error,
    },
}

impl Failure {
    /// The exit code that tells this failure from anything that a scenario asks for.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Failure::Usage(_) => USAGE,
            Failure::Unseen { .. } => UNSEEN,
        }
    }

    /// For `map_err`: evidence could not be written because `verb` failed on `path`.
    pub(crate) fn unseen(verb: &str, path: &Path) -> impl FnOnce(io::Error) -> Failure {
        let tried = format!("{verb} {}", path.display());
        move |source| Failure::Unseen { tried, source }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(what) => write!(f, "{what}"),
            Failure::Unseen { tried, source } => write!(f, "failed to {tried}: {source}; stopping, since evidence would be lost"),
        }
    }
}
