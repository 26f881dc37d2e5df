//! An engine that answers but can't run privileged containers: the message says so before anything is made. Needs root
//! and `dockerd`, to start such an engine; left out elsewhere.

#![expect(clippy::unwrap_used, reason = "so a test fails; clippy spares only the functions that are marked as tests")]

mod support;
#[path = "support/weak_engine.rs"]
mod weak_engine;

use std::{path::Path, process::Command};

use sidecheck_cluster::{
    command,
    doctor::{Health, doctor},
    engine::{Engine, EngineError},
    paths::{Paths, Variables},
};
use weak_engine::WeakEngine;

/// What runc says on a host that lacks a capability, and what another security policy may say.
const CAPS: &str = "unable to start container process: unable to apply caps: operation not permitted";
const POLICY: &str = "privileged containers are forbidden on this host";

#[tokio::test]
async fn engine_that_refuses_privileged_containers_is_told_with_what_mends_it() {
    let Some(weak) = start() else { return };
    let variables = Variables { docker_host: Some(weak.address()), ..Variables::of_process() };
    let state = tempfile::tempdir().unwrap();
    let paths = Paths { root: support::root().into(), state: state.path().into() };
    let engine = Engine::find(&variables, &paths).await.unwrap();

    for (words, mended_by) in [(CAPS, "clusters/engine/start"), (POLICY, "kind.sigs.k8s.io/docs/user/rootless")] {
        weak.refuse_with(words);
        let error = engine.check_privileged().await.unwrap_err();
        let EngineError::Unprivileged { version, tried, said, mend } = &error else { panic!("{error:?}") };
        assert_eq!(*version, engine.version);
        assert!(tried.starts_with("docker run ") && tried.contains("--privileged"), "{tried}");
        assert!(said.contains(words) && mend.contains(mended_by), "{error}");
        let message = error.to_string();
        for part in [version, tried, said, mend] {
            assert!(message.contains(part.as_str()), "`{part}` is not in: {message}");
        }

        let checks = doctor(&variables, &paths).await;
        let check = checks.iter().find(|check| check.name == "privileged containers").unwrap();
        assert_eq!((check.health, check.mend.as_ref()), (Health::Fail, Some(mend)));
        assert!(check.found.contains(words) && check.found.contains(tried.as_str()), "{}", check.found);
        assert!(checks.iter().any(|check| check.name == "Docker engine" && check.health == Health::Ok));
    }

    // Not because it could run nothing at all.
    engine.docker(["run", "--rm", "--network", "none", "sidecheck-probe:1"]).run().await.unwrap();
    assert_eq!(containers(&engine).await, "");
    assert_eq!(std::fs::read_dir(state.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn up_on_it_ends_with_one_message_and_leaves_nothing() {
    let Some(weak) = start() else { return };
    weak.refuse_with(POLICY);
    let project = tempfile::tempdir().unwrap();
    project_with_one_entry(project.path());
    let state = project.path().join("state");
    let mut up = Command::new(program());
    up.args(["up", "1.29"]).current_dir(project.path()).env("DOCKER_HOST", weak.address());
    let output = up.env("SIDECHECK_STATE", &state).env_remove("SIDECHECK_ROOT").output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert_eq!(stderr.matches("sidecheck: ").count(), 1, "one message: {stderr}");
    assert!(stderr.contains("can't run privileged containers") && stderr.contains(POLICY), "{stderr}");
    assert!(stderr.contains("mend with: "), "{stderr}");

    assert!(!state.join("clusters").exists(), "no cluster is left half-made");
    let variables = Variables { docker_host: Some(weak.address()), ..Variables::default() };
    let paths = Paths { root: support::root().into(), state };
    let engine = Engine::find(&variables, &paths).await.unwrap();
    assert_eq!(containers(&engine).await, "");
}

fn start() -> Option<WeakEngine> {
    match WeakEngine::start() {
        Ok(engine) => Some(engine),
        Err(why) => {
            eprintln!("left out: {why}");
            None
        }
    }
}

async fn containers(engine: &Engine) -> String {
    let list: command::Command = engine.docker(["ps", "--all", "--quiet"]);
    list.run().await.unwrap().text()
}

/// The least that `up` needs to get as far as the engine: an entry, and stand-ins for the programs of the witness image.
fn project_with_one_entry(root: &Path) {
    let programs = format!("target/static/{}-unknown-linux-gnu/release", std::env::consts::ARCH);
    for folder in ["clusters/matrix", "suites/agents", &programs] {
        std::fs::create_dir_all(root.join(folder)).unwrap();
    }
    let programs = ["sidecheck-witness", "sidecheck-sink"].map(|program| format!("{programs}/{program}"));
    let entry = "release: 1.29.15\nexpect_gates: {SidecarContainers: true}\ndefault: true\n";
    std::fs::write(root.join("clusters/matrix/1.29.yaml"), entry).unwrap();
    std::fs::write(root.join("suites/deviations.yaml"), "deviations: []\n").unwrap();
    for program in programs {
        std::fs::write(root.join(program), "").unwrap();
    }
}

/// The program itself, which another package makes: `scripts/test` has built it beside this test.
fn program() -> std::path::PathBuf {
    let test = std::env::current_exe().unwrap();
    let program = test.ancestors().nth(2).unwrap().join("sidecheck");
    assert!(program.is_file(), "{} is missing; to build it: cargo build --package sidecheck", program.display());
    program
}
