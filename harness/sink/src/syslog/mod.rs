//! Syslog over TCP.

mod connection;
mod framing;
mod message;

use std::io::Write as _;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::store::Store;

/// After the stop, connections that wait to be accepted have arrived already; this is for the kernel to hand them over.
const LAST_ACCEPT: Duration = Duration::from_millis(50);
/// Out of descriptors, for instance: others may end meanwhile.
const RETRY: Duration = Duration::from_millis(100);

/// Takes connections until `stop`, then ends as soon as what has arrived is with the store.
pub(crate) async fn serve(listener: TcpListener, store: Store, stop: CancellationToken) {
    let mut connections = JoinSet::new();
    let mut begin = |(stream, from): (TcpStream, SocketAddr)| {
        connections.spawn(connection::receive(stream, from, store.clone(), stop.clone()));
        // Finished ones would pile up otherwise; how they ended matters to nobody.
        while connections.try_join_next().is_some() {}
    };
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => begin(accepted),
                Err(error) => {
                    let _ = writeln!(std::io::stderr(), "sidecheck-sink: failed to accept a connection: {error}");
                    tokio::time::sleep(RETRY).await;
                }
            },
            () = stop.cancelled() => break,
        }
    }
    while let Ok(Ok(accepted)) = timeout(LAST_ACCEPT, listener.accept()).await {
        begin(accepted);
    }
    connections.join_all().await;
}
