//! The body of a request, whole and unpacked.

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt as _;
use hyper::body::{Body as _, Incoming};
use hyper::header::CONTENT_ENCODING;
use hyper::{HeaderMap, StatusCode};

use super::Refused;
use crate::events::Trouble;
use crate::gzip::{GunzipError, gunzip};
use crate::net::{Full, Room, Share};

/// The longest body, before and after gzip has been taken off. Agents send a few MiB at most.
const LIMIT: usize = 64 << 20;
/// Of a body that is too long so much is read and thrown away: a sender that is still writing would never see the answer.
const POLITE: u64 = 1 << 30;

/// A body, which takes up room as long as it lives.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) bytes: Bytes,
    _share: Share,
}

/// Takes a body in.
///
/// # Errors
/// Too long, not gzip where it claims to be, an encoding that isn't known, broken off, or no room.
pub(super) async fn receive(headers: &HeaderMap, mut incoming: Incoming, room: &Room) -> Result<Body, Refused> {
    let mut share = room.share();
    let mut bytes = BytesMut::new();
    let mut too_long = incoming.size_hint().lower() > LIMIT as u64;
    let mut seen = 0;
    while let Some(frame) = incoming.frame().await {
        let frame = frame.map_err(|error| {
            Refused::sender(StatusCode::BAD_REQUEST, Trouble::BrokenOff, format!("the body can't be read to its end: {error}"))
        })?;
        let Ok(data) = frame.into_data() else { continue };
        seen += data.len() as u64;
        too_long |= seen > LIMIT as u64;
        if too_long {
            bytes = BytesMut::new();
            if seen > POLITE {
                break;
            }
            continue;
        }
        share.cover(bytes.len() + data.len()).map_err(|Full| Refused::no_room())?;
        bytes.extend_from_slice(&data);
    }
    if too_long {
        return Err(self::too_long(format!("a body is longer than {LIMIT} bytes")));
    }
    let bytes = unpack(headers, bytes.freeze())?;
    share.cover(bytes.len()).map_err(|Full| Refused::no_room())?;
    Ok(Body { bytes, _share: share })
}

fn unpack(headers: &HeaderMap, bytes: Bytes) -> Result<Bytes, Refused> {
    match headers.get(CONTENT_ENCODING).map(hyper::header::HeaderValue::as_bytes) {
        None | Some(b"identity") => Ok(bytes),
        Some(b"gzip") => match gunzip(&bytes, LIMIT) {
            Ok(plain) => Ok(plain.into()),
            Err(error @ GunzipError::TooLong(_)) => Err(too_long(error.to_string())),
            Err(error @ GunzipError::Broken(_)) => Err(Refused::malformed(error.to_string())),
        },
        Some(other) => {
            let why = format!("the encoding {} is not known here: only gzip is", String::from_utf8_lossy(other));
            Err(Refused::sender(StatusCode::UNSUPPORTED_MEDIA_TYPE, Trouble::UnknownRequest, why))
        }
    }
}

fn too_long(why: String) -> Refused {
    Refused::sender(StatusCode::PAYLOAD_TOO_LARGE, Trouble::TooLong, why)
}
