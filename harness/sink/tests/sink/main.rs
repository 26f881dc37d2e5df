//! The sink as a real process, over loopback, with clients that write their bytes by hand.
#![expect(clippy::unwrap_used, reason = "a test that can't go on may panic")]

mod bad_input;
mod behaviours;
mod durability;
mod elasticsearch;
mod forward;
mod http_json;
mod lifecycle;
mod otlp;
mod reported;
mod support;
mod syslog;
