//! The protocols of log agents.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A protocol that the sink receives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// Syslog over TCP (RFC 6587, both framings).
    SyslogTcp,
    /// Fluentd's forward protocol, version 1, with acknowledgements where the agent asks for them.
    Forward,
    /// JSON over HTTP: lines or an array of records in the body of a `POST`.
    HttpJson,
    /// Elasticsearch's `_bulk`.
    ElasticsearchBulk,
    /// OTLP logs over HTTP, in protobuf.
    OtlpHttp,
}

impl Protocol {
    /// The port on which the sink receives it: the protocol's usual one.
    pub const fn port(self) -> u16 {
        match self {
            Self::SyslogTcp => 5140,
            Self::Forward => 24224,
            Self::HttpJson => 8080,
            Self::ElasticsearchBulk => 9200,
            Self::OtlpHttp => 4318,
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SyslogTcp => "syslog_tcp",
            Self::Forward => "forward",
            Self::HttpJson => "http_json",
            Self::ElasticsearchBulk => "elasticsearch_bulk",
            Self::OtlpHttp => "otlp_http",
        })
    }
}
