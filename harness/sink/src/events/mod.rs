//! The events file, beside the store: what the sink was asked to do and which senders misbehaved, for the judge.
//!
//! JSON lines: `{"at_ns": ..., "event": ..., ...}`, written as things happen. It is not part of what is acknowledged, so no
//! line waits for the disk.

mod limiter;

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio_util::sync::CancellationToken;

use self::limiter::{Limiter, Report};
use crate::behaviour::Behaviour;
use crate::protocol::{Origin, Protocol};
use crate::record::now_ns;

/// How often counts that were held back are looked at.
const TICK: Duration = Duration::from_secs(1);

/// What a sender did wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Trouble {
    /// It speaks something else than the port does.
    WrongProtocol,
    /// The protocol's, but not to be understood.
    Malformed,
    /// It asks for what there isn't.
    UnknownRequest,
    /// A message or a body above the limit.
    TooLong,
    /// The connection ended inside a message.
    BrokenOff,
    /// It began a message and doesn't go on.
    Stalled,
    /// More connections than one sender may have.
    TooManyConnections,
    /// All senders together hold more than the sink has room for.
    NoRoom,
    /// The sink's own mistake, over what this sender sent.
    Crashed,
}

/// What happened.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum Happening<'a> {
    /// It listens on all of its ports.
    Started { listening: &'a BTreeMap<Protocol, SocketAddr> },
    /// It was told to end, and what had arrived is with the store.
    Stopped,
    /// A behaviour came into force at `at_ns`; between `asked_ns` and then it was on its way.
    Behaviour { asked_ns: u64, behaviour: Behaviour },
    /// The ports went away or came back, as part of a behaviour.
    Reachable { up: bool },
    /// A behaviour could not be brought about.
    Failed { asked_ns: u64, behaviour: Behaviour, why: &'a str },
    /// A sender did this, `count` times since it was reported last; address and text are of the last time.
    Trouble { protocol: Protocol, from: SocketAddr, trouble: Trouble, what: &'a str, count: u64 },
}

#[derive(Debug, Serialize)]
struct Entry<'a> {
    at_ns: u64,
    #[serde(flatten)]
    happening: Happening<'a>,
}

/// The way into the file.
#[derive(Debug, Clone)]
pub(crate) struct Events(Arc<Mutex<Inner>>);

#[derive(Debug)]
struct Inner {
    file: File,
    limiter: Limiter,
}

impl Events {
    /// Opens the file for appending.
    pub(crate) fn open(path: &Path) -> std::io::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        Ok(Events(Arc::new(Mutex::new(Inner { file, limiter: Limiter::default() }))))
    }

    pub(crate) fn note(&self, happening: Happening<'_>) {
        self.with(|inner| inner.write(happening));
    }

    /// Reports a sender: at once, or in a count later when it has just been reported for the same.
    pub(crate) fn trouble(&self, origin: Origin, trouble: Trouble, what: impl Into<String>) {
        self.with(|inner| {
            if let Some(report) = inner.limiter.add(origin, trouble, what.into(), Instant::now()) {
                inner.report(&report);
            }
        });
    }

    /// Writes counts as they become due, and what is left of them at the end.
    pub(crate) async fn keep_counts(self, stop: CancellationToken) {
        while stop.run_until_cancelled(tokio::time::sleep(TICK)).await.is_some() {
            self.with(|inner| {
                for report in inner.limiter.due(Instant::now()) {
                    inner.report(&report);
                }
            });
        }
    }

    /// The last line, after all counts.
    pub(crate) fn stopped(&self) {
        self.with(|inner| {
            for report in inner.limiter.rest() {
                inner.report(&report);
            }
            inner.write(Happening::Stopped);
        });
    }

    fn with(&self, act: impl FnOnce(&mut Inner)) {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Inner {
    fn report(&mut self, Report { protocol, from, trouble, what, count }: &Report) {
        let (protocol, from, trouble, count) = (*protocol, *from, *trouble, *count);
        self.write(Happening::Trouble { protocol, from, trouble, what, count });
    }

    fn write(&mut self, happening: Happening<'_>) {
        let entry = Entry { at_ns: now_ns(), happening };
        let written = serde_json::to_vec(&entry).map_err(std::io::Error::from).and_then(|mut line| {
            line.push(b'\n');
            self.file.write_all(&line)
        });
        if let Err(error) = written {
            // Messages still count: a disk that is full ends the sink by way of the store.
            let _ = writeln!(std::io::stderr(), "sidecheck-sink: failed to write the event {entry:?}: {error}");
        }
    }
}
