//! Ctrl-C during a run: exit code 130, evidence kept, nothing left in the cluster. Needs the cluster `1.29`.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

const ENTRY: &str = "1.29";

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn interrupted_run_keeps_its_evidence_and_leaves_no_pod() {
    let runs = tempfile::tempdir().expect("a temporary folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sidecheck"));
    command.args(["run", "--cluster", ENTRY, "--scenario", "jobs/agent-as-main", "--runs"]).arg(runs.path()).current_dir(root());
    let run = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let name = await_pods(runs.path(), &run);

    let pid = rustix::process::Pid::from_child(&run);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("the run is there");
    let output = run.wait_with_output().expect("the run ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");

    let trace = runs.path().join("latest").join(ENTRY).join("jobs.agent-as-main/trace.jsonl");
    let trace = std::fs::read_to_string(&trace).expect("the evidence is kept");
    assert!(trace.contains("interrupted by the user"), "the trace says why it ends");
    assert!(pods_of(&name).is_empty(), "{:?} are left; {stderr}", pods_of(&name));

    let judged = Command::new(env!("CARGO_BIN_EXE_sidecheck")).arg("judge").arg(runs.path().join("latest")).output();
    let judged = judged.expect("the program runs");
    assert_eq!(judged.status.code(), Some(3), "an interrupted case is inconclusive: {}", String::from_utf8_lossy(&judged.stdout));
}

/// Waits until the run's pods are there, and a second longer, so that it is in the middle of its work. Returns the run's name.
fn await_pods(runs: &Path, run: &std::process::Child) -> String {
    let begin = Instant::now();
    loop {
        assert!(begin.elapsed() < Duration::from_secs(60), "the run {} did not make a pod", run.id());
        std::thread::sleep(Duration::from_millis(300));
        let Ok(latest) = std::fs::read_link(runs.join("latest")) else { continue };
        let name = latest.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !pods_of(&name).is_empty() {
            std::thread::sleep(Duration::from_secs(1));
            return name;
        }
    }
}

fn pods_of(run: &str) -> Vec<String> {
    let docker =
        std::env::var("DOCKER_HOST").unwrap_or_else(|_| format!("unix://{}", state().join("engine/docker.sock").display()));
    let node = format!("sidecheck-{ENTRY}-control-plane");
    let kubectl = ["exec", &node, "kubectl", "--kubeconfig", "/etc/kubernetes/admin.conf", "get", "pods", "--all-namespaces"];
    let marked = format!("--selector=sidecheck.dev/run={run}");
    let output = Command::new("docker").env("DOCKER_HOST", docker).args(kubectl).args([&marked, "-o", "name"]).output();
    let output = output.expect("docker runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "is the cluster up? To bring it up: sidecheck up {ENTRY}; {stderr}");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

fn state() -> PathBuf {
    let named = std::env::var_os("SIDECHECK_STATE").map(PathBuf::from);
    named.unwrap_or_else(|| PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache/sidecheck"))
}
