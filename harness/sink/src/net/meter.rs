//! What a connection's bytes tell while they come: whether it is quiet, whether a message stays half.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::guess::TELLING;

/// After the stop, a connection that is silent for so long has nothing left in flight on its node.
const SILENCE: Duration = Duration::from_millis(200);
/// After the stop, a sender that goes on and on is left at last.
pub(crate) const LAST: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub(crate) struct Meter {
    first: OnceLock<Vec<u8>>,
    /// When this connection learned that the sink ends.
    ending: OnceLock<Instant>,
    times: Mutex<Times>,
}

#[derive(Debug)]
struct Times {
    /// When something was read last.
    read: Instant,
    /// Since when a message is incomplete.
    begun: Option<Instant>,
}

impl Meter {
    pub(super) fn new() -> Self {
        Meter { first: OnceLock::new(), ending: OnceLock::new(), times: Mutex::new(Times { read: Instant::now(), begun: None }) }
    }

    /// The beginning of what was read first.
    pub(crate) fn first(&self) -> &[u8] {
        self.first.get().map_or(&[], Vec::as_slice)
    }

    /// Bytes have come: a message begins, or goes on.
    pub(super) fn read(&self, bytes: &[u8]) {
        self.first.get_or_init(|| bytes[..bytes.len().min(TELLING)].to_owned());
        let now = Instant::now();
        self.with(|times| {
            times.read = now;
            times.begun.get_or_insert(now);
        });
    }

    /// A message is complete; `more` says whether a part of the next one is there.
    pub(crate) fn complete(&self, more: bool) {
        self.with(|times| times.begun = more.then(Instant::now));
    }

    /// Returns when a message has stayed incomplete for so long. A sender that pauses between messages is all right.
    pub(super) async fn stalled(&self, patience: Duration) {
        loop {
            let begun = self.with(|times| times.begun);
            // What begins after this look will not be late before the next one.
            sleep_until(begun.unwrap_or_else(Instant::now) + patience).await;
            if begun.is_some() && self.with(|times| times.begun) == begun {
                return;
            }
        }
    }

    /// Returns some silence after `stop`, when what has arrived has been read.
    pub(super) async fn quiet(&self, stop: &CancellationToken) {
        stop.cancelled().await;
        let begin = *self.ending.get_or_init(Instant::now);
        loop {
            // At least one silence from then: nobody may have looked for a while.
            let end = (self.with(|times| times.read).max(begin) + SILENCE).min(begin + LAST);
            if end <= Instant::now() {
                return;
            }
            sleep_until(end).await;
        }
    }

    fn with<T>(&self, act: impl FnOnce(&mut Times) -> T) -> T {
        act(&mut self.times.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
