//! What this machine has and lacks, with the command that mends each lack.

mod host;

use crate::{
    command::Command,
    engine::{Engine, EngineError},
    kind::{self, KindError},
    node_image::has_images,
    paths::{Paths, Variables},
};

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Health {
    /// As it should be.
    Ok,
    /// Works, with a limit that should be known.
    Warn,
    /// Clusters can't be made like this.
    Fail,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What was looked at, in two or three words.
    pub name: &'static str,
    /// How it is.
    pub health: Health,
    /// What was found, in a sentence.
    pub found: String,
    /// The exact command that mends it.
    pub mend: Option<String>,
}

impl Check {
    fn ok(name: &'static str, found: impl Into<String>) -> Self {
        Self { name, health: Health::Ok, found: found.into(), mend: None }
    }

    fn not(name: &'static str, health: Health, found: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { name, health, found: found.into(), mend: Some(mend.into()) }
    }
}

/// Looks at everything, in the order in which it is needed. Never fails: what can't be found out is a check that says so.
pub async fn doctor(variables: &Variables, paths: &Paths) -> Vec<Check> {
    let engine = Engine::find(variables, paths).await;
    let mut checks = match &engine {
        Ok(engine) => vec![Check::ok("Docker engine", format!("version {} at {}", engine.version, engine.place()))],
        Err(error) => vec![no_engine(error)],
    };
    if let Ok(engine) = &engine {
        checks.push(privileged(engine).await);
    }
    checks.push(kind(variables, paths).await);
    checks.push(builders(engine.as_ref().ok(), paths).await);
    checks.extend(host::inotify());
    checks.push(host::cgroups());
    checks.push(host::memory());
    checks.push(host::disk("disk for state", &paths.state, STATE_FULL));
    if let Ok(engine) = &engine
        && let Ok(folder) = engine.data_folder().await
    {
        checks.push(host::disk("disk for the engine", &folder, ENGINE_FULL));
    }
    checks
}

const STATE_FULL: &str = "sidecheck gc; go clean -cache; or move: export SIDECHECK_STATE=FOLDER; scripts/setup";
const ENGINE_FULL: &str = "docker image prune; or an engine with its data on a larger disk";

fn no_engine(error: &EngineError) -> Check {
    const NAME: &str = "Docker engine";
    match error {
        EngineError::None { tried, mend } => Check::not(
            NAME,
            Health::Fail,
            format!("none answers, so nothing in one was looked at; tried:\n{}", tried.join("\n")),
            mend,
        ),
        EngineError::NoCommand => Check::not(NAME, Health::Fail, "the docker command is missing", "scripts/setup"),
        error => Check::not(NAME, Health::Fail, error.to_string(), "scripts/setup"),
    }
}

async fn privileged(engine: &Engine) -> Check {
    const NAME: &str = "privileged containers";
    match engine.check_privileged().await {
        Ok(()) => Check::ok(NAME, "one was run, as nodes are"),
        Err(EngineError::Unprivileged { tried, said, mend, .. }) => {
            Check::not(NAME, Health::Fail, format!("the engine refuses them: {said}\ntried: {tried}"), mend)
        }
        Err(error) => Check::not(NAME, Health::Fail, error.to_string(), "scripts/setup"),
    }
}

async fn kind(variables: &Variables, paths: &Paths) -> Check {
    match kind::program(variables, paths).await {
        Ok((program, version)) => Check::ok("kind", format!("{}, {}", version.trim_start_matches("kind "), program.display())),
        Err(KindError::Missing(own)) => {
            let found = format!("missing: neither on PATH nor at {}", own.display());
            Check::not("kind", Health::Fail, found, "scripts/setup")
        }
        Err(error) => Check::not("kind", Health::Fail, error.to_string(), "scripts/setup"),
    }
}

/// Needed only where a node image has to be built from source.
async fn builders(engine: Option<&Engine>, paths: &Paths) -> Check {
    const NAME: &str = "builds from source";
    let mut missing = Vec::new();
    for (program, argument) in [("go", "version"), ("mmdebstrap", "--version"), ("jq", "--version")] {
        if Command::new(program).arg(argument).run().await.is_err() {
            missing.push(program);
        }
    }
    if missing.is_empty() {
        return Check::ok(NAME, "possible: go, mmdebstrap and jq are there");
    }
    let found = format!("missing: {}", missing.join(", "));
    if let Some(engine) = engine
        && has_images(engine, paths).await
    {
        return Check::ok(NAME, format!("{found}; not needed, the engine has the node images"));
    }
    let found = format!("{found}; without them only entries whose node image can be pulled come up");
    Check::not(NAME, Health::Warn, found, "scripts/setup (as root, on Debian)")
}
