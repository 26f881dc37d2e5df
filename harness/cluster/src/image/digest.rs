//! SHA-256, as images use it to name what they consist of.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// How much of a digest a tag shows: enough for the few images that a node ever sees.
const SHORT: usize = 12;

/// The digest of `bytes`, 64 hexadecimal digits.
pub(super) fn of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        _ = write!(text, "{byte:02x}");
        text
    })
}

/// The beginning of a digest, for a tag.
pub(super) fn short(digest: &str) -> &str {
    &digest[..SHORT]
}
