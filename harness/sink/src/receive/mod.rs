//! The sink as a whole: ports, store, events and control, from start to end.

mod options;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use rustix::process::{Resource, getrlimit, setrlimit};
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, JoinSet};
use tokio_util::sync::CancellationToken;

pub(crate) use self::options::Receive;
use crate::behaviour::{Control, Director, Gate};
use crate::events::{Events, Happening};
use crate::net::{Port, Room};
use crate::protocol::Protocol;
use crate::shared::Shared;
use crate::store::{Disk, Store};

/// A sink that takes connections.
pub(crate) struct Sink {
    /// Where, for each protocol.
    pub(crate) listening: BTreeMap<Protocol, SocketAddr>,
    /// For `tell` and `probe`.
    pub(crate) control: PathBuf,
    events: Events,
    storing: JoinHandle<std::io::Result<()>>,
    /// Everything that holds the store.
    tasks: JoinSet<()>,
    stop: CancellationToken,
}

impl Sink {
    /// Listens on all ports before the first message is taken in.
    ///
    /// # Errors
    /// No port is asked for, one can't be had, or a file can't be opened.
    pub(crate) async fn start(options: &Receive, disk: impl Disk) -> anyhow::Result<Self> {
        let ports = options.ports();
        anyhow::ensure!(!ports.is_empty(), "no protocol to receive: give --syslog-tcp or another of them, see --help");
        more_descriptors();
        let events = options.events();
        let events = Events::open(&events).with_context(|| format!("failed to open the events file {}", events.display()))?;
        let mut listeners = Vec::new();
        for (protocol, address) in ports {
            listeners.push((protocol, Port::open(protocol, address).await?));
        }
        let listening = listeners.iter().map(|(protocol, (address, _))| (*protocol, *address)).collect();
        let path = options.control();
        let control = Control::bind(&path).with_context(|| format!("failed to open the control socket {}", path.display()))?;
        events.note(Happening::Started { listening: &listening });

        let stop = CancellationToken::new();
        let gate = Gate::new(stop.clone());
        let (store, storing) = Store::start(disk);
        let shared = Arc::new(Shared {
            store,
            events: events.clone(),
            gate: gate.clone(),
            room: Room::new(),
            patience: options.patience(),
            stop: stop.clone(),
        });
        let mut tasks = JoinSet::new();
        let mut ports = Vec::new();
        for (protocol, listener) in listeners {
            let (port, serving) = Port::serve(protocol, listener, shared.clone());
            ports.push(port);
            tasks.spawn(serving);
        }
        let (wish, wishes) = mpsc::channel(1);
        let director = Director { gate: gate.clone(), ports, events: events.clone() };
        tasks.spawn(director.direct(wishes, stop.clone()));
        tasks.spawn(control.serve(wish, gate, stop.clone()));
        tasks.spawn(events.clone().keep_counts(stop.clone()));
        Ok(Sink { listening, control: path, events, storing, tasks, stop })
    }

    /// Returns when the store has failed, with the reason.
    pub(crate) async fn failed(&mut self) -> anyhow::Error {
        match (&mut self.storing).await {
            Ok(Err(error)) => error.into(),
            Ok(Ok(())) => anyhow::anyhow!("it ended before the sink did"),
            Err(error) => error.into(),
        }
    }

    /// Takes in what has arrived, and returns when all of it is durable.
    pub(crate) async fn end(mut self) -> anyhow::Result<()> {
        self.stop.cancel();
        while let Some(ended) = self.tasks.join_next().await {
            ended.context("a task of the sink died")?;
        }
        // The store ends by itself: nobody holds it any more.
        self.storing.await.context("the store's thread died")??;
        self.events.stopped();
        Ok(())
    }
}

/// As many descriptors as the system gives: a sender with thousands of connections must not lock the others out. With fewer,
/// the sink works too.
fn more_descriptors() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    let _ = setrlimit(Resource::Nofile, limit);
}
