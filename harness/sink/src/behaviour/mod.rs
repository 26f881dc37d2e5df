//! How the sink behaves: on request, while it runs.

mod control;
mod director;
mod gate;

use std::num::NonZeroU32;

use clap::Subcommand;
use serde::{Deserialize, Serialize};

pub(crate) use self::control::{Answer, Control, Request, ask};
pub(crate) use self::director::{Director, Wish};
pub(crate) use self::gate::{Gate, Refusal};

/// What the sink does to its senders, the same on all ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Subcommand)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Behaviour {
    /// Takes in and acknowledges as fast as it can.
    Normal,
    /// Takes its time. Syslog has no acknowledgement: there, each message is taken in so much later, and a sender meets a
    /// connection that doesn't drain.
    Slow {
        /// So long after it is durable a delivery is acknowledged.
        #[arg(long, default_value_t = 0)]
        delay_ms: u64,
        /// No more records a second than this, all senders together.
        #[arg(long)]
        per_second: Option<NonZeroU32>,
    },
    /// Closes its ports and resets all connections, until another behaviour is asked for.
    Down,
    /// Up and down in turn, beginning with down.
    Flapping {
        /// How long it takes connections.
        #[arg(long, default_value_t = 5000)]
        up_ms: u64,
        /// How long it is down.
        #[arg(long, default_value_t = 5000)]
        down_ms: u64,
    },
    /// Is there and takes nothing: HTTP gets the status as an answer to each delivery, the other protocols get their
    /// connections reset.
    Refusing {
        /// 429 or 5xx.
        #[arg(long, default_value_t = 503, value_parser = clap::value_parser!(u16).range(400..=599))]
        status: u16,
        /// Seconds in a Retry-After header; none without it.
        #[arg(long)]
        retry_after_s: Option<u32>,
    },
}

/// What the ports do, seen from a sender that connects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Connections are served.
    Open,
    /// Protocols that can't say no get their connections reset.
    Refusing,
    /// Nothing listens.
    Closed,
}

impl Behaviour {
    /// What the ports do when it begins.
    pub(crate) fn access(self) -> Access {
        match self {
            Behaviour::Normal | Behaviour::Slow { .. } => Access::Open,
            Behaviour::Refusing { .. } => Access::Refusing,
            Behaviour::Down | Behaviour::Flapping { .. } => Access::Closed,
        }
    }
}
