//! The probe: does the sink take connections?

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context as _;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Less than the default timeout of an exec probe, so that this program says why and not the kubelet.
const LIMIT: Duration = Duration::from_millis(900);

/// Connects and closes.
pub(crate) async fn probe(address: SocketAddr) -> anyhow::Result<()> {
    let connecting = timeout(LIMIT, TcpStream::connect(address));
    let connected = connecting.await.with_context(|| format!("{address} has not answered for {LIMIT:?}"))?;
    connected.map(drop).with_context(|| format!("failed to connect to {address}"))
}
