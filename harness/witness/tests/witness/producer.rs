//! The line producer and the heartbeat, as real processes.

use std::fs;
use std::time::Duration;

use crate::support::{Node, Produced, await_that};
use rustix::process::Signal;

/// The numbers of the whole lines in a file, one after the other.
fn seqs(node: &Node, file: &str) -> Vec<u64> {
    let bytes = fs::read(node.path(file)).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().filter(|line| line.ends_with('.'));
    lines.filter_map(|line| line[line.find("sc2 ")?..].split(' ').nth(2)?.parse().ok()).collect()
}

fn args<'a>(log: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["run", "--write-to", log], more].concat()
}

/// Runs a producer to its end.
fn finished(more: &[&str]) -> Node {
    let node = Node::new();
    let log = node.path("app.log");
    assert_eq!(node.finish("app", &args(log.to_str().unwrap(), more)), 0);
    node
}

#[test]
fn writes_its_lines_counts_them_and_ends_at_once() {
    let node = Node::new();
    let log = node.path("app.log");
    let args = args(log.to_str().unwrap(), &["--write-lines", "1000", "--exits-after", "0"]);
    assert_eq!(node.finish("app", &args), 0);
    assert_eq!(node.finish("app", &args), 0);

    let text = fs::read_to_string(&log).unwrap();
    assert_eq!(text.len(), 2000 * 120);
    let tags: Vec<&str> = text.lines().map(|line| line.split(' ').nth(1).unwrap()).collect();
    assert_eq!(seqs(&node, "app.log"), (1..=1000).chain(1..=1000).collect::<Vec<_>>());
    assert!(tags[..1000].iter().all(|tag| *tag == tags[0]) && tags[1000..].iter().all(|tag| *tag == tags[1000]));
    assert_ne!(tags[0], tags[1000], "each incarnation has its own");
    for (incarnation, tag) in [(0, tags[0]), (1, tags[1000])] {
        let Produced { lines, begun, tag: counted, marks } = node.produced("app", incarnation);
        assert_eq!((lines, begun, counted.as_str()), (1000, 1000, tag));
        assert_eq!((marks.first().unwrap().0, marks.last().unwrap().0), (0, 1000));
    }
    assert_eq!(node.names("app")[..4], ["started", "ready", "wrote", "exiting"]);
    assert_eq!(node.acts()[2]["lines"], 1000);
    assert_eq!(node.acts()[2]["path"], log.to_str().unwrap());
}

#[test]
fn a_term_while_writing_ends_it_with_the_right_count() {
    let node = Node::new();
    let log = node.path("app.log");
    let app = node.start("app", &args(log.to_str().unwrap(), &["--write-lines", "1000000000"]));
    await_that("some lines", || log.metadata().is_ok_and(|log| log.len() > 1000));
    app.stop();
    assert_eq!(node.names("app"), ["started", "ready", "term", "wrote", "exiting"]);
    let produced = node.produced("app", 0);
    assert_eq!(produced.lines, log.metadata().unwrap().len() / 120);
    assert_eq!(produced.begun, produced.lines);
}

#[test]
fn a_kill_while_writing_leaves_two_numbers_between_which_the_truth_lies() {
    let node = Node::new();
    let log = node.path("app.log");
    let app = node.start("app", &args(log.to_str().unwrap(), &["--write-lines", "1000000000"]));
    await_that("many lines", || log.metadata().is_ok_and(|log| log.len() > 10_000_000));
    app.signal(Signal::KILL);
    app.end();
    let Produced { lines, begun, marks, .. } = node.produced("app", 0);
    let written = log.metadata().unwrap().len() / 120;
    assert!(lines <= written && written <= begun, "counted {lines}, written {written}, begun {begun}");
    assert!(begun - lines <= 2000, "one batch: {lines} to {begun}");
    assert!(marks.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1), "{marks:?}");
    assert_eq!(node.names("app"), ["started", "ready"]);
}

#[test]
fn marks_stay_few_and_say_most_about_the_end() {
    let node = finished(&["--write-lines", "1500", "--write-every", "1", "--exits-after", "0"]);
    let marks = node.produced("app", 0).marks;
    assert!((200..=256).contains(&marks.len()), "{}", marks.len());
    assert_eq!((marks[0].0, marks[255].0), (0, 1500));
    assert_eq!(marks[255].0 - marks[200].0, 55, "none of the last ones was dropped");
    assert!(marks.windows(2).all(|pair| pair[1].0 - pair[0].0 < 60), "none of the rest is far from the next: {marks:?}");
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
fn a_burst_in_the_term_handler_and_a_line_at_the_exit_without_its_end() {
    let node = Node::new();
    let log = node.path("app.log");
    let more = ["--write-lines", "10", "--write-at-term", "200000", "--write-at-exit", "1", "--write-unfinished", "1"];
    let app = node.start("app", &args(log.to_str().unwrap(), &more));
    node.await_act("app", "wrote");
    app.stop();
    assert_eq!(seqs(&node, "app.log"), (1..=200_011).collect::<Vec<_>>());
    assert!(fs::read(&log).unwrap().ends_with(b"."), "no line feed");
    assert_eq!(node.produced("app", 0).lines, 200_011);
    assert_eq!(node.names("app"), ["started", "ready", "wrote", "term", "wrote", "wrote", "exiting"]);
    assert!(node.produced("app", 0).marks.iter().any(|(lines, _)| *lines == 10), "what was written before TERM");
}

#[test]
fn lines_until_it_is_killed() {
    let node = Node::new();
    let log = node.path("app.log");
    let more = ["--write-lines", "0", "--write-every", "2", "--write-until-kill", "1"];
    let app = node.start_ready("app", &args(log.to_str().unwrap(), &more));
    assert_eq!(seqs(&node, "app.log"), [0; 0], "none before TERM");
    app.term();
    await_that("lines after TERM", || seqs(&node, "app.log").len() > 20);
    app.term();
    await_that("more of them", || seqs(&node, "app.log").len() > 40);
    app.signal(Signal::KILL);
    app.end();
    let (produced, written) = (node.produced("app", 0), seqs(&node, "app.log").len() as u64);
    assert!(produced.lines <= written && written <= produced.begun && produced.begun <= produced.lines + 1);
}

#[test]
fn sizes_go_through_their_range() {
    let node = finished(&["--write-lines", "30", "--write-size", "60-1048576", "--exits-after", "0"]);
    let lengths: Vec<usize> = fs::read_to_string(node.path("app.log")).unwrap().lines().map(|line| line.len() + 1).collect();
    assert_eq!(lengths[..4], [60, 120, 240, 480]);
    assert_eq!(lengths[14..17], [983_040, 1 << 20, 60]);
    assert_eq!(seqs(&node, "app.log"), (1..=30).collect::<Vec<_>>());
}

#[test]
fn traces_and_bytes_that_are_no_text() {
    let node = finished(&["--write-lines", "9", "--write-stack-traces", "3", "--write-invalid-utf8", "1", "--exits-after", "0"]);
    let bytes = fs::read(node.path("app.log")).unwrap();
    assert!(String::from_utf8(bytes.clone()).is_err());
    let starts: Vec<bool> = bytes.split(|byte| *byte == b'\n').take(9).map(|line| line.starts_with(b"sc2 ")).collect();
    assert_eq!(starts, [true, false, false, true, false, false, true, false, false]);
    assert_eq!(seqs(&node, "app.log"), (1..=9).collect::<Vec<_>>());
}

#[test]
fn rotates_by_another_name() {
    let more = ["--write-rotate", "rename", "--write-rotate-every", "10", "--write-rotate-keep", "2"];
    let node = finished(&[&["--write-lines", "45", "--exits-after", "0"], &more[..]].concat());
    assert_eq!(seqs(&node, "app.log"), (41..=45).collect::<Vec<_>>());
    assert_eq!(seqs(&node, "app.log.1"), (31..=40).collect::<Vec<_>>());
    assert_eq!(seqs(&node, "app.log.2"), (21..=30).collect::<Vec<_>>());
    assert!(!node.path("app.log.3").exists());
}

#[test]
fn rotates_by_emptying_the_file() {
    let node = Node::new();
    let log = node.path("app.log");
    fs::write(&log, "").unwrap();
    let held = fs::File::open(&log).unwrap();
    let more = ["--write-rotate", "truncate", "--write-rotate-every", "10", "--write-rotate-keep", "1"];
    let args = args(log.to_str().unwrap(), &["--write-lines", "25", "--exits-after", "0"]);
    assert_eq!(node.finish("app", &[&args[..], &more].concat()), 0);
    assert_eq!(held.metadata().unwrap().len(), 5 * 120, "it is still the same file");
    assert_eq!(seqs(&node, "app.log"), (21..=25).collect::<Vec<_>>());
    assert_eq!(seqs(&node, "app.log.1"), (11..=20).collect::<Vec<_>>());
}

#[test]
fn stdout_has_lines_and_acts_and_both_whole() {
    let node = Node::new();
    let log = node.path("app.log");
    let more =
        ["--write-lines", "500", "--write-every", "1", "--write-stdout", "1", "--write-at-exit", "1", "--write-unfinished", "1"];
    let app = node.start("app", &args(log.to_str().unwrap(), &more));
    node.await_act("app", "wrote");
    app.stop();
    let stdout = fs::read_to_string(node.path("app")).unwrap();
    let (lines, acts): (Vec<&str>, Vec<&str>) = stdout.lines().partition(|line| line.starts_with("sc2 "));
    assert_eq!(lines.join("\n"), fs::read_to_string(&log).unwrap());
    assert_eq!(seqs(&node, "app"), (1..=501).collect::<Vec<_>>());
    let acts: Vec<serde_json::Value> = acts.iter().map(|act| serde_json::from_str(act).unwrap()).collect();
    let names: Vec<&str> = acts.iter().map(|act| act["act"].as_str().unwrap()).collect();
    assert_eq!(names, ["started", "ready", "wrote", "term"], "none continues the last line");
    assert!(stdout.ends_with('.'));
    assert_eq!(node.names("app").last().unwrap(), "exiting");
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
