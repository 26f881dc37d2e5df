//! What it receives, and where to.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use crate::protocol::Protocol;

/// Receives until SIGTERM, then takes in what has arrived already.
#[derive(Debug, Args)]
pub(crate) struct Receive {
    /// Where to listen for syslog over TCP (RFC 6587, both framings).
    #[arg(long, value_name = "IP:PORT")]
    pub(crate) syslog_tcp: Option<SocketAddr>,
    /// Where to listen for JSON objects or arrays of them, by HTTP POST.
    #[arg(long, value_name = "IP:PORT")]
    pub(crate) http_json: Option<SocketAddr>,
    /// Where to listen for Fluentd's forward protocol.
    #[arg(long, value_name = "IP:PORT")]
    pub(crate) forward: Option<SocketAddr>,
    /// Where to listen for Elasticsearch's bulk requests.
    #[arg(long, value_name = "IP:PORT")]
    pub(crate) elasticsearch: Option<SocketAddr>,
    /// Where to listen for the OpenTelemetry protocol over HTTP.
    #[arg(long, value_name = "IP:PORT")]
    pub(crate) otlp_http: Option<SocketAddr>,
    /// The file to append to, a JSON object for each message. What happens to the sink is in FILE.events.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: PathBuf,
    /// The Unix socket for `tell` and `probe`; FILE.control if not given.
    #[arg(long, value_name = "PATH")]
    pub(crate) control: Option<PathBuf>,
    /// How long a message may stay incomplete before its sender is reported.
    #[arg(long, value_name = "MS", default_value_t = 60_000)]
    pub(crate) patience_ms: u64,
}

impl Receive {
    /// The protocols that are asked for.
    pub(super) fn ports(&self) -> Vec<(Protocol, SocketAddr)> {
        [
            (Protocol::SyslogTcp, self.syslog_tcp),
            (Protocol::HttpJson, self.http_json),
            (Protocol::Forward, self.forward),
            (Protocol::Elasticsearch, self.elasticsearch),
            (Protocol::OtlpHttp, self.otlp_http),
        ]
        .into_iter()
        .filter_map(|(protocol, address)| Some((protocol, address?)))
        .collect()
    }

    pub(super) fn events(&self) -> PathBuf {
        beside(&self.store, ".events")
    }

    pub(super) fn control(&self) -> PathBuf {
        self.control.clone().unwrap_or_else(|| beside(&self.store, ".control"))
    }

    pub(super) fn patience(&self) -> Duration {
        Duration::from_millis(self.patience_ms)
    }
}

fn beside(store: &Path, suffix: &str) -> PathBuf {
    let mut path = OsString::from(store);
    path.push(suffix);
    path.into()
}
