//! Compressed bodies and chunks.

use std::io::{self, Read as _};

use flate2::read::MultiGzDecoder;

/// Why there is nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GunzipError {
    /// What comes out is longer than allowed.
    #[error("more than {0} bytes come out of its gzip")]
    TooLong(usize),
    /// It isn't gzip, or its end is missing.
    #[error("it is no gzip that can be read: {0}")]
    Broken(#[from] io::Error),
}

/// Takes gzip off, as long as no more than `limit` bytes come out.
pub(crate) fn gunzip(bytes: &[u8], limit: usize) -> Result<Vec<u8>, GunzipError> {
    let mut plain = Vec::new();
    MultiGzDecoder::new(bytes).take(limit as u64 + 1).read_to_end(&mut plain)?;
    if plain.len() > limit { Err(GunzipError::TooLong(limit)) } else { Ok(plain) }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn members_one_after_another_are_one_text() {
        assert_eq!(gunzip(&[gzip(b"one "), gzip(b"two")].concat(), 7).unwrap(), b"one two");
    }

    #[test]
    fn a_bomb_is_left_alone_and_a_torn_one_is_known() {
        let bomb = gzip(&vec![0; 1 << 20]);
        assert!(matches!(gunzip(&bomb, 1000), Err(GunzipError::TooLong(1000))));
        assert!(matches!(gunzip(&bomb[..bomb.len() - 9], 1 << 20), Err(GunzipError::Broken(_))));
        assert!(matches!(gunzip(b"plain", 1000), Err(GunzipError::Broken(_))));
    }
}
