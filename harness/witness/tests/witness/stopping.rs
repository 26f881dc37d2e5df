//! What a container does between SIGTERM and its end.

use std::fs;

use crate::support::{Node, await_that};
use rustix::process::Signal;

#[test]
fn a_stop_has_an_exit_code_of_its_own() {
    let node = Node::new();
    let app = node.start_ready("app", &["run", "--stop-code", "143", "--exits-after", "60000", "--exit-code", "3"]);
    app.term();
    assert_eq!(app.end().code(), Some(143));
    assert_eq!(node.acts().last().unwrap()["code"], 143);
}

#[test]
fn a_long_stop_gives_signs_of_life_which_the_digest_leaves_out() {
    let node = Node::new();
    let app = node.start_ready("app", &["run", "--stop-takes", "900"]);
    app.term();
    node.await_act("app", "alive");
    app.stop();

    let names = node.names("app");
    assert_eq!(names.iter().filter(|name| *name == "term").count(), 2);
    let alive = names.iter().filter(|name| *name == "alive").count();
    assert!((1..=3).contains(&alive), "{names:?}");
    assert_eq!(names.last().unwrap(), "exiting");
    assert_eq!(node.digest(), ["started", "ready", "term", "term", "exiting"]);

    let acts = node.acts();
    let stamp = |n: usize| acts[n]["boot_ns"].as_u64().unwrap() / 1_000_000;
    let first = names.iter().position(|name| name == "alive").unwrap();
    assert!(stamp(first) - stamp(2) >= 245, "{acts:?}");
    let took = stamp(acts.len() - 1) - stamp(2);
    assert!((895..2500).contains(&took), "stopping took {took} ms");
}

#[test]
fn a_stop_of_half_a_second_gives_no_sign_of_life() {
    let node = Node::new();
    let app = node.start_ready("app", &["run", "--stop-takes", "500"]);
    app.stop();
    assert_eq!(node.names("app"), ["started", "ready", "term", "exiting"]);
}

#[test]
fn a_kill_while_stopping_leaves_the_last_sign_of_life() {
    let node = Node::new();
    let app = node.start_ready("app", &["run", "--stop-takes", "60000"]);
    app.term();
    await_that("two signs of life", || node.count("app", "alive") >= 2);
    app.signal(Signal::KILL);
    assert_eq!(app.end().code(), None);

    let names = node.names("app");
    assert_eq!(names[..3], ["started", "ready", "term"]);
    assert!(names[3..].iter().all(|name| name == "alive"), "{names:?}");
    let journal = fs::read_to_string(node.path("evidence/witness.jsonl")).unwrap();
    assert!(fs::read_to_string(node.path("app")).unwrap().starts_with(&journal[..journal.rfind("{\"pod\"").unwrap()]));
    assert_eq!(node.digest(), ["started", "ready", "term"]);
}

#[test]
fn stops_being_ready_before_it_stops() {
    let node = Node::new();
    let app = node.start_ready("app", &["run", "--stops-unready", "1", "--stop-takes", "60000"]);
    app.term();
    node.await_act("app", "unready");
    assert_eq!(node.finish("app", &["probe", "readiness"]), 1);
    assert_eq!(node.names("app")[..4], ["started", "ready", "term", "unready"]);
}

#[test]
fn who_was_never_ready_does_not_stop_being_so() {
    let node = Node::new();
    let app = node.start("app", &["run", "--stops-unready", "1", "--ready-after", "60000"]);
    node.await_act("app", "started");
    app.stop();
    assert_eq!(node.names("app"), ["started", "term", "exiting"]);
}
