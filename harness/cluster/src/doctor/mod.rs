//! What this machine has and lacks, with the command that mends each lack.

mod host;

use crate::{
    command::Command,
    engine::{Engine, EngineError},
    kind::Kind,
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
    let mut checks = Vec::new();
    match &engine {
        Ok(engine) => {
            checks.push(Check::ok("Docker engine", format!("version {}", engine.version)));
            checks.push(privileged(engine).await);
            checks.push(kind(variables, paths, engine).await);
        }
        Err(error) => checks.push(no_engine(error)),
    }
    checks.extend(host::inotify());
    checks.push(host::cgroups());
    checks.push(host::memory());
    checks.push(host::disk("disk for state", &paths.state));
    if let Ok(engine) = &engine {
        if let Ok(folder) = engine.data_folder().await {
            checks.push(host::disk("disk for the engine", &folder));
        }
        checks.push(builders(engine, paths).await);
    }
    checks
}

fn no_engine(error: &EngineError) -> Check {
    let found = error.to_string().lines().next().unwrap_or_default().to_owned();
    Check::not("Docker engine", Health::Fail, found, "scripts/setup")
}

async fn privileged(engine: &Engine) -> Check {
    const NAME: &str = "privileged containers";
    match engine.check_privileged().await {
        Ok(()) => Check::ok(NAME, "run"),
        Err(EngineError::Unprivileged { said, mend, .. }) => Check::not(NAME, Health::Fail, said, mend),
        Err(error) => Check::not(NAME, Health::Fail, error.to_string(), "scripts/setup"),
    }
}

async fn kind(variables: &Variables, paths: &Paths, engine: &Engine) -> Check {
    match Kind::find(variables, paths, engine).await {
        Ok(kind) => Check::ok("kind", kind.version),
        Err(error) => Check::not("kind", Health::Fail, error.to_string(), "scripts/setup"),
    }
}

/// Needed only where a node image has to be built from source.
async fn builders(engine: &Engine, paths: &Paths) -> Check {
    const NAME: &str = "builds from source";
    let mut missing = Vec::new();
    for (program, argument) in [("go", "version"), ("mmdebstrap", "--version"), ("jq", "--version")] {
        if Command::new(program).arg(argument).run().await.is_err() {
            missing.push(program);
        }
    }
    if missing.is_empty() {
        return Check::ok(NAME, "go, mmdebstrap and jq are there");
    }
    let found = format!("missing: {}", missing.join(", "));
    if has_images(engine, paths).await {
        return Check::ok(NAME, format!("{found}; not needed, the node images are there"));
    }
    Check::not(NAME, Health::Warn, format!("{found}; only images that can be pulled will work"), "scripts/setup")
}
