//! The `kind` command: makes and removes clusters, and loads images into them.

mod config;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

pub(crate) use config::config;

use crate::{
    command::{Command, CommandError},
    engine::Engine,
    paths::{Paths, Variables},
    progress::Progress,
};

/// kind's label on the containers that are its nodes; its value is the cluster's name.
pub(crate) const CLUSTER_LABEL: &str = "io.x-k8s.kind.cluster";

/// A cluster is made within 40 s on two busy cores; a slow disk and four of them side by side get this long.
const CREATE: Duration = Duration::from_secs(360);

/// The `kind` program, with the engine that it works on.
#[derive(Debug, Clone)]
pub struct Kind {
    program: PathBuf,
    engine: Engine,
    /// Such as `kind v0.33.0 go1.26.8 linux/amd64`.
    pub version: String,
}

/// There is no kind.
#[derive(Debug, thiserror::Error)]
pub enum KindError {
    /// Neither on PATH nor installed by `scripts/setup`.
    #[error("kind is missing (looked on PATH and for {}); to install it: scripts/setup", .0.display())]
    Missing(PathBuf),
    /// kind failed.
    #[error(transparent)]
    Command(#[from] CommandError),
}

impl Kind {
    /// The kind on PATH, else the one that `scripts/setup` installed.
    pub async fn find(variables: &Variables, paths: &Paths, engine: &Engine) -> Result<Self, KindError> {
        let (program, version) = program(variables, paths).await?;
        Ok(Self { program, engine: engine.clone(), version })
    }

    fn command(&self, arguments: &[&str]) -> Command {
        self.engine.reach(Command::new(&self.program)).args(arguments)
    }

    /// Makes a cluster from a configuration file. After a failure its containers are kept, for [`Kind::export_logs`].
    pub async fn create(&self, name: &str, config: &Path, kubeconfig: &Path, progress: &Progress) -> Result<(), CommandError> {
        let create = self.command(&["create", "cluster", "--retain", "--name", name]).arg("--config").arg(config);
        let create = create.arg("--kubeconfig").arg(kubeconfig).limit(CREATE);
        create.run_with(|line| say_step(line, progress)).await.map(drop)
    }

    /// Removes a cluster's containers, and its lines in `kubeconfig`; no cluster of that name is no error.
    pub async fn delete(&self, name: &str, kubeconfig: &Path) -> Result<(), CommandError> {
        self.command(&["delete", "cluster", "--name", name]).arg("--kubeconfig").arg(kubeconfig).run().await.map(drop)
    }

    /// Loads an image archive (as `docker save` writes it) into every node.
    pub async fn load_archive(&self, name: &str, archive: &Path) -> Result<(), CommandError> {
        let load = self.command(&["load", "image-archive", "--name", name]).arg(archive);
        load.limit(Duration::from_secs(180)).run().await.map(drop)
    }

    /// Writes the logs of all nodes into a folder.
    pub async fn export_logs(&self, name: &str, folder: &Path) -> Result<(), CommandError> {
        self.command(&["export", "logs", "--name", name]).arg(folder).limit(Duration::from_secs(120)).run().await.map(drop)
    }
}

/// Where kind is, and its version.
pub(crate) async fn program(variables: &Variables, paths: &Paths) -> Result<(PathBuf, String), KindError> {
    let own = paths.state.join("bin/kind");
    let on_path = variables.path.iter().flat_map(std::env::split_paths).map(|folder| folder.join("kind"));
    let program = on_path.chain([own.clone()]).find(|file| file.is_file()).ok_or(KindError::Missing(own))?;
    let version = Command::new(&program).arg("version").run().await?.text();
    Ok((program, version))
}

/// kind says ` • Starting control-plane 🕹️  ...` when that begins and ` ✓ ..` when it is done; only the first is told on.
fn say_step(line: &str, progress: &Progress) {
    if let Some(step) = line.trim().strip_prefix("• ") {
        progress.say(format!("kind: {}", step.trim_end_matches(|end: char| !end.is_ascii() || end == ' ' || end == '.')));
    }
}
