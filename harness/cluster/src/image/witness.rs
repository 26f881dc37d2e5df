//! The image of our own programs: the witness and the sink, and nothing else.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{
    ImageArchive,
    archive::{Config, Image},
    digest,
    error::ImageError,
    layer::{File, Layer},
};

const NAME: &str = "docker.io/sidecheck/witness";
/// The first is the entrypoint.
const PROGRAMS: [&str; 2] = ["sidecheck-witness", "sidecheck-sink"];

/// The image of the witness and the sink, made of the static programs in `bin_dir` (see `scripts/build-static`) and kept
/// in `cache_dir`. Its tag is the beginning of the image's identity.
///
/// # Errors
/// The programs have not been built, or a file can't be read or written.
pub fn witness(bin_dir: &Path, cache_dir: &Path) -> Result<ImageArchive, ImageError> {
    let files = PROGRAMS.map(|program| read(&bin_dir.join(program), program));
    let files = files.into_iter().collect::<Result<Vec<_>, _>>()?;
    let config = Config { entrypoint: vec![format!("/{}", PROGRAMS[0])], ..Config::default() };
    let image = Image::new(Layer::of_files(&files)?, &config);
    let tag = digest::short(image.id());
    let archive = ImageArchive { name: format!("{NAME}:{tag}"), path: cache_dir.join(format!("witness-{tag}.tar")) };
    if !archive.path.exists() {
        image.write(&archive.name, &archive.path)?;
    }
    Ok(archive)
}

fn read(path: &Path, program: &str) -> Result<File, ImageError> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(File { path: PathBuf::from(program), mode: 0o755, bytes }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(ImageError::NotBuilt(path.to_owned())),
        Err(error) => Err(ImageError::file("read", path)(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_follows_the_programs() {
        let (bin, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let make = |content: &str| {
            for program in PROGRAMS {
                std::fs::write(bin.path().join(program), content).unwrap();
            }
            witness(bin.path(), cache.path()).unwrap()
        };
        let one = make("one");
        assert!(one.path.exists());
        let two = make("two");
        assert_ne!(one.name, two.name);
        assert_eq!(make("one"), one);
        assert_eq!(one.name.strip_prefix("docker.io/sidecheck/witness:").map(str::len), Some(12));
    }

    #[test]
    fn programs_that_are_not_built_are_named() {
        let empty = tempfile::tempdir().unwrap();
        let error = witness(empty.path(), empty.path()).unwrap_err().to_string();
        assert!(error.contains("sidecheck-witness") && error.contains("scripts/build-static"), "{error}");
        assert_eq!(std::fs::read_dir(empty.path()).unwrap().count(), 0);
    }
}
