//! What is kept of a message.

use std::borrow::Cow;
use std::net::SocketAddr;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

/// One received message; one line of the store.
#[derive(Debug, Serialize)]
pub(crate) struct Record {
    /// When it was complete here, in nanoseconds of the wall clock.
    received_ns: u64,
    /// The sender.
    from: SocketAddr,
    /// The text that the sender wanted to deliver, without the protocol's header.
    message: String,
    /// Bytes that were no UTF-8 have been replaced.
    #[serde(skip_serializing_if = "is_false")]
    lossy: bool,
    /// The end is missing: too long, or the connection ended inside it.
    #[serde(skip_serializing_if = "is_false")]
    cut: bool,
}

/// A message as text, and whether bytes had to be replaced.
pub(crate) fn text(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    let text = String::from_utf8_lossy(bytes);
    let lossy = matches!(text, Cow::Owned(_));
    (text, lossy)
}

impl Record {
    /// A message that has just arrived.
    pub(crate) fn now(from: SocketAddr, message: String, lossy: bool, cut: bool) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Record { received_ns: u64::try_from(now.as_nanos()).unwrap_or(u64::MAX), from, message, lossy, cut }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_false(flag: &bool) -> bool {
    !flag
}
