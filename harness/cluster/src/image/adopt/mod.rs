//! Image archives that others made: what `docker save` writes, or an OCI layout in a tar archive. The image in it gets a name of
//! ours, after its content, so that a node that has the name has the image.

mod contents;
mod docker;
mod oci;
#[cfg(test)]
mod tests;

use std::{fs::File, io, path::Path};

use contents::Contents;

use super::{ImageArchive, cache, digest, error::ImageError, layer};

/// An image that was found in somebody's archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adopted {
    /// The image under its new name.
    pub archive: ImageArchive,
    /// What it was called in the archive, where that says it.
    pub called: Option<String>,
}

/// What is taken from an archive.
struct Found {
    /// The digest of the image's configuration.
    id: String,
    /// What the archive calls the image.
    called: Option<String>,
    /// The entries that are taken as they are.
    keep: Vec<String>,
    /// How the entry is called that gives the image its name, and the other small ones that are written anew.
    written: Vec<(&'static str, Vec<u8>)>,
}

/// Takes the one image for this machine's architecture out of `file`, and keeps it in `cache_dir` under the name
/// `sidecheck/agent-NAME`; the tag is the beginning of the image's identity.
///
/// # Errors
/// [`ImageError::Archive`] with what is wrong: no such file, compressed, no image archive, several images, another architecture,
/// parts that are missing. A file can't be written.
pub fn adopt(name: &str, file: &Path, cache_dir: &Path) -> Result<Adopted, ImageError> {
    let wrong = |said: String| ImageError::Archive { file: file.to_owned(), said };
    let contents = Contents::read(file).map_err(wrong)?;
    let image_name = |id: &str| ImageArchive::of_agent(name, digest::short(id), cache_dir);
    let found = if contents.has("oci-layout") && contents.has("index.json") {
        oci::find(&contents, |id| image_name(id).name)
    } else if contents.has("manifest.json") {
        docker::find(&contents, |id| image_name(id).name)
    } else {
        Err("it is no image archive: neither what `docker save` writes nor an OCI layout".to_owned())
    };
    let found = found.map_err(wrong)?;
    let archive = image_name(&found.id);
    if !archive.path.exists() {
        cache::publish(&archive.path, |out| copy(file, &found, out))?;
    }
    Ok(Adopted { archive, called: found.called })
}

fn copy(file: &Path, found: &Found, out: &mut dyn io::Write) -> io::Result<()> {
    let mut tar = tar::Builder::new(out);
    for (path, bytes) in &found.written {
        layer::append(&mut tar, path, 0o644, bytes)?;
    }
    for entry in tar::Archive::new(io::BufReader::new(File::open(file)?)).entries()? {
        let entry = entry?;
        let path = contents::name(&entry)?;
        let mut header = entry.header().clone();
        if !found.keep.contains(&path) {
            continue;
        }
        match entry.link_name()? {
            Some(target) => tar.append_link(&mut header, &path, target)?,
            None => tar.append_data(&mut header, &path, entry)?,
        }
    }
    tar.finish()
}

/// Whether the image is for this machine.
fn check_architecture(config: &serde_json::Value) -> Result<(), String> {
    let ours = super::archive::architecture();
    match config["architecture"].as_str() {
        Some(theirs) if theirs != ours => Err(format!("its image is for {theirs}, and this machine is {ours}")),
        _ => Ok(()),
    }
}
