//! The Docker engine that runs the nodes: which one, whether it answers, and what it is asked to do.
//!
//! It is spoken to through the `docker` command, so that every way of reaching an engine that the user has set up works
//! here too. The user's Docker configuration is read (for credentials) and never written.

mod privileged;
mod probe_image;

use std::{path::PathBuf, time::Duration};

use crate::{
    command::{Command, CommandError, CommandFailure, Output},
    paths::{Paths, Variables},
};

/// An engine that answered.
#[derive(Debug, Clone)]
pub struct Engine {
    /// What `DOCKER_HOST` is set to for `docker` and `kind`; none means that `docker` finds its way by itself.
    host: Option<String>,
    /// The engine's version, such as `20.10.24`.
    pub version: String,
}

/// Why there is no engine to use.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// No engine answered.
    #[error("no Docker engine answers (tried: {})\nmend with: {mend}", tried.join("; "))]
    None {
        /// Each place that was asked, with what came of it.
        tried: Vec<String>,
        /// What to do about it.
        mend: String,
    },
    /// The `docker` command is missing.
    #[error("the docker command is missing; to install it: scripts/setup (or apt-get install docker.io)")]
    NoCommand,
    /// An engine answers, and cannot run what a node needs.
    #[error(
        "the Docker engine {version} can't run privileged containers, which nodes are (tried: {tried}): {said}\nmend with: {mend}"
    )]
    Unprivileged {
        /// The engine's version.
        version: String,
        /// What was run.
        tried: String,
        /// The engine's last words.
        said: String,
        /// What to do about it.
        mend: String,
    },
    /// The engine refused or failed at one act.
    #[error(transparent)]
    Command(#[from] CommandError),
}

/// How long an engine may take to say its version.
const ANSWER: Duration = Duration::from_secs(10);
/// The place of an engine that `docker` finds without being told.
const DEFAULT: &str = "docker's default";

impl Engine {
    /// The engine of `DOCKER_HOST` and no other when that is set; else the one that `docker` uses by itself; else the
    /// one that `scripts/setup` started.
    ///
    /// # Errors
    /// [`EngineError::None`] with all that was tried, [`EngineError::NoCommand`].
    pub async fn find(variables: &Variables, paths: &Paths) -> Result<Self, EngineError> {
        let own = paths.engine_socket();
        let candidates = match &variables.docker_host {
            Some(host) => vec![Some(host.clone())],
            None if own.exists() => vec![None, Some(format!("unix://{}", own.display()))],
            None => vec![None],
        };
        let mut tried = Vec::new();
        for host in candidates {
            let name = host.clone().unwrap_or_else(|| DEFAULT.to_owned());
            match version_of(host.as_deref()).await {
                Ok(version) => return Ok(Self { host, version }),
                Err(error) if is_missing(&error) => return Err(EngineError::NoCommand),
                Err(error) => tried.push(format!("{name}: {}", last_line(&error))),
            }
        }
        if variables.docker_host.is_none() && !own.exists() {
            tried.push(format!("{}: does not exist", own.display()));
        }
        let mend = mend(&tried, variables.docker_host.is_some()).to_owned();
        Err(EngineError::None { tried, mend })
    }

    /// Where it was found.
    pub fn place(&self) -> &str {
        self.host.as_deref().unwrap_or(DEFAULT)
    }

    /// A `docker` command for this engine, with a limit of one minute.
    pub fn docker<S: AsRef<std::ffi::OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        self.reach(Command::new("docker")).args(arguments)
    }

    /// Points a program that speaks to Docker at this engine.
    #[must_use]
    pub fn reach(&self, command: Command) -> Command {
        match &self.host {
            Some(host) => command.env("DOCKER_HOST", host),
            None => command,
        }
    }

    /// Runs a shell script in a running container; `arguments` become `$1` and so on, so that nothing needs quoting.
    pub fn script(&self, container: &str, script: &str, arguments: &[&str]) -> Command {
        self.docker(["exec", container, "sh", "-c", script, "sh"]).args(arguments)
    }

    /// The same, with standard input.
    pub fn script_with_input(&self, container: &str, script: &str, arguments: &[&str], input: Vec<u8>) -> Command {
        self.docker(["exec", "-i", container, "sh", "-c", script, "sh"]).args(arguments).input(input)
    }

    /// The image's id when the engine has it.
    ///
    /// # Errors
    /// The engine does not answer.
    pub async fn image_id(&self, image: &str) -> Result<Option<String>, CommandError> {
        match self.docker(["image", "inspect", "--format", "{{.Id}}", image]).run().await {
            Ok(output) => Ok(Some(output.text())),
            Err(error) if error.said.to_lowercase().contains("no such image") => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Where the engine keeps its data; on another machine when the engine is not a local one.
    pub async fn data_folder(&self) -> Result<PathBuf, CommandError> {
        Ok(self.docker(["info", "--format", "{{.DockerRootDir}}"]).run().await?.text().into())
    }

    /// Runs a tiny privileged container.
    ///
    /// # Errors
    /// [`EngineError::Unprivileged`] with what was tried and how it is mended.
    pub async fn check_privileged(&self) -> Result<(), EngineError> {
        privileged::check(self).await
    }
}

/// What helps when no engine answered.
fn mend(tried: &[String], chosen: bool) -> &'static str {
    if tried.iter().any(|said| said.to_lowercase().contains("permission denied")) {
        "sudo usermod -aG docker $USER, then log in again: the engine's socket is closed to you"
    } else if chosen {
        "start the engine that DOCKER_HOST names, or: unset DOCKER_HOST; scripts/setup"
    } else {
        "scripts/setup, which installs and starts one; or set DOCKER_HOST to one that runs"
    }
}

async fn version_of(host: Option<&str>) -> Result<String, CommandError> {
    let command = Command::new("docker").args(["version", "--format", "{{.Server.Version}}"]).limit(ANSWER);
    let command = match host {
        Some(host) => command.env("DOCKER_HOST", host),
        None => command,
    };
    command.run().await.map(|output: Output| output.text())
}

fn is_missing(error: &CommandError) -> bool {
    matches!(&error.kind, CommandFailure::NotStarted(error) if error.kind() == std::io::ErrorKind::NotFound)
}

/// What a failed command said last, or else how it failed. Docker ends its errors with an advice to read its help, so a
/// line that speaks of an error goes first.
pub(crate) fn last_line(error: &CommandError) -> String {
    let lines = || error.said.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    let last = lines().find(|line| line.to_lowercase().contains("error")).or_else(|| lines().next());
    last.map_or_else(
        || error.kind.to_string(),
        |line| line.trim_start_matches("docker: ").trim_start_matches("Error response from daemon: ").to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_error_is_told_by_its_own_line() {
        let script =
            "echo 'docker: Error response from daemon: unable to apply caps.'; echo; echo \"Run 'docker run --help'\"; exit 125";
        let error = Command::new("sh").args(["-c", script]).run().await.unwrap_err();
        assert_eq!(last_line(&error), "unable to apply caps.");
    }

    #[tokio::test]
    async fn a_chosen_engine_that_does_not_answer_is_not_replaced() {
        let variables = Variables { docker_host: Some("unix:///nowhere/docker.sock".into()), ..Variables::default() };
        let paths = Paths { root: "/".into(), state: "/nowhere".into() };
        let error = Engine::find(&variables, &paths).await.unwrap_err();
        match &error {
            EngineError::None { tried, mend } => {
                assert!(tried.len() == 1 && tried[0].starts_with("unix:///nowhere"), "{error}");
                assert!(mend.contains("unset DOCKER_HOST"), "scripts/setup itself keeps to the chosen one");
            }
            EngineError::NoCommand => {} // a machine without docker
            _ => panic!("{error}"),
        }
        assert!(error.to_string().contains("scripts/setup"), "{error}");
    }

    #[test]
    fn a_closed_socket_is_not_mended_by_an_installation() {
        let tried = ["docker's default: permission denied while trying to connect to the Docker daemon socket".to_owned()];
        assert!(mend(&tried, false).contains("usermod"));
        assert!(mend(&[], false).contains("scripts/setup"));
    }
}
