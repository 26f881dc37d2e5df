//! The container's HTTP server and its calls, over real connections.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{Node, SOON, await_that, free_port, witness};
use serde_json::Value;

/// Sends something and returns what comes back.
fn exchange(port: u16, text: &[u8]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(SOON)).unwrap();
    stream.write_all(text).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn get(port: u16, path: &str) -> String {
    exchange(port, format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").as_bytes())
}

/// The paths in the acts of one name.
fn paths(node: &Node, name: &str) -> Vec<String> {
    let acts = node.acts().into_iter().filter(|act| act["act"] == name);
    acts.map(|act| act["path"].as_str().unwrap().to_owned()).collect()
}

fn call(port: u16, path: &str) -> Option<i32> {
    witness(&["call", "127.0.0.1", &port.to_string(), path]).stderr(Stdio::null()).status().unwrap().code()
}

#[test]
fn answers_by_path_and_records_what_is_no_health_check() {
    let (node, port) = (Node::new(), free_port());
    let app = node.start("app", &["run", "--ready-after", "500", "--serves-http", &port.to_string()]);
    // Whoever sees the start may connect.
    node.await_act("app", "started");
    let unready = get(port, "/healthz");
    assert!(unready.starts_with("HTTP/1.1 500 ") && unready.ends_with("\r\n\r\nnot ready"), "{unready}");
    node.await_act("app", "ready");
    let long = format!("/{}", "x".repeat(300));
    for (path, status, more) in [
        ("/healthz", "200 OK", "\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"),
        ("/", "200 OK", "\r\n\r\nok"),
        ("/hook/pre-stop", "200 OK", "\r\n\r\nok"),
        ("/redirect-local", "302 Found", "\r\nLocation: /healthz\r\n"),
        ("/redirect-away", "302 Found", "\r\nLocation: http://0.0.0.0/\r\n"),
        ("/any/thing?\"q\"", "200 OK", "\r\n\r\nok"),
        (&long, "200 OK", "\r\n\r\nok"),
    ] {
        let answer = get(port, path);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}\r\n")) && answer.contains(more), "{path}: {answer}");
    }
    app.stop();
    let expected = ["/hook/pre-stop", "/redirect-local", "/redirect-away", "/any/thing?\"q\"", &long[..200]];
    assert_eq!(paths(&node, "request"), expected);
    assert_eq!(node.digest(), ["started", "ready", "term", "exiting"], "requests are not in the digest");
}

#[test]
fn bears_with_garbage_and_with_silence() {
    let (node, port) = (Node::new(), free_port());
    let app = node.start_ready("app", &["run", "--serves-http", &port.to_string()]);
    // As a TCP probe does.
    drop(TcpStream::connect(("127.0.0.1", port)).unwrap());
    let silent = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let begin = Instant::now();
    assert!(exchange(port, b"\x16\x03\x01\xff\xfe\n\n").starts_with("HTTP/1.1 400 "));
    assert!(exchange(port, b"GET\r\n\r\n").starts_with("HTTP/1.1 400 "));
    assert!(exchange(port, &[b'x'; 8192]).starts_with("HTTP/1.1 400 "));
    let body = format!("POST /hook/body HTTP/1.1\r\nContent-Length: 50000\r\n\r\n{}", "b".repeat(50_000));
    assert!(exchange(port, body.as_bytes()).starts_with("HTTP/1.1 200 "), "an unread body must not cost the answer");
    assert!(get(port, "/healthz").starts_with("HTTP/1.1 200 "));
    assert!(begin.elapsed() < Duration::from_secs(2), "a silent connection held up others for {:?}", begin.elapsed());
    drop(silent);
    app.stop();
    assert_eq!(paths(&node, "request"), ["/hook/body"]);
}

#[test]
fn a_silent_connection_does_not_hold_up_the_end() {
    let (node, port) = (Node::new(), free_port());
    let app = node.start_ready("app", &["run", "--serves-http", &port.to_string()]);
    let mut silent = TcpStream::connect(("127.0.0.1", port)).unwrap();
    silent.write_all(b"GET / HT").unwrap();
    let begin = Instant::now();
    app.stop();
    assert!(begin.elapsed() < Duration::from_millis(1500), "{:?}", begin.elapsed());
}

#[test]
fn answers_while_stopping() {
    let (node, port) = (Node::new(), free_port());
    let app = node.start_ready("app", &["run", "--stop-takes", "60000", "--serves-http", &port.to_string()]);
    app.term();
    node.await_act("app", "term");
    assert!(get(port, "/hook/late").starts_with("HTTP/1.1 200 "));
    assert!(get(port, "/healthz").starts_with("HTTP/1.1 200 "));
    let names: Vec<_> = node.names("app").into_iter().filter(|name| name != "alive").collect();
    assert_eq!(names, ["started", "ready", "term", "request"]);
}

#[test]
fn a_port_that_is_taken_is_loud() {
    let node = Node::new();
    let taken = TcpListener::bind("0.0.0.0:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = node.command("app", &["run", "--serves-http", &port]).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(70));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains(&format!("failed to listen on port {port}: ")), "{said}");
}

#[test]
fn requests_at_the_same_time_leave_whole_records_and_one_order() {
    let (node, port) = (Node::new(), free_port());
    let app = node.start_ready("app", &["run", "--stop-takes", "60000", "--serves-http", &port.to_string()]);
    std::thread::scope(|scope| {
        for client in 0..4 {
            scope.spawn(move || (0..25).for_each(|n| assert!(get(port, &format!("/hook/{client}-{n}")).contains(" 200 "))));
        }
        node.await_act("app", "request");
        app.term();
    });
    node.await_act("app", "alive");
    app.signal(rustix::process::Signal::KILL);
    app.end();
    assert_eq!(paths(&node, "request").len(), 100, "acts() has parsed every line");
    let acts = node.acts();
    assert!(acts.is_sorted_by_key(|act| act["boot_ns"].as_u64().unwrap()), "stamps must be in the order of lines");
    let journal = std::fs::read_to_string(node.path("evidence/witness.jsonl")).unwrap();
    let stdout = std::fs::read_to_string(node.path("app")).unwrap();
    assert!(journal.starts_with(&stdout), "stdout must repeat the journal");
    assert!(stdout.lines().count() + 1 >= acts.len(), "only the last line can have been lost by the kill");
}

#[test]
fn nothing_is_recorded_after_the_exit_is() {
    let (node, port) = (Node::new(), free_port());
    let app = node.start_ready("app", &["run", "--serves-http", &port.to_string(), "--exits-after", "300"]);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) {
                    // The end may come at any point.
                    let _ = stream.write_all(b"GET /hook/a HTTP/1.1\r\n\r\n");
                    let _ = stream.read(&mut [0; 64]);
                }
            });
        }
    });
    assert_eq!(app.end().code(), Some(0));
    assert_eq!(node.names("app").last().unwrap(), "exiting");
}

#[test]
fn lost_evidence_of_a_request_ends_the_container() {
    let (node, port) = (Node::new(), free_port());
    let journal = node.path("evidence/witness.jsonl");
    // Room for a few records only.
    let limited = format!("trap '' XFSZ; ulimit -f 1; exec \"$0\" run --name app --serves-http {port}");
    let args = ["-c", &limited, env!("CARGO_BIN_EXE_sidecheck-witness")];
    let mut command = std::process::Command::new("sh");
    let mut app = node.place(command.args(args).stderr(Stdio::null()).stdout(Stdio::null()), "app").spawn().unwrap();
    node.await_act("app", "ready");
    await_that("end of the process", || {
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) {
            let _ = stream.write_all(b"GET /hook/a HTTP/1.1\r\n\r\n");
            let _ = stream.read(&mut [0; 64]);
        }
        app.try_wait().unwrap().is_some()
    });
    let status = app.wait().unwrap();
    assert!(journal.metadata().unwrap().len() <= 1024);
    assert_eq!(status.code(), Some(70), "{status}");
}

#[test]
fn a_call_succeeds_only_when_it_is_served() {
    let (node, port) = (Node::new(), free_port());
    assert_eq!(call(port, "/"), Some(1), "nobody listens");
    let app = node.start("app", &["run", "--ready-after", "60000", "--serves-http", &port.to_string()]);
    node.await_act("app", "started");
    assert_eq!(call(port, "/"), Some(0));
    assert_eq!(call(port, "hook/a"), Some(0));
    assert_eq!(call(port, "/healthz"), Some(1));
    assert_eq!(call(port, "/redirect-local"), Some(1), "it does not follow");
    assert_eq!(paths(&node, "request"), ["/hook/a", "/redirect-local"]);
    app.stop();

    let output = witness(&["call", "127.0.0.1", &port.to_string(), "/"]).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("no answer: Connection refused"));
}

#[test]
fn a_call_gives_up_on_a_silent_and_on_a_slow_server() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let slow = TcpListener::bind("127.0.0.1:0").unwrap();
    let ports = [&silent, &slow].map(|listener| listener.local_addr().unwrap().port());
    std::thread::spawn(move || {
        let (mut stream, _) = slow.accept().unwrap();
        // Each step is in time, but the whole is not.
        while stream.write_all(b"H").is_ok() {
            std::thread::sleep(Duration::from_millis(300));
        }
    });
    for port in ports {
        let begin = Instant::now();
        assert_eq!(call(port, "/"), Some(1));
        let took = begin.elapsed();
        assert!((Duration::from_millis(1900)..Duration::from_secs(4)).contains(&took), "took {took:?}");
    }
}

#[test]
fn calls_all_its_life_also_while_stopping() {
    let (node, port) = (Node::new(), free_port());
    let calls = format!("localhost:{port}/hook/from-app");
    let app = node.start("app", &["run", "--calls", &calls, "--calls-every", "50", "--stop-takes", "60000"]);
    await_that("two calls", || node.count("app", "called") >= 2);
    let server = node.start("s1", &["run", "--serves-http", &port.to_string()]);
    let called = |ok: bool| -> Vec<Value> {
        let acts = node.acts().into_iter().filter(|act| act["act"] == "called" && act["ok"] == ok);
        acts.inspect(|act| assert_eq!(act["path"], "/hook/from-app")).collect()
    };
    await_that("two calls that are served", || called(true).len() >= 2);
    app.term();
    node.await_act("app", "term");
    let before = called(true).len();
    await_that("two more calls while stopping", || called(true).len() >= before + 2);
    server.stop();
    let before = called(false).len();
    await_that("calls that are not served any more", || called(false).len() > before);
    app.signal(rustix::process::Signal::KILL);
    app.end();

    assert!(paths(&node, "request").len() >= called(true).len());
    let acts = node.acts();
    assert_eq!(acts.iter().find(|act| act["act"] == "request").unwrap()["container"], "s1");
    // The n-th call comes no sooner than its pace allows, however late others were.
    let all: Vec<_> = acts.iter().filter(|act| act["container"] == "app" && act["act"] == "called").collect();
    let age = all.last().unwrap()["boot_ns"].as_u64().unwrap() - acts[0]["boot_ns"].as_u64().unwrap();
    assert!(all.len() as u64 <= age / 50_000_000 + 1, "{} calls in {age} ns", all.len());
}
