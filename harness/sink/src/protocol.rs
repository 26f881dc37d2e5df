//! What the sink speaks, and who speaks to it.

use std::net::SocketAddr;

use serde::Serialize;

/// A protocol that the sink receives. Each has a port of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Protocol {
    /// Syslog over TCP (RFC 6587, both framings).
    SyslogTcp,
    /// JSON objects in the body of a POST.
    HttpJson,
    /// Fluentd's forward protocol, version 1.
    Forward,
    /// Elasticsearch's bulk interface.
    Elasticsearch,
    /// The OpenTelemetry protocol over HTTP.
    OtlpHttp,
}

/// Where a message comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origin {
    /// What was spoken.
    pub(crate) protocol: Protocol,
    /// The sender's end of the connection.
    pub(crate) from: SocketAddr,
}
