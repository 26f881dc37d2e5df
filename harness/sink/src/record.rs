//! What is kept of messages.

use std::borrow::Cow;
use std::net::SocketAddr;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

use crate::protocol::{Origin, Protocol};

/// The longest message; what is longer is cut. Producers write lines of up to 1 MiB, and agents put more around them.
pub(crate) const MESSAGE_LIMIT: usize = 4 << 20;

/// One received message; one line of the store.
#[derive(Debug, Serialize)]
struct Record<'a> {
    /// When it was complete here, in nanoseconds of the wall clock.
    received_ns: u64,
    /// The sender.
    from: SocketAddr,
    protocol: Protocol,
    /// The text that the sender wanted to deliver, without the protocol's header.
    message: &'a str,
    /// Bytes that were no UTF-8 have been replaced.
    #[serde(skip_serializing_if = "is_false")]
    lossy: bool,
    /// The end is missing: too long, or the connection ended inside it.
    #[serde(skip_serializing_if = "is_false")]
    cut: bool,
}

/// Messages of one sender that are stored, and acknowledged, together.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) origin: Origin,
    /// Lines of the store.
    pub(super) lines: Vec<u8>,
    pub(crate) records: usize,
    /// How many were too long.
    pub(crate) too_long: usize,
}

impl Batch {
    pub(crate) fn new(origin: Origin) -> Self {
        Self { origin, lines: Vec::new(), records: 0, too_long: 0 }
    }

    /// Adds a message that has just arrived; `lossy`: bytes of it have been replaced.
    pub(crate) fn add(&mut self, message: &str, lossy: bool) {
        self.push(message, lossy, false);
    }

    /// Adds a message of which the end is missing.
    pub(crate) fn add_cut(&mut self, message: &str, lossy: bool) {
        self.push(message, lossy, true);
    }

    fn push(&mut self, message: &str, lossy: bool, cut: bool) {
        let too_long = message.len() > MESSAGE_LIMIT;
        let message = if too_long { beginning(message) } else { message };
        let Origin { protocol, from } = self.origin;
        let record = Record { received_ns: now_ns(), from, protocol, message, lossy, cut: cut || too_long };
        serde_json::to_writer(&mut self.lines, &record).expect("a Vec takes every byte, and a record has no keys but texts");
        self.lines.push(b'\n');
        self.records += 1;
        self.too_long += usize::from(too_long);
    }
}

/// As much as fits, in whole characters.
fn beginning(message: &str) -> &str {
    let end = (0..=MESSAGE_LIMIT).rev().find(|at| message.is_char_boundary(*at));
    &message[..end.unwrap_or(0)]
}

/// A message as text, and whether bytes had to be replaced.
pub(crate) fn text(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    let text = String::from_utf8_lossy(bytes);
    let lossy = matches!(text, Cow::Owned(_));
    (text, lossy)
}

/// Nanoseconds of the wall clock.
pub(crate) fn now_ns() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_nanos()).unwrap_or(u64::MAX)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_false(flag: &bool) -> bool {
    !flag
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_is_too_long_is_cut_between_characters() {
        let mut batch = Batch::new(Origin { protocol: Protocol::Forward, from: ([127, 0, 0, 1], 1).into() });
        batch.add(&format!("x{}", "ä".repeat(MESSAGE_LIMIT / 2)), false);
        batch.add("short", false);
        let lines: Vec<serde_json::Value> =
            batch.lines.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
        assert_eq!((batch.records, batch.too_long, lines.len()), (2, 1, 2));
        assert_eq!(lines[0]["message"].as_str().map(str::len), Some(MESSAGE_LIMIT - 1));
        assert_eq!((&lines[0]["cut"], lines[1].get("cut")), (&true.into(), None));
        assert_eq!((&lines[1]["message"], &lines[1]["protocol"]), (&"short".into(), &"forward".into()));
    }
}
