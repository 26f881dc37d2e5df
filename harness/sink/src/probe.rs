//! The probe: does the sink run, or does it take connections?

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::behaviour::{Answer, Request, ask};

/// Less than the default timeout of an exec probe, so that this program says why and not the kubelet.
const LIMIT: Duration = Duration::from_millis(900);

/// Asks at the control socket, which answers whatever the sink does to its senders.
pub(crate) async fn control(path: &Path) -> anyhow::Result<()> {
    match ask(path, &Request::Probe, LIMIT).await? {
        Answer::Runs { .. } => Ok(()),
        other => anyhow::bail!("the sink answered {other:?}"),
    }
}

/// Connects to a port and closes. Fails when the sink has been told to be down.
pub(crate) async fn port(address: SocketAddr) -> anyhow::Result<()> {
    let connecting = timeout(LIMIT, TcpStream::connect(address));
    let connected = connecting.await.with_context(|| format!("{address} has not answered for {LIMIT:?}"))?;
    connected.map(drop).with_context(|| format!("failed to connect to {address}"))
}
