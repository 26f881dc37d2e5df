//! Start, stop, probe.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{ALL, Sink, http, messages};

#[test]
fn everything_that_arrived_before_a_term_is_stored() {
    let mut sink = Sink::start();
    let (senders, lines) = (4, 5000);
    std::thread::scope(|scope| {
        for sender in 0..senders {
            let mut connection = sink.connect("syslog_tcp");
            scope.spawn(move || {
                let lines: Vec<_> = (0..lines).map(|n| format!("<13>1 - h a - - - {sender} {n}\n")).collect();
                connection.write_all(lines.concat().as_bytes()).unwrap();
            });
        }
    });
    let mut whole = sink.connect("http_json");
    whole.write_all(b"POST / HTTP/1.1\r\nHost: sink\r\nContent-Length: 14\r\n\r\n{\"log\":\"last\"}").unwrap();
    // The senders are done, so the kernel has it all, but not yet the sink.
    assert_eq!(sink.term().code(), Some(0));
    assert_eq!(http::answer(&mut whole, false).status, 200);
    let records = sink.records();
    assert_eq!(records.len(), senders * lines + 1);
    for sender in 0..senders {
        let begin = format!("{sender} ");
        let numbers: Vec<usize> =
            messages(&records).iter().filter_map(|message| message.strip_prefix(&begin)?.parse().ok()).collect();
        assert!(numbers.into_iter().eq(0..lines), "the lines of one sender must come in order");
    }
    assert_eq!(sink.events().last().unwrap()["event"], "stopped");
    assert!(!sink.control().exists());
}

#[test]
fn idle_and_half_connections_do_not_hold_up_the_stop() {
    let mut sink = Sink::start();
    let idle: Vec<_> = ALL.map(|protocol| sink.connect(protocol)).into();
    let mut half: Vec<_> = ALL.map(|protocol| sink.connect(protocol)).into();
    for (protocol, half) in ALL.iter().zip(&mut half) {
        let bytes: &[u8] = match *protocol {
            "syslog_tcp" | "forward" => b"\x94",
            _ => b"POST / HTTP/1.1\r\nHost: si",
        };
        half.write_all(bytes).unwrap();
    }
    let begin = Instant::now();
    assert_eq!(sink.term().code(), Some(0));
    assert!(begin.elapsed() < Duration::from_millis(4500), "took {:?}", begin.elapsed());
    drop((idle, half));
}

#[test]
fn a_kill_leaves_what_was_stored_and_the_next_sink_goes_on() {
    let sink = Sink::start();
    sink.send(b"<13>1 - h a - - - one\n");
    sink.await_records(1);
    fs::OpenOptions::new().append(true).open(sink.store()).unwrap().write_all(b"{\"torn").unwrap();
    let mut next = sink.killed();
    next.send(b"<13>1 - h a - - - two\n");
    assert_eq!(next.term().code(), Some(0));
    let text = fs::read_to_string(next.store()).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[1], "{\"torn");
    assert!(lines[2].contains("\"two\""));
}

#[test]
fn the_probe_tells_whether_it_listens() {
    let mut sink = Sink::start();
    let probe = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sidecheck-sink"));
        command.arg("probe").args(arguments).stderr(Stdio::null()).status().unwrap().code()
    };
    let control = sink.control().to_str().unwrap().to_owned();
    let address = sink.address("syslog_tcp").to_string();
    assert_eq!((probe(&[&address]), probe(&["--control", &control])), (Some(0), Some(0)));
    sink.told(&["down"]);
    assert_eq!((probe(&[&address]), probe(&["--control", &control])), (Some(1), Some(0)), "down is not dead");
    sink.term();
    assert_eq!((probe(&[&address]), probe(&["--control", &control])), (Some(1), Some(1)));
    assert!(sink.records().is_empty(), "a probe is no message");
}

#[test]
fn a_store_that_fails_ends_the_sink() {
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("store");
    std::os::unix::fs::symlink("/dev/full", &store).unwrap();
    let mut process = Sink::command(&store).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let said: Value = serde_json::from_str(&line).unwrap();
    let address = said["listening"]["syslog_tcp"].as_str().unwrap();
    TcpStream::connect(address).unwrap().write_all(b"lost\n").unwrap();
    let output = process.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("/store") && said.contains("No space left"), "{said}");
}

#[test]
fn a_port_that_is_taken_is_said() {
    let sink = Sink::start();
    let dir = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sidecheck-sink"));
    let address = sink.address("forward").to_string();
    let output = command.args(["--forward", &address, "--store"]).arg(dir.path().join("store")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains(&format!("failed to listen on {address}")));
}
