//! How many lines a second the sink takes on one core: `cargo bench -p sidecheck-sink`.
//!
//! 20 connections, lines of 120 bytes; the sink has one processor to itself and the senders the others. Every line is looked
//! for in the store. Besides the rate by the clock there is the one by the sink's own CPU time, which a busy machine bends
//! less.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement that can't go on may panic, and is printed")]

mod senders;
mod sink;

use std::collections::HashMap;
use std::time::Instant;

use self::sink::Sink;

const CONNECTIONS: usize = 20;
/// By each connection.
const LINES: usize = 25_000;
const LINE_BYTES: usize = 120;
/// What is asked for, per second.
const WANTED: f64 = 50_000.0;

fn main() {
    // Other test runners start benchmarks to see what is in them.
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("run it with cargo bench");
        return;
    }
    measure("syslog over TCP", "syslog_tcp", senders::syslog);
    measure("forward, each chunk of 500 acknowledged", "forward", senders::forward);
}

/// `send`: delivers all lines of a connection; returns when the last one is acknowledged, or written if nothing is.
fn measure(name: &str, protocol: &str, send: fn(std::net::TcpStream, usize)) {
    let sink = Sink::start_on_one_core();
    let before = sink.cpu_seconds();
    let begin = Instant::now();
    std::thread::scope(|scope| {
        for connection in 0..CONNECTIONS {
            let stream = sink.connect(protocol);
            scope.spawn(move || send(stream, connection));
        }
    });
    let text = sink.await_lines(CONNECTIONS * LINES);
    let (wall, cpu) = (begin.elapsed().as_secs_f64(), sink.cpu_seconds() - before);
    verify(&text);
    let lines = (CONNECTIONS * LINES) as f64;
    let verdict = if lines / wall >= WANTED { "enough" } else { "TOO FEW" };
    println!(
        "{name}: {lines} lines from {CONNECTIONS} connections, none lost or twice: {:.0} lines/s ({verdict}; wanted {WANTED}), \
         {:.0} lines by second of CPU, {wall:.1} s, at most {} MiB",
        lines / wall,
        lines / cpu,
        sink.peak_kib() / 1024
    );
}

/// The line itself, without a header.
fn line(connection: usize, number: usize) -> String {
    let mut line = format!("{connection} {number} ");
    line.extend(std::iter::repeat_n('x', LINE_BYTES - line.len()));
    line
}

/// Each line is there, once and whole, those of a connection in order.
fn verify(text: &str) {
    let mut next: HashMap<usize, usize> = HashMap::new();
    for stored in text.lines() {
        let record: serde_json::Value = serde_json::from_str(stored).unwrap();
        let message = record["message"].as_str().unwrap();
        let connection = message.split(' ').next().unwrap().parse().unwrap();
        let number = next.entry(connection).or_default();
        assert_eq!(message, line(connection, *number));
        *number += 1;
    }
    assert_eq!(next.len(), CONNECTIONS);
    assert!(next.values().all(|lines| *lines == LINES));
}
