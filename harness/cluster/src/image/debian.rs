//! Images of programs from Debian packages, for log agents.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use super::{
    ImageArchive,
    archive::{self, Config, Image},
    build, digest,
    error::ImageError,
    layer::Layer,
};
use crate::command::Command;

/// Package lists and a few megabytes of packages take half a minute; a slow mirror may take much longer.
const LIMIT: Duration = Duration::from_secs(600);

/// Runs in the root that has been unpacked. Leaves a list of what was, because the packages' own records go, and takes
/// away what no program reads and what tells where the image was made. One line: mmdebstrap takes a hook with line feeds
/// for a file name first. It removes the settings that it has put under `etc/apt` by itself, and fails when they are gone.
const TRIM: &str = concat!(
    "cd \"$1\" && mkdir -p run usr/share/sidecheck",
    " && (cd var/cache/apt/archives && ls -1 *.deb) >usr/share/sidecheck/packages",
    " && rm -rf usr/share/doc usr/share/man usr/share/info usr/share/locale usr/share/lintian usr/share/bug",
    " && rm -rf etc/fstab etc/hostname etc/resolv.conf etc/apt/sources.list*",
    " && rm -rf var/cache/apt var/lib/apt var/lib/dpkg var/log/apt",
    " && { [ -e etc/passwd ] || echo root:x:0:0:root:/:/bin/sh >etc/passwd; }",
    " && { [ -e etc/group ] || echo root:x:0: >etc/group; }",
);

/// An image `sidecheck/agent-NAME` that holds `packages` of the Debian `suite` and what they depend on, unpacked but not
/// configured: no scripts of theirs have run. Kept in `cache_dir`; the tag stands for suite, packages and recipe, so new
/// package versions are had by emptying the cache. `progress` is told what is done, how long it takes and where its log is.
///
/// Blocks for as long as packages take to come: call it where blocking is allowed.
///
/// # Errors
/// `mmdebstrap` is not installed, the packages can't be had (the error shows what it said last), or a file can't be written.
pub fn debian(
    name: &str,
    suite: &str,
    packages: &[String],
    cache_dir: &Path,
    progress: &dyn Fn(&str),
) -> Result<ImageArchive, ImageError> {
    let tag = tag(suite, packages);
    let archive = ImageArchive::of_agent(name, &tag, cache_dir);
    let _lock = build::lock(cache_dir, name)?;
    if archive.path.exists() {
        return Ok(archive);
    }
    let folder = tempfile::Builder::new().prefix(".debian-").tempdir_in(cache_dir);
    let folder = folder.map_err(ImageError::file("create a folder in", cache_dir))?;
    let tar = folder.path().join("root.tar");
    let log = cache_dir.join(format!("agent-{name}.log"));
    let packages_said = packages.join(" ");
    progress(&format!(
        "image of agent {name}: {packages_said} and what it needs, from Debian {suite}: about 20 s; log: {}",
        log.display()
    ));
    let begin = Instant::now();
    fetch(suite, packages, &tar, &log)?;
    Image::new(Layer::of_tar(&tar)?, &Config::default()).write(&archive.name, &archive.path)?;
    progress(&format!("image of agent {name}: done in {} s", begin.elapsed().as_secs()));
    Ok(archive)
}

fn tag(suite: &str, packages: &[String]) -> String {
    let mut packages = packages.to_vec();
    packages.sort();
    let inputs = [&[TRIM, archive::architecture(), suite][..], &packages.iter().map(String::as_str).collect::<Vec<_>>()];
    digest::short(&digest::of(inputs.concat().join("\n").as_bytes())).to_owned()
}

fn fetch(suite: &str, packages: &[String], tar: &Path, log: &Path) -> Result<(), ImageError> {
    let command = Command::new("mmdebstrap")
        .args(["--variant=extract", "--skip=cleanup/apt,output/dev,output/mknod"])
        .arg(format!("--include={}", packages.join(",")))
        .arg(format!("--extract-hook={TRIM}"))
        .arg(suite)
        .arg(tar)
        .env("SOURCE_DATE_EPOCH", "0")
        .limit(LIMIT);
    match build::run(&command, log)? {
        Ok(_) => Ok(()),
        Err(error) if build::is_missing(&error) => Err(ImageError::NoMmdebstrap),
        Err(source) => Err(ImageError::Debian { suite: suite.to_owned(), packages: packages.join(" "), source: source.into() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(packages: &[&str]) -> Vec<String> {
        packages.iter().map(|&package| package.to_owned()).collect()
    }

    #[test]
    fn the_tag_follows_the_inputs_but_not_their_order() {
        let tag = |suite, packages: &[&str]| super::tag(suite, &list(packages));
        assert_eq!(tag("bookworm", &["a", "b"]), tag("bookworm", &["b", "a"]));
        assert_ne!(tag("bookworm", &["a", "b"]), tag("trixie", &["a", "b"]));
        assert_ne!(tag("bookworm", &["a", "b"]), tag("bookworm", &["a"]));
    }

    #[test]
    fn an_image_in_the_cache_is_taken_as_it_is() {
        let cache = tempfile::tempdir().unwrap();
        let packages = list(&["no-such-package"]);
        let path = cache.path().join(format!("agent-x-{}.tar", tag("bookworm", &packages)));
        std::fs::write(&path, "made before").unwrap();
        let archive = debian("x", "bookworm", &packages, cache.path(), &|line| panic!("{line}")).unwrap();
        assert_eq!(archive.path, path);
    }
}
