//! A folder that stands for a node's evidence, and witness processes that run with it.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;
use tempfile::TempDir;

/// How long a process that does nothing but start or stop may take on a loaded machine.
pub(crate) const SOON: Duration = Duration::from_secs(10);

pub(crate) struct Node {
    dir: TempDir,
}

impl Node {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("evidence")).unwrap();
        File::create(dir.path().join("termination-log")).unwrap();
        Node { dir }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Tells containers something: makes a file, or makes it newer.
    pub(crate) fn tell(&self, file: &str) {
        let folder = self.path("evidence/tell");
        fs::create_dir_all(&folder).unwrap();
        File::create(folder.join(file)).unwrap().set_modified(SystemTime::now()).unwrap();
    }

    /// A command in container `name`; its stdout goes to a file of that name.
    pub(crate) fn command(&self, name: &str, args: &[&str]) -> Command {
        let mut command = witness(args);
        self.place(command.args(["--name", name]), name)
            .stdout(File::options().append(true).create(true).open(self.path(name)).unwrap());
        command
    }

    /// Puts a command into container `name`.
    pub(crate) fn place<'a>(&self, command: &'a mut Command, name: &str) -> &'a mut Command {
        command
            .env("POD_NAME", "web-0")
            .env("POD_UID", "c0ffee")
            .env("SIDECHECK_RUN", "r1")
            .env("SIDECHECK_EVIDENCE", self.path("evidence"))
            .env("SIDECHECK_READY", self.path(&format!("{name}.ready")))
            .env("SIDECHECK_TERMINATION_LOG", self.path("termination-log"))
    }

    pub(crate) fn start(&self, name: &str, args: &[&str]) -> Running {
        Running(self.command(name, args).spawn().unwrap())
    }

    /// Starts a container, and waits until it is ready.
    pub(crate) fn start_ready(&self, name: &str, args: &[&str]) -> Running {
        let running = self.start(name, args);
        self.await_act(name, "ready");
        running
    }

    /// Runs to the end; the exit code.
    pub(crate) fn finish(&self, name: &str, args: &[&str]) -> i32 {
        self.command(name, args).stderr(Stdio::null()).status().unwrap().code().unwrap()
    }

    /// The acts in the journal, in byte order.
    pub(crate) fn acts(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.path("evidence/witness.jsonl")).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).expect("every line must be JSON")).collect()
    }

    /// The names of the acts of one container.
    pub(crate) fn names(&self, container: &str) -> Vec<String> {
        let acts = self.acts();
        let own = acts.iter().filter(|act| act["container"] == container);
        own.map(|act| act["act"].as_str().unwrap().to_owned()).collect()
    }

    /// How often a container did something.
    pub(crate) fn count(&self, container: &str, act: &str) -> usize {
        self.names(container).iter().filter(|name| *name == act).count()
    }

    /// The names of the acts in the digest.
    pub(crate) fn digest(&self) -> Vec<String> {
        let digest: Value = serde_json::from_str(&fs::read_to_string(self.path("termination-log")).unwrap()).unwrap();
        digest["acts"].as_array().unwrap().iter().map(|act| act[0].as_str().unwrap().to_owned()).collect()
    }

    pub(crate) fn await_act(&self, container: &str, act: &str) {
        await_that(&format!("act {act} of {container}"), || self.names(container).iter().any(|name| name == act));
    }

    /// The producer's own count.
    pub(crate) fn produced(&self, container: &str, incarnation: u64) -> Produced {
        let text = fs::read_to_string(self.path(&format!("evidence/produced/c0ffee.{container}.{incarnation}"))).unwrap();
        let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let count = lines.next().unwrap();
        assert_eq!(count["run"], "r1");
        let number = |value: &Value| value.as_u64().unwrap();
        let mut marks: Vec<(u64, u64)> = lines.map(|mark| (number(&mark["lines"]), number(&mark["wall_ns"]))).collect();
        marks.sort_unstable();
        let tag = count["tag"].as_str().unwrap().to_owned();
        Produced { lines: number(&count["lines"]), begun: number(&count["begun"]), tag, marks }
    }
}

/// What a producer counted.
#[derive(Debug)]
pub(crate) struct Produced {
    pub(crate) lines: u64,
    /// The last line that it began to write.
    pub(crate) begun: u64,
    pub(crate) tag: String,
    /// Lines and nanoseconds, in their order.
    pub(crate) marks: Vec<(u64, u64)>,
}

/// The program without a container around it.
pub(crate) fn witness(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sidecheck-witness"));
    command.args(args);
    command
}

/// A port that nobody listens on. Below those that the system gives to connections, and begun with another one in each test.
pub(crate) fn free_port() -> u16 {
    let first = u16::try_from(std::process::id() % 10_000).unwrap() + 20_000;
    (first..32_000).find(|port| TcpListener::bind(("0.0.0.0", *port)).is_ok()).unwrap()
}

/// A process that does not outlive its test.
pub(crate) struct Running(Child);

impl Running {
    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        rustix::process::kill_process(rustix::process::Pid::from_child(&self.0), signal).unwrap();
    }

    pub(crate) fn term(&self) {
        self.signal(rustix::process::Signal::TERM);
    }

    /// Asks it to stop, and expects that it ends with 0.
    #[track_caller]
    pub(crate) fn stop(self) {
        self.term();
        assert_eq!(self.end().code(), Some(0));
    }

    pub(crate) fn end(mut self) -> ExitStatus {
        let mut status = None;
        await_that("end of the process", || {
            status = self.0.try_wait().unwrap();
            status.is_some()
        });
        status.unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) fn await_that(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + SOON;
    while !holds() {
        assert!(Instant::now() < end, "waited {SOON:?} for: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}
