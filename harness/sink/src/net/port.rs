//! One listening port, which can go away and come back.

use std::collections::HashMap;
use std::io::Write as _;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::Connection;
use crate::behaviour::Access;
use crate::events::Trouble;
use crate::protocol::{Origin, Protocol};
use crate::shared::Shared;

/// After the stop, connections that wait to be accepted have arrived already; this is for the kernel to hand them over.
const LAST_ACCEPT: Duration = Duration::from_millis(50);
/// Out of descriptors, for instance: others may end meanwhile.
const RETRY: Duration = Duration::from_millis(100);
/// After the stop, connections end by themselves within two seconds and a sync; the pod has ten in all.
const ENDED_BY: Duration = Duration::from_secs(5);
/// Connections of one sender on one port. No agent needs so many.
const OF_ONE_SENDER: usize = 4096;

type Change = (Access, oneshot::Sender<Result<(), String>>);

/// The way to tell a port what to do.
#[derive(Debug)]
pub(crate) struct Port(mpsc::Sender<Change>);

impl Port {
    /// Listens.
    ///
    /// # Errors
    /// The address can't be had.
    pub(crate) async fn open(protocol: Protocol, address: SocketAddr) -> anyhow::Result<(SocketAddr, TcpListener)> {
        let listener = TcpListener::bind(address).await;
        let listener = listener.with_context(|| format!("failed to listen on {address} for {protocol:?}"))?;
        Ok((listener.local_addr().context("failed to read the address that was bound")?, listener))
    }

    /// Takes connections. The future ends after `shared.stop`, as soon as what has arrived is with the store.
    pub(crate) fn serve(
        protocol: Protocol,
        (address, listener): (SocketAddr, TcpListener),
        shared: Arc<Shared>,
    ) -> (Self, impl Future<Output = ()> + Send) {
        let (changes, changing) = mpsc::channel(1);
        let serving = Serving {
            protocol,
            address,
            listener: Some(listener),
            access: Access::Open,
            reset: CancellationToken::new(),
            connections: JoinSet::new(),
            counts: HashMap::new(),
            shared,
        };
        (Port(changes), serving.run(changing))
    }

    /// Returns when it is so: when the port is closed, all of its connections have been reset.
    pub(crate) async fn set(&self, access: Access) -> Result<(), String> {
        let (done, told) = oneshot::channel();
        let ending = || "the sink is ending".to_owned();
        self.0.send((access, done)).await.map_err(|_| ending())?;
        told.await.map_err(|_| ending())?
    }
}

struct Serving {
    protocol: Protocol,
    address: SocketAddr,
    /// None while it is closed.
    listener: Option<TcpListener>,
    access: Access,
    /// Resets the connections of now.
    reset: CancellationToken,
    connections: JoinSet<IpAddr>,
    /// How many there are by sender.
    counts: HashMap<IpAddr, usize>,
    shared: Arc<Shared>,
}

impl Serving {
    async fn run(mut self, mut changes: mpsc::Receiver<Change>) {
        let stop = self.shared.stop.clone();
        loop {
            let accept = async {
                match &self.listener {
                    Some(listener) => listener.accept().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = stop.cancelled() => break,
                Some((access, done)) = changes.recv() => {
                    // Whoever asked may have gone away.
                    let _ = done.send(self.set(access).await);
                }
                Some(ended) = self.connections.join_next() => self.ended(ended),
                accepted = accept => match accepted {
                    Ok(accepted) => self.begin(accepted),
                    Err(error) => {
                        let _ = writeln!(std::io::stderr(), "sidecheck-sink: failed to accept a connection: {error}");
                        tokio::time::sleep(RETRY).await;
                    }
                },
            }
        }
        if let Some(listener) = self.listener.take() {
            while let Ok(Ok(accepted)) = timeout(LAST_ACCEPT, listener.accept()).await {
                self.begin(accepted);
            }
        }
        let all = async { while self.connections.join_next().await.is_some() {} };
        if timeout(ENDED_BY, all).await.is_err() {
            let _ = writeln!(std::io::stderr(), "sidecheck-sink: connections on {} have not ended", self.address);
        }
    }

    fn begin(&mut self, (tcp, from): (TcpStream, SocketAddr)) {
        let origin = Origin { protocol: self.protocol, from };
        let connection = Connection::new(origin, self.shared.clone(), self.reset.child_token());
        let streams = matches!(self.protocol, Protocol::SyslogTcp | Protocol::Forward);
        let count = self.counts.entry(from.ip()).or_default();
        let too_many = *count >= OF_ONE_SENDER;
        if too_many {
            connection.trouble(Trouble::TooManyConnections, format!("it has {OF_ONE_SENDER} connections to this port"));
        }
        if too_many || (streams && self.access == Access::Refusing) {
            connection.reset();
        }
        *count += 1;
        self.connections.spawn(async move {
            connection.serve(tcp).await;
            from.ip()
        });
    }

    fn ended(&mut self, ended: Result<IpAddr, tokio::task::JoinError>) {
        match ended {
            Ok(from) => {
                if let Some(count) = self.counts.get_mut(&from) {
                    *count -= 1;
                    if *count == 0 {
                        self.counts.remove(&from);
                    }
                }
            }
            Err(error) => {
                let unknown = Origin { protocol: self.protocol, from: self.address };
                self.shared.events.trouble(unknown, Trouble::Crashed, error.to_string());
            }
        }
    }

    async fn set(&mut self, access: Access) -> Result<(), String> {
        if access == self.access {
            return Ok(());
        }
        if access == Access::Closed {
            self.listener = None;
        } else if self.listener.is_none() {
            let listener = TcpListener::bind(self.address).await;
            self.listener = Some(listener.map_err(|error| format!("failed to listen again on {}: {error}", self.address))?);
        }
        self.access = access;
        let streams = matches!(self.protocol, Protocol::SyslogTcp | Protocol::Forward);
        if access == Access::Closed || (access == Access::Refusing && streams) {
            std::mem::take(&mut self.reset).cancel();
            while let Some(ended) = self.connections.join_next().await {
                self.ended(ended);
            }
        }
        Ok(())
    }
}
