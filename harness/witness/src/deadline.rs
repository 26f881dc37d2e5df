//! A limit for a whole exchange on a socket, where the system's own limits are for each step of it.

use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// When the exchange must be over.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(Instant);

impl Deadline {
    pub(crate) fn after(limit: Duration) -> Self {
        Deadline(Instant::now() + limit)
    }

    /// The time that is left, never zero.
    pub(crate) fn left(self) -> io::Result<Duration> {
        let left = self.0.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
    }

    /// Reads what comes next; 0 at the end.
    pub(crate) fn read(self, stream: &mut TcpStream, into: &mut [u8]) -> io::Result<usize> {
        loop {
            stream.set_read_timeout(Some(self.left()?))?;
            match stream.read(into) {
                // A signal, which is the main thread's business.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                outcome => return outcome,
            }
        }
    }

    /// Writes all of a text so short that the system takes it at once.
    pub(crate) fn write(self, stream: &mut TcpStream, text: &[u8]) -> io::Result<()> {
        stream.set_write_timeout(Some(self.left()?))?;
        stream.write_all(text)
    }
}
