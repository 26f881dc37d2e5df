//! Why an image could not be made.

use std::{io, path::PathBuf};

use crate::command::CommandError;

/// Why an image could not be made. Nothing half-written stays in the cache.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    /// A file could not be read, written or renamed.
    #[error("failed to {verb} {}", path.display())]
    File {
        /// What was tried.
        verb: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The programs that go into the witness image have not been built.
    #[error("there is no {}: run scripts/build-static first", .0.display())]
    NotBuilt(PathBuf),
    /// The program that fetches Debian packages is not installed.
    #[error("mmdebstrap is not installed, which makes root file systems from Debian packages: apt-get install mmdebstrap")]
    NoMmdebstrap,
    /// Packages could not be fetched or unpacked.
    #[error("failed to make a root file system of {packages} from Debian {suite}")]
    Debian {
        /// The suite.
        suite: String,
        /// The packages, separated by spaces.
        packages: String,
        /// The command and what it said last.
        source: Box<CommandError>,
    },
    /// The program that builds Go programs is not installed.
    #[error("go is not installed, which builds the program: scripts/setup")]
    NoGo,
    /// A Go program does not build.
    #[error("failed to build {package}")]
    Go {
        /// Its package.
        package: String,
        /// The command and what it said last.
        source: Box<CommandError>,
    },
    /// The engine has no such image and can't pull it.
    #[error("failed to get the image {image}: {said}")]
    NotToBeHad {
        /// The image's name.
        image: String,
        /// What the engine said.
        said: String,
    },
    /// A file that the user gave is no image archive that can be used.
    #[error("{} can't be used as an image archive: {said}", file.display())]
    Archive {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        said: String,
    },
}

impl ImageError {
    /// For `map_err`: `verb` failed on `path`.
    pub(super) fn file(verb: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { verb, path, source }
    }
}
