//! The store: an append-only file of JSON lines, made durable in groups.

use std::io::SeekFrom;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use tokio::fs::{File, OpenOptions};
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _, AsyncWriteExt as _};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

use crate::record::Record;

/// No message waits longer for its sync.
const LONGEST: Duration = Duration::from_millis(100);
/// The input pauses when nothing has come for so long.
const PAUSE: Duration = Duration::from_millis(10);
/// Messages that may wait for the disk; senders are held back beyond that. At the limit of a message this is 64 MiB.
const WAITING: usize = 64;

/// The way into the store, for as many protocols as there are.
#[derive(Debug, Clone)]
pub(crate) struct Store(mpsc::Sender<Record>);

/// The store has failed; its task says why.
#[derive(Debug)]
pub(crate) struct Gone;

impl Store {
    /// Hands over a record; waits while the disk is behind.
    pub(crate) async fn append(&self, record: Record) -> Result<(), Gone> {
        self.0.send(record).await.map_err(|_| Gone)
    }
}

/// Opens the file for appending, and makes its folder when it is missing. The task ends, with everything synced, when the
/// last [`Store`] is dropped.
pub(crate) async fn open(path: &Path) -> anyhow::Result<(Store, JoinHandle<anyhow::Result<()>>)> {
    let file = append_to(path).await.with_context(|| format!("failed to open the store {}", path.display()))?;
    let (sender, receiver) = mpsc::channel(WAITING);
    let path = path.to_owned();
    let task = tokio::spawn(async move {
        keep(file, receiver).await.with_context(|| format!("failed to append to the store {}", path.display()))
    });
    Ok((Store(sender), task))
}

async fn append_to(path: &Path) -> std::io::Result<File> {
    if let Some(folder) = path.parent() {
        tokio::fs::create_dir_all(folder).await?;
    }
    let mut file = OpenOptions::new().append(true).read(true).create(true).open(path).await?;
    // A line that an earlier sink was killed in stays alone, rather than spoil the next one.
    if file.seek(SeekFrom::End(0)).await? > 0 {
        file.seek(SeekFrom::End(-1)).await?;
        if file.read_u8().await? != b'\n' {
            file.write_all(b"\n").await?;
        }
    }
    Ok(file)
}

async fn keep(mut file: File, mut incoming: mpsc::Receiver<Record>) -> std::io::Result<()> {
    let mut batch = Vec::with_capacity(WAITING);
    let mut text = Vec::new();
    // When what has been written but not synced must be.
    let mut sync_at: Option<Instant> = None;
    loop {
        let receive = incoming.recv_many(&mut batch, WAITING);
        let paused = if let Some(at) = sync_at {
            timeout_at(at.min(Instant::now() + PAUSE), receive).await.is_err()
        } else if receive.await == 0 {
            return Ok(());
        } else {
            false
        };
        if !batch.is_empty() {
            text.clear();
            for record in batch.drain(..) {
                serde_json::to_writer(&mut text, &record)?;
                text.push(b'\n');
            }
            file.write_all(&text).await?;
            file.flush().await?;
            sync_at.get_or_insert_with(|| Instant::now() + LONGEST);
        }
        let closed = incoming.is_closed() && incoming.is_empty();
        if paused || closed || sync_at.is_some_and(|at| at <= Instant::now()) {
            file.sync_data().await?;
            sync_at = None;
        }
    }
}
