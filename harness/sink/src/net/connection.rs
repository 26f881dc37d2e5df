//! One connection, as its protocol gets it.

use std::sync::Arc;

use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

pub(crate) use super::meter::LAST;
use super::{Meter, Stream};
use crate::events::Trouble;
use crate::protocol::{Origin, Protocol};
use crate::shared::Shared;
use crate::{forward, http, syslog};

/// All but the stream itself.
#[derive(Debug, Clone)]
pub(crate) struct Connection {
    pub(crate) origin: Origin,
    pub(crate) shared: Arc<Shared>,
    pub(crate) meter: Arc<Meter>,
    /// Ends this connection in a reset.
    reset: CancellationToken,
}

impl Connection {
    pub(super) fn new(origin: Origin, shared: Arc<Shared>, reset: CancellationToken) -> Self {
        Connection { origin, shared, meter: Arc::new(Meter::new()), reset }
    }

    /// Serves it until it ends, is reset, or the sink ends.
    pub(super) async fn serve(self, tcp: TcpStream) {
        // Acknowledgements are small, and senders wait for them.
        let _ = tcp.set_nodelay(true);
        let stream = Stream::new(tcp, self.meter.clone(), self.reset.clone());
        let reset = self.reset.clone();
        let serving = async {
            match self.origin.protocol {
                Protocol::SyslogTcp => syslog::serve(&self, stream).await,
                Protocol::Forward => forward::serve(&self, stream).await,
                Protocol::HttpJson | Protocol::Elasticsearch | Protocol::OtlpHttp => http::serve(&self, stream).await,
            }
        };
        tokio::select! {
            biased;
            // Dropping what serves it drops the stream, which knows that this is a reset.
            () = reset.cancelled() => {}
            () = serving => {}
            () = self.watch() => {}
        }
    }

    /// Reports a sender that doesn't go on. A stream stays open: its sender may be paused, and what it has sent is not
    /// acknowledged. A request over HTTP has had its time, and its sender will try again.
    async fn watch(&self) {
        self.meter.stalled(self.shared.patience).await;
        let patience = self.shared.patience;
        self.trouble(Trouble::Stalled, format!("it began a message and has not completed it for {patience:?}"));
        if matches!(self.origin.protocol, Protocol::SyslogTcp | Protocol::Forward) {
            std::future::pending::<()>().await;
        }
    }

    /// Returns when the sink ends and this connection has nothing left in flight.
    pub(crate) async fn quiet(&self) {
        self.meter.quiet(&self.shared.stop).await;
    }

    /// Lets the connection end in a reset.
    pub(crate) fn reset(&self) {
        self.reset.cancel();
    }

    pub(crate) fn trouble(&self, trouble: Trouble, what: impl Into<String>) {
        self.shared.events.trouble(self.origin, trouble, what);
    }
}
