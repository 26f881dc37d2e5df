//! The process.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

/// How long a step that does next to nothing may take on a loaded machine.
pub(crate) const SOON: Duration = Duration::from_secs(20);

/// All protocols, as stdout and the records name them.
pub(crate) const ALL: [&str; 5] = ["syslog_tcp", "http_json", "forward", "elasticsearch", "otlp_http"];

pub(crate) struct Sink {
    pub(crate) process: Child,
    listening: Value,
    dir: TempDir,
}

impl Sink {
    pub(crate) fn start() -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), &[])
    }

    pub(crate) fn start_in(dir: TempDir, more: &[&str]) -> Self {
        let mut command = Self::command(&store(dir.path()));
        let mut process = command.args(more).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).unwrap();
        Sink { process, listening: said["listening"].clone(), dir }
    }

    /// All protocols, on any port.
    pub(crate) fn command(store: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sidecheck-sink"));
        for protocol in ALL {
            command.arg(format!("--{}", protocol.replace('_', "-"))).arg("127.0.0.1:0");
        }
        command.arg("--store").arg(store);
        command
    }

    /// Kills it and starts another on the same store.
    pub(crate) fn killed(mut self) -> Self {
        self.signal(Signal::KILL);
        self.process.wait().unwrap();
        Self::start_in(std::mem::replace(&mut self.dir, tempfile::tempdir().unwrap()), &[])
    }

    pub(crate) fn address(&self, protocol: &str) -> SocketAddr {
        self.listening[protocol].as_str().unwrap().parse().unwrap()
    }

    pub(crate) fn connect(&self, protocol: &str) -> TcpStream {
        let stream = TcpStream::connect(self.address(protocol)).unwrap();
        stream.set_read_timeout(Some(SOON)).unwrap();
        stream
    }

    /// Sends syslog, and closes.
    pub(crate) fn send(&self, bytes: &[u8]) {
        self.connect("syslog_tcp").write_all(bytes).unwrap();
    }

    pub(crate) fn store(&self) -> PathBuf {
        store(self.dir.path())
    }

    pub(crate) fn control(&self) -> PathBuf {
        self.dir.path().join("sink/store.control")
    }

    pub(crate) fn records(&self) -> Vec<Value> {
        lines(&self.store())
    }

    pub(crate) fn events(&self) -> Vec<Value> {
        lines(&self.dir.path().join("sink/store.events"))
    }

    pub(crate) fn await_records(&self, count: usize) -> Vec<Value> {
        await_lines("records", || Some(self.records()).filter(|records| records.len() >= count))
    }

    /// Waits until a sender is reported for it on that port.
    pub(crate) fn await_trouble(&self, protocol: &str, trouble: &str) -> Value {
        await_lines(&format!("{trouble} on {protocol}"), || {
            self.events().into_iter().find(|event| event["protocol"] == protocol && event["trouble"] == trouble)
        })
    }

    pub(crate) fn await_event(&self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        await_lines(what, || self.events().into_iter().find(&wanted))
    }

    pub(crate) fn tell(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sidecheck-sink"));
        command.arg("tell").args(words).arg("--control").arg(self.control()).output().unwrap()
    }

    /// Tells it, and returns since when it is in force.
    pub(crate) fn told(&self, words: &[&str]) -> u64 {
        let output = self.tell(words);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        said["in_force"]["in_force_ns"].as_u64().unwrap()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.process), signal).unwrap();
    }

    pub(crate) fn term(&mut self) -> ExitStatus {
        self.signal(Signal::TERM);
        self.process.wait().unwrap()
    }

    /// The most memory that it has had, in KiB.
    pub(crate) fn peak_kib(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn store(dir: &Path) -> PathBuf {
    dir.join("sink/store")
}

/// The lines of a file that are complete.
fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let complete = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    complete.map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn await_lines<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    let end = Instant::now() + SOON;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "no {what} within {SOON:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

pub(crate) fn messages(records: &[Value]) -> Vec<&str> {
    records.iter().map(|record| record["message"].as_str().unwrap()).collect()
}
