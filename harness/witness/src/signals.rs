//! Waiting for SIGTERM or an instant, whichever comes first, without polling.

use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use signal_hook::consts::SIGTERM;

/// SIGTERM, as bytes in a pipe that the signal handler writes.
#[derive(Debug)]
pub(crate) struct Terms(UnixStream);

impl Terms {
    /// From now on SIGTERM no longer ends the process. As PID 1 this is what makes it arrive at all.
    pub(crate) fn catch() -> io::Result<Self> {
        let (read, write) = UnixStream::pair()?;
        signal_hook::low_level::pipe::register(SIGTERM, write)?;
        Ok(Terms(read))
    }

    /// Waits until SIGTERM arrives (true) or `until` is reached (false); without an instant, for SIGTERM alone.
    pub(crate) fn wait(&mut self, until: Option<Instant>) -> io::Result<bool> {
        loop {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let timeout = left.and_then(|left| Timespec::try_from(left).ok());
            match poll(&mut [PollFd::new(&self.0, PollFlags::IN)], timeout.as_ref()) {
                Ok(0) => return Ok(false),
                Ok(_) => {
                    // One byte for each SIGTERM: the next ones stay for the next wait.
                    self.0.read_exact(&mut [0])?;
                    return Ok(true);
                }
                // The signal itself interrupts the wait.
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}
