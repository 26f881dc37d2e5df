//! The container under test, as a real process.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;

use crate::support::{Node, await_that};
use rustix::process::Signal;

#[test]
fn term_is_recorded_at_once_and_the_exit_after_stop_takes() {
    let node = Node::new();
    let app = node.start_ready("app", &["run", "--stop-takes", "400"]);
    app.term();
    node.await_act("app", "term");
    app.stop();

    assert_eq!(node.names("app"), ["started", "ready", "term", "term", "exiting"]);
    let acts = node.acts();
    let stamp = |n: usize| acts[n]["boot_ns"].as_u64().unwrap();
    let took = (stamp(4) - stamp(2)) / 1_000_000;
    assert!((400..900).contains(&took), "stopping took {took} ms");
    assert_eq!(acts[4]["code"], 0);
    assert!(acts.iter().all(|act| act["pod"] == "web-0" && act["uid"] == "c0ffee" && act["incarnation"] == 0));
    assert!(acts.iter().all(|act| act["wall_ns"].as_u64().unwrap() > 1_600_000_000_000_000_000));

    let journal = fs::read_to_string(node.path("evidence/witness.jsonl")).unwrap();
    assert_eq!(fs::read_to_string(node.path("app")).unwrap(), journal, "stdout must repeat the journal");
    let digest: serde_json::Value = serde_json::from_str(&fs::read_to_string(node.path("termination-log")).unwrap()).unwrap();
    assert_eq!(digest["acts"][4], serde_json::json!(["exiting", stamp(4)]));
}

#[test]
fn the_journal_is_writable_for_containers_of_other_users() {
    let node = Node::new();
    assert_eq!(node.finish("app", &["run", "--exits-after", "0"]), 0);
    let mode = fs::metadata(node.path("evidence/witness.jsonl")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o666);
}

#[test]
fn incarnations_count_for_each_container_on_its_own() {
    let node = Node::new();
    for name in ["app", "app2", "app", "app"] {
        node.finish(name, &["run", "--exits-after", "0"]);
    }
    let started: Vec<_> = node.acts().into_iter().filter(|act| act["act"] == "started").collect();
    let counted: Vec<_> =
        started.iter().map(|act| (act["container"].as_str().unwrap(), act["incarnation"].as_u64().unwrap())).collect();
    assert_eq!(counted, [("app", 0), ("app2", 0), ("app", 1), ("app", 2)]);
}

#[test]
fn ends_by_itself_only_in_its_first_incarnations() {
    let node = Node::new();
    let args = ["run", "--exits-after", "50", "--exit-code", "3", "--exits-first", "2"];
    assert_eq!(node.finish("app", &args), 3);
    assert_eq!(node.finish("app", &args), 3);
    let third = node.start("app", &args);
    await_that("third incarnation ready", || node.count("app", "ready") == 3);
    std::thread::sleep(std::time::Duration::from_millis(150));
    third.stop();
    let ends: Vec<_> = node.acts().into_iter().filter(|act| act["act"] == "exiting").map(|act| act["code"].clone()).collect();
    assert_eq!(ends, [3, 3, 0]);
}

#[test]
fn ends_only_once_another_container_has_started() {
    let node = Node::new();
    let sidecar = node.start_ready("s1", &["run", "--exits-after", "50", "--exit-code", "1", "--exits-once", "app"]);
    std::thread::sleep(std::time::Duration::from_millis(400));
    assert_eq!(node.names("s1"), ["started", "ready"], "nothing to wait for has started");
    let app = node.start("app", &["run"]);
    assert_eq!(sidecar.end().code(), Some(1));
    app.stop();
    let order: Vec<_> = node.acts().into_iter().map(|act| format!("{} {}", act["container"], act["act"])).collect();
    let at = |what: &str| order.iter().position(|one| one == what).unwrap();
    assert!(at("\"app\" \"started\"") < at("\"s1\" \"exiting\""));
}

#[test]
fn probes_fail_until_ready_and_join_the_incarnation_that_runs() {
    let node = Node::new();
    node.finish("app", &["run", "--exits-after", "0"]);
    let app = node.start("app", &["run", "--ready-after", "700"]);
    await_that("second start", || node.count("app", "started") == 2);
    assert_eq!(node.finish("app", &["probe", "startup"]), 1, "the first incarnation's mark must not count");
    await_that("probe success", || node.finish("app", &["probe", "readiness"]) == 0);
    app.stop();

    let acts = node.acts();
    let at = |name: &str, ok| acts.iter().position(|act| act["probe"] == name && act["ok"] == ok).unwrap();
    let ready = acts.iter().rposition(|act| act["act"] == "ready").unwrap();
    assert!(at("startup", false) < ready && ready < at("readiness", true));
    assert_eq!(acts[at("startup", false)]["incarnation"], 1);
}

#[test]
fn a_term_before_ready_is_obeyed_and_ready_never_comes() {
    let node = Node::new();
    let app = node.start("app", &["run", "--ready-after", "60000"]);
    node.await_act("app", "started");
    app.stop();
    assert_eq!(node.names("app"), ["started", "term", "exiting"]);
}

#[test]
fn a_killed_container_leaves_what_it_recorded() {
    let node = Node::new();
    let app = node.start_ready("app", &["run"]);
    app.signal(Signal::KILL);
    assert_eq!(app.end().code(), None);
    assert_eq!(node.names("app"), ["started", "ready"]);
}

#[test]
fn records_of_concurrent_containers_stay_whole() {
    let node = Node::new();
    let names = ["a", "b", "c"];
    std::thread::scope(|scope| {
        for name in names {
            let node = &node;
            scope.spawn(move || (0..40).for_each(|_| assert_eq!(node.finish(name, &["run", "--exits-after", "0"]), 0)));
        }
    });
    assert_eq!(node.acts().len(), names.len() * 40 * 3, "acts() has parsed every line");
    assert_eq!(node.count("b", "started"), 40);
}

#[test]
fn never_runs_unseen() {
    let node = Node::new();
    fs::remove_dir_all(node.path("evidence")).unwrap();
    for args in [&["run"][..], &["probe", "liveness"]] {
        let output = node.command("app", args).stdout(Stdio::null()).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(70));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("witness.jsonl"), "{said}");
    }
}

#[test]
fn a_full_disk_is_loud() {
    let node = Node::new();
    std::os::unix::fs::symlink("/dev/full", node.path("full.log")).unwrap();
    let log = node.path("full.log");
    let args = ["run", "--write-lines", "1", "--write-to", log.to_str().unwrap()];
    assert_eq!(node.finish("app", &args), 70);
    assert_eq!(node.produced("app", 0).lines, 0, "a line that was not taken must not be counted");
}

#[test]
fn wrong_use_is_told_from_lost_evidence() {
    let node = Node::new();
    assert_eq!(node.finish("app", &["run", "--speed", "3"]), 64);
    let mut command = node.command("app", &["run"]);
    assert_eq!(command.env_remove("POD_UID").stderr(Stdio::null()).status().unwrap().code(), Some(64));
}
