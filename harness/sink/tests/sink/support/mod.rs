//! A sink to test against, and clients for it.

pub(crate) mod http;
pub(crate) mod msgpack;
pub(crate) mod protobuf;
mod sink;

use std::io::Write as _;

use flate2::{Compression, write::GzEncoder};

pub(crate) use self::sink::{ALL, SOON, Sink, messages};

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
