#![allow(dead_code, reason = "each test binary uses another part")]
//! A project of its own for tests of the command line, and the program to run in it.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// A temporary project with one entry (1.28.15, gate on), no agents and no deviations.
pub(crate) struct Project(tempfile::TempDir);

impl Project {
    pub(crate) fn new() -> Self {
        let project = Self::empty();
        project.write("clusters/matrix/1.28-alpha.yaml", ENTRY);
        project.write("suites/deviations.yaml", "deviations: []\n");
        std::fs::create_dir_all(project.path().join("suites/agents")).expect("a folder");
        project
    }

    /// A temporary folder that is no project.
    pub(crate) fn empty() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, file: &str, text: &str) -> PathBuf {
        let path = self.path().join(file);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder");
        std::fs::write(&path, text).expect("a file");
        path
    }

    /// Runs the program in the project, with a state folder of its own and without any engine.
    pub(crate) fn sidecheck(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sidecheck"));
        command.args(arguments).current_dir(self.path());
        command.env("SIDECHECK_STATE", self.path().join("state")).env("DOCKER_HOST", "unix:///nonexistent/docker.sock");
        command.env_remove("SIDECHECK_ROOT").env_remove("RUST_BACKTRACE");
        command.output().expect("the program runs")
    }

    /// Every file and folder of the project, to see that nothing half-made was left.
    pub(crate) fn listing(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        walk(self.path(), &mut found);
        found.sort();
        found
    }
}

const ENTRY: &str =
    "release: 1.28.15\nfeature_gates: {SidecarContainers: true}\nexpect_gates: {SidecarContainers: true}\ndefault: true\n";

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            walk(&path, found);
        }
        found.push(path);
    }
}
