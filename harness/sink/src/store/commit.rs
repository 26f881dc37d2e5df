//! The store's thread: writes what has come, syncs once for all of it, then tells everyone who waits.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, oneshot};

use super::disk::Disk;

/// What nobody waits for is synced after so long at the latest,
const LONGEST: Duration = Duration::from_millis(100);
/// and as soon as nothing has come for so long.
const PAUSE: Duration = Duration::from_millis(10);
/// A write of so many bytes is not made larger, so that the first in it needn't wait for ever more.
const GROUP: usize = 4 << 20;

/// Lines that are stored together.
pub(super) struct Group {
    pub(super) lines: Vec<u8>,
    /// Their share of what may wait; given back once they are written.
    pub(super) held: OwnedSemaphorePermit,
    /// Told once they are durable.
    pub(super) durable: Option<oneshot::Sender<()>>,
}

/// Stores until the last sender is gone; everything is synced then.
pub(super) fn commit(mut disk: impl Disk, incoming: &Receiver<Group>) -> io::Result<()> {
    let mut text = Vec::new();
    let mut waiting = Vec::new();
    // When what has been written but not synced must be.
    let mut sync_by: Option<Instant> = None;
    loop {
        let first = match sync_by {
            None => incoming.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(at) => incoming.recv_timeout(at.saturating_duration_since(Instant::now()).min(PAUSE)),
        };
        let paused = match first {
            Ok(first) => {
                let mut held = Vec::new();
                let mut next = Some(first);
                while let Some(group) = next {
                    text.extend_from_slice(&group.lines);
                    held.push(group.held);
                    waiting.extend(group.durable);
                    next = if text.len() < GROUP { incoming.try_recv().ok() } else { None };
                }
                disk.append(&text)?;
                text.clear();
                text.shrink_to(GROUP);
                sync_by.get_or_insert_with(|| Instant::now() + LONGEST);
                false
            }
            Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => return if sync_by.is_some() { disk.sync() } else { Ok(()) },
        };
        if paused || !waiting.is_empty() || sync_by.is_some_and(|at| at <= Instant::now()) {
            disk.sync()?;
            sync_by = None;
            for waiter in waiting.drain(..) {
                // Whoever has broken off meanwhile is told nothing.
                let _ = waiter.send(());
            }
        }
    }
}
