//! The one layer of an image: its root file system as a tar archive.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{digest, error::ImageError};

/// A file of a layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Where it lies, relative to the root: `sidecheck-witness`.
    pub path: PathBuf,
    /// Its permission bits, such as `0o755`.
    pub mode: u32,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// A root file system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    tar: Vec<u8>,
    digest: String,
}

impl Layer {
    /// An empty root with these files, owned by root and without dates. The same files give the same bytes.
    pub fn of_files(files: &[File]) -> Result<Self, ImageError> {
        let mut tar = tar::Builder::new(Vec::new());
        for file in files {
            append(&mut tar, &file.path, file.mode, &file.bytes).map_err(ImageError::file("pack", &file.path))?;
        }
        tar.into_inner().map(Self::of_bytes).map_err(ImageError::file("pack", "the layer"))
    }

    /// A tar archive that exists, uncompressed.
    pub fn of_tar(path: &Path) -> Result<Self, ImageError> {
        std::fs::read(path).map(Self::of_bytes).map_err(ImageError::file("read", path))
    }

    /// The SHA-256 digest of the tar archive, in hexadecimal digits.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The tar archive.
    pub fn tar(&self) -> &[u8] {
        &self.tar
    }

    fn of_bytes(tar: Vec<u8>) -> Self {
        let digest = digest::of(&tar);
        Self { tar, digest }
    }
}

/// Appends a file without a date.
pub(super) fn append(tar: &mut tar::Builder<impl io::Write>, path: impl AsRef<Path>, mode: u32, bytes: &[u8]) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes.len() as u64);
    header.set_mode(mode);
    header.set_mtime(0);
    header.set_uid(0);
    header.set_gid(0);
    tar.append_data(&mut header, path, bytes)
}
