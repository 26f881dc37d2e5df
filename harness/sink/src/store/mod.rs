//! The store: an append-only file of JSON lines, made durable in groups.

mod commit;
mod disk;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;

use self::commit::Group;
pub(crate) use self::disk::{Disk, open};
use crate::record::Batch;

/// Bytes that may wait for the disk; senders are held back beyond that.
const WAITING: usize = 64 << 20;

/// The way into the store, for as many protocols as there are.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    groups: Sender<Group>,
    room: Arc<Semaphore>,
}

/// The store has failed; its thread says why.
#[derive(Debug)]
pub(crate) struct Gone;

impl Store {
    /// Starts the thread. It ends, with everything synced, when the last [`Store`] is dropped.
    pub(crate) fn start(disk: impl Disk) -> (Self, JoinHandle<std::io::Result<()>>) {
        let (groups, incoming) = channel();
        let task = tokio::task::spawn_blocking(move || commit::commit(disk, &incoming));
        (Store { groups, room: Arc::new(Semaphore::new(WAITING)) }, task)
    }

    /// Hands over messages that are not acknowledged; waits while the disk is behind.
    pub(crate) async fn append(&self, batch: Batch) -> Result<(), Gone> {
        self.send(batch, None).await
    }

    /// Returns when the messages are durable.
    pub(crate) async fn commit(&self, batch: Batch) -> Result<(), Gone> {
        if batch.records == 0 {
            return Ok(());
        }
        let (durable, told) = oneshot::channel();
        self.send(batch, Some(durable)).await?;
        told.await.map_err(|_| Gone)
    }

    async fn send(&self, batch: Batch, durable: Option<oneshot::Sender<()>>) -> Result<(), Gone> {
        let bytes = u32::try_from(batch.lines.len().min(WAITING)).unwrap_or(u32::MAX);
        let held = self.room.clone().acquire_many_owned(bytes).await.map_err(|_| Gone)?;
        self.groups.send(Group { lines: batch.lines, held, durable }).map_err(|_| Gone)
    }
}
