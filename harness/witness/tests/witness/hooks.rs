//! Helpers that run beside PID 1: hooks, slow probes, and reading a file.

use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{Node, await_that, witness};
use serde_json::{Value, json};

/// The fields that a hook's records have of their own, of all its records.
fn hooks(node: &Node) -> Vec<Value> {
    let acts = node.acts().into_iter().filter(|act| act["act"].as_str().unwrap().starts_with("hook"));
    acts.map(|act| json!([act["act"], act["hook"], act["end"], act["ok"], act["incarnation"]])).collect()
}

#[test]
fn a_hook_records_both_its_ends_and_joins_the_incarnation_that_runs() {
    let node = Node::new();
    node.finish("app", &["run", "--exits-after", "0"]);
    let app = node.start("app", &["run"]);
    await_that("second start", || node.count("app", "ready") == 2);
    let begin = Instant::now();
    assert_eq!(node.finish("app", &["hook", "post_start", "--takes", "200"]), 0);
    assert!(begin.elapsed() >= Duration::from_millis(200));
    assert_eq!(node.finish("app", &["hook", "pre_stop", "--code", "9"]), 9);
    app.stop();
    let expected = [
        json!(["hook", "post_start", false, null, 1]),
        json!(["hook", "post_start", true, true, 1]),
        json!(["hook", "pre_stop", false, null, 1]),
        json!(["hook", "pre_stop", true, false, 1]),
    ];
    assert_eq!(hooks(&node), expected);
    assert_eq!(node.digest(), ["started", "ready", "term", "exiting"]);
}

#[test]
fn a_hook_gives_signs_of_life_until_its_file_is_there_and_its_time_is_over() {
    let node = Node::new();
    let hook = node.start("app", &["hook", "pre_stop", "--until-file", "go", "--every", "100", "--takes", "100"]);
    await_that("three signs of life", || node.count("app", "hook_alive") >= 3);
    assert_eq!(node.count("app", "hook"), 1, "its time is over, but not told to end");
    node.tell("go");
    assert_eq!(hook.end().code(), Some(0));
    let hooks = hooks(&node);
    assert_eq!(hooks[1], json!(["hook_alive", "pre_stop", null, null, 0]));
    assert_eq!(hooks.last().unwrap(), &json!(["hook", "pre_stop", true, true, 0]));

    let begin = Instant::now();
    assert_eq!(node.finish("app", &["hook", "pre_stop", "--until-file", "go", "--takes", "300"]), 0);
    assert!(begin.elapsed() >= Duration::from_millis(300), "a file that is there does not shorten its time");
}

#[test]
fn a_slow_probe_looks_only_after_its_time() {
    let node = Node::new();
    let app = node.start("app", &["run", "--ready-after", "300"]);
    node.await_act("app", "started");
    let begin = Instant::now();
    assert_eq!(node.finish("app", &["probe", "liveness", "--takes", "1200"]), 0, "it became ready meanwhile");
    assert!(begin.elapsed() >= Duration::from_millis(1200));
    assert_eq!(node.names("app"), ["started", "ready", "probe"]);
    app.stop();
}

#[test]
fn a_file_is_shown_byte_by_byte() {
    let node = Node::new();
    let file = node.path("file");
    let bytes = b"-997\n\0\xff no line feed";
    std::fs::write(&file, bytes).unwrap();
    let output = witness(&["show", file.to_str().unwrap()]).output().unwrap();
    assert_eq!((output.status.code(), &output.stdout[..], &output.stderr[..]), (Some(0), &bytes[..], &b""[..]));

    // A file whose size is given as 0.
    let output = witness(&["show", "/proc/self/oom_score_adj"]).output().unwrap();
    let own = std::fs::read("/proc/self/oom_score_adj").unwrap();
    assert_eq!((output.status.code(), output.stdout), (Some(0), own));

    let output = witness(&["show", "/nowhere/file"]).output().unwrap();
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(1), &b""[..]));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("failed to show /nowhere/file: No such file"), "{said}");
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let shown = witness(&["show", file.to_str().unwrap()]).stdout(full).stderr(Stdio::null()).status().unwrap();
    assert_eq!(shown.code(), Some(1));
}

#[test]
fn a_hook_that_is_killed_has_no_end() {
    let node = Node::new();
    let hook = node.start("app", &["hook", "pre_stop", "--takes", "60000", "--every", "50"]);
    await_that("two signs of life", || node.count("app", "hook_alive") >= 2);
    hook.signal(rustix::process::Signal::KILL);
    hook.end();
    sleep(Duration::from_millis(10));
    assert_eq!(node.count("app", "hook"), 1);
}
