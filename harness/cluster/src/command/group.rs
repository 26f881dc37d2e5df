//! A running program and its children.

use std::{process::Stdio, time::Duration};

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use tokio::process::Child;

use super::Command;

/// How long a program may take to clean up after TERM before it is killed.
const PATIENCE: Duration = Duration::from_secs(5);

/// A running program in a process group of its own, so that its children can be reached, and so that Ctrl-C at a
/// terminal reaches only the harness, which then decides what to stop.
pub(super) struct Group {
    pub(super) child: Child,
    id: Option<Pid>,
    /// Nothing is left of it that would have to be stopped.
    pub(super) ended: bool,
}

impl Group {
    pub(super) fn start(command: &Command) -> std::io::Result<Self> {
        let mut started = tokio::process::Command::new(&command.program);
        started.args(&command.arguments).envs(command.variables.iter().map(|(name, value)| (name, value)));
        started.stdin(if command.input.is_empty() { Stdio::null() } else { Stdio::piped() });
        started.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        if let Some(folder) = &command.folder {
            started.current_dir(folder);
        }
        let child = started.spawn()?;
        let id = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        Ok(Self { child, id, ended: false })
    }

    /// Asks the group to end, waits a little, then kills it.
    pub(super) async fn stop(&mut self) {
        self.signal(Signal::TERM);
        if tokio::time::timeout(PATIENCE, self.child.wait()).await.is_err() {
            self.signal(Signal::KILL);
            _ = self.child.wait().await;
        }
        // Children of it that ignored TERM.
        self.signal(Signal::KILL);
        self.ended = true;
    }

    fn signal(&self, signal: Signal) {
        if let Some(id) = self.id {
            _ = kill_process_group(id, signal);
        }
    }
}

impl Drop for Group {
    /// The future was dropped: what it ran must not go on. The thread outlives neither the group nor this process.
    fn drop(&mut self) {
        let (false, Some(id)) = (self.ended, self.id) else { return };
        self.signal(Signal::TERM);
        std::thread::spawn(move || {
            let mut left = PATIENCE;
            let pause = Duration::from_millis(50);
            while !left.is_zero() && test_kill_process_group(id).is_ok() {
                std::thread::sleep(pause);
                left = left.saturating_sub(pause);
            }
            _ = kill_process_group(id, Signal::KILL);
        });
    }
}
