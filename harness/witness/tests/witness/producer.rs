//! The line producer and the heartbeat, as real processes.

use std::fs;
use std::time::Duration;

use crate::support::{Node, await_that};
use rustix::process::Signal;

fn lines(node: &Node) -> Vec<String> {
    fs::read_to_string(node.path("app.log")).unwrap_or_default().lines().map(str::to_owned).collect()
}

fn args<'a>(log: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["run", "--write-to", log], more].concat()
}

#[test]
fn writes_its_lines_counts_them_and_ends_at_once() {
    let node = Node::new();
    let log = node.path("app.log");
    let args = args(log.to_str().unwrap(), &["--write-lines", "1000", "--exits-after", "0"]);
    assert_eq!(node.finish("app", &args), 0);
    assert_eq!(node.finish("app", &args), 0);

    let lines = lines(&node);
    assert_eq!(lines.len(), 2000);
    for (n, line) in lines.iter().enumerate() {
        assert_eq!(line.len(), 119);
        assert!(line.starts_with(&format!("sc1 r1 c0ffee app {} {} abc", n / 1000, n % 1000 + 1)), "{line}");
        assert_eq!(line.find('.'), Some(118), "only a whole line ends in a full stop");
    }
    assert_eq!((node.produced("app", 0), node.produced("app", 1)), (1000, 1000));
    assert_eq!(node.names("app")[..4], ["started", "ready", "wrote", "exiting"]);
    assert_eq!(node.acts()[2]["lines"], 1000);
    assert_eq!(node.acts()[2]["path"], log.to_str().unwrap());
}

#[test]
fn a_term_while_writing_ends_it_with_the_right_count() {
    let node = Node::new();
    let log = node.path("app.log");
    let app = node.start("app", &args(log.to_str().unwrap(), &["--write-lines", "1000000000"]));
    await_that("some lines", || lines(&node).len() > 100);
    app.stop();
    assert_eq!(node.names("app"), ["started", "ready", "term", "wrote", "exiting"]);
    assert_eq!(node.produced("app", 0), lines(&node).len() as u64);
}

#[test]
fn a_kill_while_writing_leaves_a_count_that_is_at_most_one_batch_behind() {
    let node = Node::new();
    let log = node.path("app.log");
    let app = node.start("app", &args(log.to_str().unwrap(), &["--write-lines", "1000000000"]));
    await_that("some lines", || lines(&node).len() > 100);
    app.signal(Signal::KILL);
    app.end();
    let (counted, written) = (node.produced("app", 0), lines(&node).len() as u64);
    assert!(counted <= written && written - counted <= 32, "counted {counted}, written {written}");
    assert_eq!(node.names("app"), ["started", "ready"]);
}

#[test]
fn keeps_a_pace_and_counts_the_exit_from_the_last_line() {
    let node = Node::new();
    let log = node.path("app.log");
    let more = ["--write-lines", "10", "--write-every", "20", "--exits-after", "100", "--exit-code", "5"];
    assert_eq!(node.finish("app", &args(log.to_str().unwrap(), &more)), 5);
    let stamps: Vec<u64> = node.acts().iter().map(|act| act["boot_ns"].as_u64().unwrap() / 1_000_000).collect();
    assert!(stamps[2] - stamps[0] >= 170, "nine distances of 20 ms: {stamps:?}");
    assert!(stamps[3] - stamps[2] >= 95, "100 ms after the last line: {stamps:?}");
}

#[test]
fn a_heart_beats_and_stops_on_term() {
    let node = Node::new();
    let file = node.path("beats");
    // Just under the limit, so that a beat soon goes over it.
    fs::write(&file, vec![b' '; (8 << 20) - 100]).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_sidecheck-witness"));
    let mut heart = command.args(["heartbeat", "--every", "10", "--file"]).arg(&file).spawn().unwrap();
    await_that("five beats", || fs::read_to_string(&file).unwrap_or_default().lines().count() >= 5);
    rustix::process::kill_process(rustix::process::Pid::from_child(&heart), Signal::TERM).unwrap();
    assert_eq!(heart.wait().unwrap().code(), Some(0));
    assert!(fs::metadata(node.path("beats.1")).unwrap().len() > 8 << 20);

    let beats: Vec<serde_json::Value> =
        fs::read_to_string(&file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let first = beats[0]["boot_ns"].as_u64().unwrap();
    let last = beats[4]["boot_ns"].as_u64().unwrap();
    assert!(last - first >= Duration::from_millis(35).as_nanos() as u64);
    assert!(beats[0]["wall_ns"].as_u64().unwrap() > first);
}
