//! Images of one static Go program, for log agents.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use super::{
    ImageArchive,
    archive::{self, Config, Image},
    build, digest,
    error::ImageError,
    layer::{File, Layer},
};
use crate::command::Command;

/// A collector of several hundred modules takes three minutes on two busy cores; a slow line has to bring 200 MB of sources.
const LIMIT: Duration = Duration::from_secs(30 * 60);
const FLAGS: [&str; 5] = ["-mod=readonly", "-buildvcs=false", "-trimpath", "-ldflags", "-s -w"];

/// A program of a module.
#[derive(Debug, Clone, Copy)]
pub struct GoProgram<'a> {
    /// The folder with `go.mod` and `go.sum`.
    pub module: &'a Path,
    /// The program's package, such as `.` or `github.com/elastic/beats/v7/filebeat`.
    pub package: &'a str,
    /// The file's name in the image's root.
    pub binary: &'a str,
}

/// An image `sidecheck/agent-NAME` with the program as its only file, built without cgo. Kept in `cache_dir`; the tag stands for
/// all files of the module's folder, the version of Go, and how it is built. `progress` is told what is done, how long it takes
/// and where its log is.
///
/// Blocks for as long as the build takes, or that of another process: call it where blocking is allowed.
///
/// # Errors
/// Go is not installed, the program does not build (the error shows what Go said last), or a file can't be read or written.
pub fn go(name: &str, program: GoProgram<'_>, cache_dir: &Path, progress: &dyn Fn(&str)) -> Result<ImageArchive, ImageError> {
    let _lock = build::lock(cache_dir, name)?;
    let log = cache_dir.join(format!("agent-{name}.log"));
    let version = run(&go_command(program.module).args(["env", "GOVERSION"]), program, &log)?;
    let tag = tag(program, &version)?;
    let archive = ImageArchive::of_agent(name, &tag, cache_dir);
    if archive.path.exists() {
        return Ok(archive);
    }
    let folder = tempfile::Builder::new().prefix(".go-").tempdir_in(cache_dir);
    let folder = folder.map_err(ImageError::file("create a folder in", cache_dir))?;
    let package = if program.package == "." { name } else { program.package };
    progress(&format!("image of agent {name}: building {package}: up to 3 minutes the first time; log: {}", log.display()));
    let begin = Instant::now();
    let built = folder.path().join(program.binary);
    let command = go_command(program.module).arg("build").args(FLAGS).arg("-o").arg(&built).arg(program.package);
    run(&command, program, &log)?;
    let bytes = std::fs::read(&built).map_err(ImageError::file("read", &built))?;
    let layer = Layer::of_files(&[File { path: PathBuf::from(program.binary), mode: 0o755, bytes }])?;
    let config = Config { entrypoint: vec![format!("/{}", program.binary)], ..Config::default() };
    Image::new(layer, &config).write(&archive.name, &archive.path)?;
    progress(&format!("image of agent {name}: done in {} s", begin.elapsed().as_secs()));
    Ok(archive)
}

/// Go, for a static program of exactly the modules that `go.sum` pins, whatever the user has set for projects of their own.
fn go_command(module: &Path) -> Command {
    Command::new("go").folder(module).env("CGO_ENABLED", "0").env("GOFLAGS", "").env("GOWORK", "off").limit(LIMIT)
}

fn run(command: &Command, program: GoProgram<'_>, log: &Path) -> Result<String, ImageError> {
    match build::run(command, log)? {
        Ok(output) => Ok(output.text()),
        // A missing folder to run in looks the same.
        Err(error) if build::is_missing(&error) && program.module.is_dir() => Err(ImageError::NoGo),
        Err(source) => Err(ImageError::Go { package: program.package.to_owned(), source: source.into() }),
    }
}

fn tag(program: GoProgram<'_>, version: &str) -> Result<String, ImageError> {
    let mut files = BTreeMap::new();
    read_all(program.module, program.module, &mut files)?;
    let mut inputs = [version, archive::architecture(), program.package, program.binary, &FLAGS.join(" ")].join("\n");
    for (path, bytes) in files {
        let _ = write!(inputs, "\n{} {}", path.display(), digest::of(&bytes));
    }
    Ok(digest::short(&digest::of(inputs.as_bytes())).to_owned())
}

fn read_all(module: &Path, folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) -> Result<(), ImageError> {
    for entry in std::fs::read_dir(folder).map_err(ImageError::file("read", folder))? {
        let path = entry.map_err(ImageError::file("read", folder))?.path();
        if path.is_dir() {
            read_all(module, &path, files)?;
        } else {
            let bytes = std::fs::read(&path).map_err(ImageError::file("read", &path))?;
            files.insert(path.strip_prefix(module).unwrap_or(&path).to_owned(), bytes);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const MAIN: &str = "package main\n\nfunc main() { println(\"hello\") }\n";

    fn module(main: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("go.mod"), "module hello\n\ngo 1.21\n").unwrap();
        fs::write(folder.path().join("main.go"), main).unwrap();
        folder
    }

    fn program(module: &Path) -> GoProgram<'_> {
        GoProgram { module, package: ".", binary: "hello" }
    }

    #[test]
    fn the_program_is_built_once_and_is_all_that_is_in_the_image() {
        let (module, cache) = (module(MAIN), tempfile::tempdir().unwrap());
        let archive = go("hello", program(module.path()), cache.path(), &|_| ()).unwrap();
        assert!(archive.name.starts_with("docker.io/sidecheck/agent-hello:"), "{archive:?}");
        let mut outer = tar::Archive::new(fs::File::open(&archive.path).unwrap());
        let layer = outer
            .entries()
            .unwrap()
            .map(Result::unwrap)
            .find(|entry| entry.path().unwrap().extension().is_some_and(|ending| ending == "tar"));
        let mut layer = tar::Archive::new(layer.unwrap());
        let files: Vec<_> = layer.entries().unwrap().map(|entry| entry.unwrap().path().unwrap().into_owned()).collect();
        assert_eq!(files, [PathBuf::from("hello")]);
        let again = go("hello", program(module.path()), cache.path(), &|line| panic!("{line}")).unwrap();
        assert_eq!(again, archive);
    }

    #[test]
    fn a_program_that_does_not_build_is_told_with_what_go_said() {
        let (module, cache) = (module("package main\n\nfunc main() { undefined() }\n"), tempfile::tempdir().unwrap());
        let error = go("hello", program(module.path()), cache.path(), &|_| ()).unwrap_err();
        let said = format!("{error}: {}", std::error::Error::source(&error).unwrap());
        assert!(said.contains("failed to build") && said.contains("undefined: undefined"), "{said}");
        let mut left = fs::read_dir(cache.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        assert!(left.all(|name| name == "agent-hello.log" || name == ".agent-hello.lock"), "nothing half-made is left");
    }

    #[test]
    fn the_tag_follows_every_file_and_go() {
        let one = module(MAIN);
        let tag_of = |version| tag(program(one.path()), version).unwrap();
        let before = tag_of("go1.26.8");
        assert_ne!(before, tag_of("go1.26.9"));
        fs::create_dir(one.path().join("more")).unwrap();
        fs::write(one.path().join("more/more.go"), "package more\n").unwrap();
        assert_ne!(before, tag_of("go1.26.8"));
    }
}
