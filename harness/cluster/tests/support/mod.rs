//! What tests with servers of their own need.

use std::{
    fs::File,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

/// The project's folder.
pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// A server of one test, ended with it.
pub(crate) struct Daemon {
    child: Child,
    log: PathBuf,
}

impl Daemon {
    /// Starts a program that writes what it says to `log`.
    pub(crate) fn start(mut command: Command, log: PathBuf) -> Self {
        let file = File::create(&log).unwrap();
        command.stdin(Stdio::null()).stdout(file.try_clone().unwrap()).stderr(file);
        let child = command.spawn().unwrap_or_else(|error| panic!("failed to start {command:?}: {error}"));
        Self { child, log }
    }

    /// Waits until `ready` finds in its log what it looks for.
    pub(crate) fn wait<T>(&mut self, limit: Duration, ready: impl Fn(&str) -> Option<T>) -> T {
        let begin = Instant::now();
        loop {
            let said = std::fs::read_to_string(&self.log).unwrap();
            if let Some(found) = ready(&said) {
                return found;
            }
            if let Some(status) = self.child.try_wait().unwrap() {
                panic!("it ended ({status}):\n{said}");
            }
            assert!(begin.elapsed() < limit, "it is not ready after {} s:\n{said}", limit.as_secs());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Ends it: asks, waits for up to 20 s, and kills.
    pub(crate) fn stop(&mut self) {
        _ = kill_process(Pid::from_child(&self.child), Signal::TERM);
        let begin = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) {
            if begin.elapsed() > Duration::from_secs(20) {
                _ = self.child.kill();
                _ = self.child.wait();
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.stop();
    }
}
