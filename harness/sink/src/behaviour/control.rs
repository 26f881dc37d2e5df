//! The control socket: a Unix socket beside the store, one JSON line in, one out.
//!
//! It has nothing to do with the ports, so it works whatever the sink does to its senders.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::{Behaviour, Wish};

/// A request is a few dozen bytes; whoever sends more than this is not one of us.
const LONGEST: u64 = 4096;
/// One that connects and asks nothing is left.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Request {
    /// Whether it runs.
    Probe,
    /// To behave like this from now on.
    Behave(Behaviour),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answer {
    /// It runs, and this is what is in force.
    Runs { behaviour: Behaviour },
    /// It is in force since then, in nanoseconds of the wall clock.
    InForce { in_force_ns: u64, behaviour: Behaviour },
    /// It could not be done.
    Failed { why: String },
}

/// The listening end. Its file goes away with it.
#[derive(Debug)]
pub(crate) struct Control {
    listener: UnixListener,
    path: PathBuf,
}

impl Control {
    /// Takes the place of a socket that a killed sink has left.
    pub(crate) fn bind(path: &Path) -> std::io::Result<Self> {
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        Ok(Control { listener: UnixListener::bind(path)?, path: path.to_owned() })
    }

    /// Answers until `stop`.
    pub(crate) async fn serve(self, wishes: mpsc::Sender<Wish>, gate: super::Gate, stop: CancellationToken) {
        while let Some(accepted) = stop.run_until_cancelled(self.listener.accept()).await {
            let Ok((stream, _)) = accepted else {
                // Out of descriptors, for instance.
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            };
            let (wishes, gate, stop) = (wishes.clone(), gate.clone(), stop.clone());
            tokio::spawn(async move { stop.run_until_cancelled(answer(stream, &wishes, &gate)).await });
        }
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

async fn answer(mut stream: UnixStream, wishes: &mpsc::Sender<Wish>, gate: &super::Gate) {
    let mut line = String::new();
    let mut asked = BufReader::new((&mut stream).take(LONGEST));
    let read = timeout(PATIENCE, asked.read_line(&mut line)).await;
    if !matches!(read, Ok(Ok(1..))) {
        return;
    }
    let answer = match serde_json::from_str(&line) {
        Ok(Request::Probe) => Answer::Runs { behaviour: gate.behaviour() },
        Ok(Request::Behave(behaviour)) => behave(behaviour, wishes).await,
        Err(error) => Answer::Failed { why: format!("the request can't be understood: {error}") },
    };
    if let Ok(mut text) = serde_json::to_vec(&answer) {
        text.push(b'\n');
        // The asker may have gone away.
        let _ = stream.write_all(&text).await;
    }
}

async fn behave(behaviour: Behaviour, wishes: &mpsc::Sender<Wish>) -> Answer {
    let (done, told) = oneshot::channel();
    let sent = wishes.send(Wish { behaviour, done }).await.is_ok();
    match told.await {
        Ok(Ok(in_force_ns)) if sent => Answer::InForce { in_force_ns, behaviour },
        Ok(Err(why)) => Answer::Failed { why },
        _ => Answer::Failed { why: "the sink is ending".to_owned() },
    }
}

/// Asks a sink that runs.
///
/// # Errors
/// Nothing answers at that path within `limit`.
pub(crate) async fn ask(path: &Path, request: &Request, limit: Duration) -> anyhow::Result<Answer> {
    let asking = async {
        let mut stream = UnixStream::connect(path).await.context("failed to connect")?;
        let mut text = serde_json::to_vec(request)?;
        text.push(b'\n');
        stream.write_all(&text).await.context("failed to ask")?;
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).await.context("failed to read the answer")?;
        serde_json::from_str(&line).with_context(|| format!("failed to understand the answer {line:?}"))
    };
    let answer = timeout(limit, asking).await.with_context(|| format!("no answer for {limit:?}"));
    answer.and_then(|answer| answer).with_context(|| format!("the sink's control socket {}", path.display()))
}
