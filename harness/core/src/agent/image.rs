//! How an agent's image is had.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How an agent's image is had. An archive that the user gives (`--image-archive NAME=FILE`) goes before all of these.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum AgentImage {
    /// Made here from Debian packages.
    Debian(Debian),
    /// Made here from one static Go program.
    Go(GoProgram),
    /// Pulled by this name, with or without a digest, unless the engine has it.
    Registry(String),
    /// Known by this name, and had only from an archive that the user gives.
    Archive(String),
}

/// Debian packages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Debian {
    /// The suite, such as `bookworm`.
    pub suite: String,
    /// The packages; what they depend on comes with them.
    pub packages: Vec<String>,
}

/// A program of a Go module, built without cgo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoProgram {
    /// A folder beside the agent's file, with `go.mod`, `go.sum` and what keeps the program in them.
    pub module: String,
    /// The program's package: an import path, or `.` for the module itself.
    pub package: String,
    /// The program's name in the image, where it is the only file: `otelcol` is `/otelcol`.
    pub binary: String,
}

impl fmt::Display for AgentImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Debian(debian) => write!(f, "Debian {}: {}", debian.suite, debian.packages.join(" ")),
            Self::Go(program) => write!(f, "Go module agents/{}", program.module),
            Self::Registry(name) => f.write_str(name),
            Self::Archive(name) => write!(f, "{name}, from --image-archive only"),
        }
    }
}
