//! The sink, on a processor of its own.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::param::clock_ticks_per_second;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use serde_json::Value;
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(120);

pub(super) struct Sink {
    process: Child,
    listening: Value,
    dir: TempDir,
}

impl Sink {
    /// The rest of the processors, if there are any, is for this thread and those that it starts from now on.
    pub(super) fn start_on_one_core() -> Self {
        let all = sched_getaffinity(None).unwrap();
        let core = (0..CpuSet::MAX_CPU).find(|core| all.is_set(*core)).unwrap();
        let (mut one, mut others) = (CpuSet::new(), all);
        one.set(core);
        others.unset(core);
        // A process starts where the thread that starts it may run.
        sched_setaffinity(None, &one).unwrap();
        let sink = Self::start();
        sched_setaffinity(None, if others.count() == 0 { &all } else { &others }).unwrap();
        sink
    }

    fn start() -> Self {
        // Beside the program, on a real disk: a folder for temporary files may be in memory.
        let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let mut process = Command::new(env!("CARGO_BIN_EXE_sidecheck-sink"))
            .args(["--syslog-tcp", "127.0.0.1:0", "--forward", "127.0.0.1:0", "--store"])
            .arg(dir.path().join("store"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).unwrap();
        Sink { process, listening: said["listening"].clone(), dir }
    }

    pub(super) fn connect(&self, protocol: &str) -> TcpStream {
        TcpStream::connect(self.listening[protocol].as_str().unwrap()).unwrap()
    }

    /// The store, once it has so many lines.
    pub(super) fn await_lines(&self, count: usize) -> String {
        let mut file = fs::File::open(self.dir.path().join("store")).unwrap();
        let begin = Instant::now();
        let (mut text, mut lines) = (Vec::new(), 0);
        loop {
            let seen = text.len();
            file.read_to_end(&mut text).unwrap();
            lines += memchr::memchr_iter(b'\n', &text[seen..]).count();
            if lines >= count {
                return String::from_utf8(text).unwrap();
            }
            assert!(begin.elapsed() < PATIENCE, "{lines} of {count} lines after {PATIENCE:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// What it has used so far, in all of its threads (proc(5), stat).
    pub(super) fn cpu_seconds(&self) -> f64 {
        let stat = self.proc("stat");
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        let ticks: u64 = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
        ticks as f64 / clock_ticks_per_second() as f64
    }

    pub(super) fn peak_kib(&self) -> u64 {
        let status = self.proc("status");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    fn proc(&self, file: &str) -> String {
        fs::read_to_string(format!("/proc/{}/{file}", self.process.id())).unwrap()
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
