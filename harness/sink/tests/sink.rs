//! The sink as a real process, over loopback.
#![expect(clippy::unwrap_used, reason = "a test that can't go on may panic")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

/// How long a step that does next to nothing may take on a loaded machine.
const SOON: Duration = Duration::from_secs(10);

struct Sink {
    process: Child,
    address: String,
    dir: TempDir,
}

impl Sink {
    fn start() -> Self {
        Self::start_in(tempfile::tempdir().unwrap())
    }

    fn start_in(dir: TempDir) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_sidecheck-sink"))
            .args(["--syslog-tcp", "127.0.0.1:0", "--store"])
            .arg(dir.path().join("sink/store"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).unwrap();
        Sink { process, address: said["listening"].as_str().unwrap().to_owned(), dir }
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.address).unwrap()
    }

    fn send(&self, bytes: &[u8]) {
        self.connect().write_all(bytes).unwrap();
    }

    fn store(&self) -> PathBuf {
        self.dir.path().join("sink/store")
    }

    fn records(&self) -> Vec<Value> {
        fs::read_to_string(self.store()).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn await_records(&self, count: usize) -> Vec<Value> {
        let end = Instant::now() + SOON;
        loop {
            let records = self.records();
            if records.len() >= count {
                return records;
            }
            assert!(Instant::now() < end, "{} of {count} records after {SOON:?}", records.len());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.process), signal).unwrap();
    }

    fn term(&mut self) -> ExitStatus {
        self.signal(Signal::TERM);
        self.process.wait().unwrap()
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn messages(records: &[Value]) -> Vec<&str> {
    records.iter().map(|record| record["message"].as_str().unwrap()).collect()
}

#[test]
fn both_framings_are_told_apart_for_each_connection() {
    let sink = Sink::start();
    sink.send(b"<13>1 - h a - - - one\n<13>1 - h a - - - two\n");
    sink.await_records(2);
    sink.send(b"23 <13>1 - h a - - - three23 <13>1 - h a - - - fo\nur");
    let records = sink.await_records(4);
    assert_eq!(messages(&records), ["one", "two", "three", "fo\nur"]);
    let first = &records[0];
    assert!(first["from"].as_str().unwrap().starts_with("127.0.0.1:"));
    assert!(first["received_ns"].as_u64().unwrap() > 1_600_000_000_000_000_000);
    assert_eq!((first.get("cut"), first.get("lossy")), (None, None));
}

#[test]
fn garbage_on_one_connection_is_kept_and_hurts_no_other() {
    let sink = Sink::start();
    let mut good = sink.connect();
    good.write_all(b"<13>1 - h a - - - be").unwrap();
    sink.send(&[&b"7 \xff\xfe\x00\x01"[..], &[0x80; 5000]].concat());
    sink.send(&vec![b'x'; (1 << 20) + 7]);
    sink.await_records(3);
    good.write_all(b"fore\n").unwrap();
    let records = sink.await_records(4);
    let whole: Vec<_> = records.iter().filter(|record| record.get("cut").is_none() && record.get("lossy").is_none()).collect();
    assert_eq!(whole.len(), 1);
    assert_eq!(whole[0]["message"], "before");
    assert!(records.iter().any(|record| record["lossy"] == true));
    assert!(records.iter().any(|record| record["cut"] == true && record["message"].as_str().unwrap().len() == 1 << 20));
}

#[test]
fn everything_that_arrived_before_a_term_is_stored() {
    let mut sink = Sink::start();
    let (senders, lines) = (4, 5000);
    std::thread::scope(|scope| {
        for sender in 0..senders {
            let mut connection = sink.connect();
            scope.spawn(move || {
                let lines: Vec<_> = (0..lines).map(|n| format!("<13>1 - h a - - - {sender} {n}\n")).collect();
                connection.write_all(lines.concat().as_bytes()).unwrap();
            });
        }
    });
    // The senders are done, so the kernel has it all, but not yet the sink.
    assert_eq!(sink.term().code(), Some(0));
    let records = sink.records();
    assert_eq!(records.len(), senders * lines);
    for sender in 0..senders {
        let begin = format!("{sender} ");
        let numbers: Vec<usize> =
            messages(&records).iter().filter_map(|message| message.strip_prefix(&begin)?.parse().ok()).collect();
        assert!(numbers.into_iter().eq(0..lines), "the lines of one sender must come in order");
    }
}

#[test]
fn an_idle_connection_does_not_hold_up_the_stop() {
    let mut sink = Sink::start();
    let _idle = sink.connect();
    let begin = Instant::now();
    assert_eq!(sink.term().code(), Some(0));
    assert!(begin.elapsed() < Duration::from_secs(2), "took {:?}", begin.elapsed());
}

#[test]
fn a_kill_leaves_what_was_stored_and_the_next_sink_goes_on() {
    let mut sink = Sink::start();
    sink.send(b"<13>1 - h a - - - one\n");
    sink.await_records(1);
    sink.signal(Signal::KILL);
    sink.process.wait().unwrap();
    fs::OpenOptions::new().append(true).open(sink.store()).unwrap().write_all(b"{\"torn").unwrap();
    let dir = std::mem::replace(&mut sink.dir, tempfile::tempdir().unwrap());

    let mut next = Sink::start_in(dir);
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
    let probe = |address: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sidecheck-sink"));
        command.args(["probe", address]).stderr(Stdio::null()).status().unwrap().code()
    };
    assert_eq!(probe(&sink.address), Some(0));
    let address = sink.address.clone();
    sink.term();
    assert_eq!(probe(&address), Some(1));
    assert!(sink.records().is_empty(), "a probe is no message");
}

#[test]
fn a_store_that_fails_ends_the_sink() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sidecheck-sink"));
    let mut process = command
        .args(["--syslog-tcp", "127.0.0.1:0", "--store", "/dev/full"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    if let Ok(said) = serde_json::from_str::<Value>(&line) {
        TcpStream::connect(said["listening"].as_str().unwrap()).unwrap().write_all(b"lost\n").unwrap();
    }
    let output = process.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/dev/full"));
}
