//! Containers that are told by files when to end and whether they are ready, and those whose readiness has an end.

use std::thread::sleep;
use std::time::Duration;

use crate::support::{Node, await_that};

/// Longer than the distance of two looks for a file.
const A_LOOK: Duration = Duration::from_millis(450);

#[test]
fn ends_once_it_is_told_and_its_time_counts_from_then() {
    for file in ["app.exit", "c0ffee.app.exit"] {
        let node = Node::new();
        let app = node.start_ready("app", &["run", "--exits-told", "1", "--exits-after", "300", "--exit-code", "7"]);
        node.tell("other.exit");
        node.tell("decaf.app.exit");
        sleep(Duration::from_millis(600));
        assert_eq!(node.names("app"), ["started", "ready"], "neither file is for this container");
        let told = std::time::Instant::now();
        node.tell(file);
        assert_eq!(app.end().code(), Some(7));
        assert!(told.elapsed() >= Duration::from_millis(295), "{:?}", told.elapsed());
        assert_eq!(node.names("app"), ["started", "ready", "exiting"]);
    }
}

#[test]
fn an_old_file_does_not_end_the_next_incarnation_but_a_newer_one_does() {
    let node = Node::new();
    let args = ["run", "--exits-told", "1", "--exits-after", "0", "--exit-code", "7"];
    node.tell("app.exit");
    sleep(Duration::from_millis(20));
    let first = node.start_ready("app", &args);
    sleep(A_LOOK);
    assert_eq!(node.count("app", "exiting"), 0, "the file is older than the first incarnation");
    node.tell("app.exit");
    assert_eq!(first.end().code(), Some(7));

    let second = node.start("app", &args);
    await_that("second incarnation ready", || node.count("app", "ready") == 2);
    sleep(A_LOOK);
    assert_eq!(node.count("app", "exiting"), 1, "the file was for the first incarnation");
    node.tell("c0ffee.app.exit");
    assert_eq!(second.end().code(), Some(7));
}

#[test]
fn where_only_the_first_incarnations_obey_they_may_be_told_in_advance() {
    let node = Node::new();
    let args = ["run", "--exits-told", "1", "--exits-after", "0", "--exit-code", "7", "--exits-first", "2"];
    node.tell("app.exit");
    assert_eq!(node.finish("app", &args), 7);
    assert_eq!(node.finish("app", &args), 7);
    let third = node.start("app", &args);
    await_that("third incarnation ready", || node.count("app", "ready") == 3);
    node.tell("app.exit");
    sleep(A_LOOK);
    third.stop();
}

#[test]
fn being_told_does_not_replace_the_start_of_another_container() {
    let node = Node::new();
    let sidecar = node.start_ready("s1", &["run", "--exits-told", "1", "--exits-once", "app", "--exits-after", "0"]);
    node.tell("s1.exit");
    sleep(A_LOOK);
    assert_eq!(node.count("s1", "exiting"), 0, "the other container has not started");
    assert_eq!(node.finish("app", &["run", "--exits-after", "0"]), 0);
    assert_eq!(sidecar.end().code(), Some(0));
}

#[test]
fn stops_being_ready_at_an_age() {
    let node = Node::new();
    let app = node.start_ready("app", &["run", "--ready-after", "100", "--ready-until", "400"]);
    assert!(node.path("app.ready").exists());
    node.await_act("app", "unready");
    assert!(!node.path("app.ready").exists());
    assert_eq!(node.finish("app", &["probe", "readiness"]), 1);
    app.stop();
    assert_eq!(node.names("app"), ["started", "ready", "unready", "probe", "term", "exiting"]);
    assert_eq!(node.digest(), ["started", "ready", "unready", "term", "exiting"]);
    let acts = node.acts();
    let age = (acts[2]["boot_ns"].as_u64().unwrap() - acts[0]["boot_ns"].as_u64().unwrap()) / 1_000_000;
    assert!((390..2000).contains(&age), "unready at the age of {age} ms");
}

#[test]
fn the_newer_file_decides_on_readiness() {
    let node = Node::new();
    let app = node.start_ready("app", &["run", "--ready-told", "1", "--ready-after", "100"]);
    for (file, act, count) in [
        ("app.unready", "unready", 1),
        ("c0ffee.app.ready", "ready", 2),
        ("c0ffee.app.unready", "unready", 2),
        ("app.ready", "ready", 3),
    ] {
        node.tell(file);
        await_that(file, || node.count("app", act) == count);
        assert_eq!(node.path("app.ready").exists(), act == "ready");
    }
    node.tell("app.ready");
    sleep(A_LOOK);
    app.stop();
    let expected = ["started", "ready", "unready", "ready", "unready", "ready", "term", "exiting"];
    assert_eq!(node.names("app"), expected, "only changes are recorded");
}

#[test]
fn a_container_that_is_told_so_never_becomes_ready_by_its_age() {
    let node = Node::new();
    node.tell("app.unready");
    let app = node.start("app", &["run", "--ready-told", "1", "--ready-until", "300"]);
    node.await_act("app", "started");
    sleep(A_LOOK);
    assert_eq!(node.names("app"), ["started"]);
    node.tell("app.ready");
    node.await_act("app", "ready");
    sleep(A_LOOK);
    assert_eq!(node.names("app"), ["started", "ready"], "its age does not count any more");
    app.stop();
}
