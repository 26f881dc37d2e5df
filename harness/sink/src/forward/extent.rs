//! Where a value of `MessagePack` ends, without decoding it and without looking twice at what has come.
//!
//! A decoder would begin anew with each piece of a message, and would trust the lengths that a sender claims.

use rmp::Marker;

/// How far the value at the front of a buffer has been followed.
#[derive(Debug)]
pub(super) struct Extent {
    at: usize,
    /// Values that are still to come, wherever they are nested.
    left: u64,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// The one byte that means nothing.
    Reserved,
    TooLong,
}

/// What a marker announces.
struct Announced {
    /// Bytes of the marker and its length.
    header: usize,
    payload: u64,
    values: u64,
}

impl Default for Extent {
    fn default() -> Self {
        Extent { at: 0, left: 1 }
    }
}

impl Extent {
    /// The length of the value, once all of it is there; it must be taken off the buffer before the next call. Until then,
    /// the buffer may only grow.
    pub(super) fn find(&mut self, buffer: &[u8], limit: usize) -> Result<Option<usize>, Wrong> {
        let limit = limit as u64;
        while self.left > 0 {
            let Some(announced) = announced(&buffer[self.at..])? else { return Ok(None) };
            let here = self.at as u64 + announced.header as u64 + announced.payload;
            let left = self.left - 1 + announced.values;
            // Each value takes a byte at least.
            if here.saturating_add(left) > limit {
                return Err(Wrong::TooLong);
            }
            if here > buffer.len() as u64 {
                return Ok(None);
            }
            (self.at, self.left) = (here as usize, left);
        }
        Ok(Some(std::mem::take(self).at))
    }
}

/// Reads a marker and the length behind it; none when the length is not there yet.
fn announced(bytes: &[u8]) -> Result<Option<Announced>, Wrong> {
    let Some((marker, rest)) = bytes.split_first() else { return Ok(None) };
    // The bytes of the length, what one unit of it means, and what comes on top of it.
    let (width, payload, values, more) = match Marker::from_u8(*marker) {
        Marker::Reserved => return Err(Wrong::Reserved),
        Marker::FixPos(_) | Marker::FixNeg(_) | Marker::Null | Marker::True | Marker::False => (0, 0, 0, 0),
        Marker::U8 | Marker::I8 => (0, 0, 0, 1),
        Marker::U16 | Marker::I16 | Marker::FixExt1 => (0, 0, 0, 2),
        Marker::FixExt2 => (0, 0, 0, 3),
        Marker::U32 | Marker::I32 | Marker::F32 => (0, 0, 0, 4),
        Marker::FixExt4 => (0, 0, 0, 5),
        Marker::U64 | Marker::I64 | Marker::F64 => (0, 0, 0, 8),
        Marker::FixExt8 => (0, 0, 0, 9),
        Marker::FixExt16 => (0, 0, 0, 17),
        Marker::FixStr(length) => (0, 0, 0, u64::from(length)),
        Marker::FixArray(length) => return Ok(Some(Announced { header: 1, payload: 0, values: length.into() })),
        Marker::FixMap(length) => return Ok(Some(Announced { header: 1, payload: 0, values: 2 * u64::from(length) })),
        Marker::Str8 | Marker::Bin8 => (1, 1, 0, 0),
        Marker::Str16 | Marker::Bin16 => (2, 1, 0, 0),
        Marker::Str32 | Marker::Bin32 => (4, 1, 0, 0),
        Marker::Ext8 => (1, 1, 0, 1),
        Marker::Ext16 => (2, 1, 0, 1),
        Marker::Ext32 => (4, 1, 0, 1),
        Marker::Array16 => (2, 0, 1, 0),
        Marker::Array32 => (4, 0, 1, 0),
        Marker::Map16 => (2, 0, 2, 0),
        Marker::Map32 => (4, 0, 2, 0),
    };
    let Some(length) = rest.get(..width) else { return Ok(None) };
    let length = length.iter().fold(0, |value: u64, byte| value << 8 | u64::from(*byte));
    Ok(Some(Announced { header: 1 + width, payload: payload * length + more, values: values * length }))
}

#[cfg(test)]
mod tests {
    use rmpv::Value;

    use super::*;

    const LIMIT: usize = 1 << 20;

    fn encoded(value: &Value) -> Vec<u8> {
        let mut bytes = Vec::new();
        rmpv::encode::write_value(&mut bytes, value).unwrap();
        bytes
    }

    fn values() -> Vec<Value> {
        let long = |length| Value::from("x".repeat(length));
        vec![
            Value::Nil,
            Value::from(-7),
            Value::from(300),
            Value::from(70_000),
            Value::from(1u64 << 40),
            Value::from(1.5f32),
            Value::from(1.5f64),
            long(5),
            long(200),
            long(300),
            long(70_000),
            Value::Binary(vec![0; 300]),
            Value::Array(vec![Value::from(true); 20]),
            Value::Array(vec![long(3); 70_000]),
            Value::Map(vec![(long(2), Value::Array(vec![])); 3]),
            Value::Map(vec![(long(2), Value::from(1)); 20]),
        ]
        .into_iter()
        .chain([1, 2, 4, 8, 16, 3, 300, 70_000].map(|length| Value::Ext(0, vec![9; length])))
        .collect()
    }

    #[test]
    fn every_kind_of_value_ends_where_the_encoder_ended_it() {
        for value in values() {
            let bytes = encoded(&value);
            let mut extent = Extent::default();
            let step = bytes.len().div_ceil(50);
            for end in (0..bytes.len()).step_by(step) {
                assert_eq!(extent.find(&bytes[..end], LIMIT), Ok(None), "{end} bytes of {}", bytes.len());
            }
            let followed = [bytes.as_slice(), &[0xc1]].concat();
            assert_eq!(extent.find(&followed, LIMIT), Ok(Some(bytes.len())));
        }
    }

    #[test]
    fn claims_are_not_believed() {
        let find = |bytes: &[u8]| Extent::default().find(bytes, LIMIT);
        assert_eq!(find(b"\xdd\xff\xff\xff\xff"), Err(Wrong::TooLong));
        assert_eq!(find(b"\xdf\xff\xff\xff\xff"), Err(Wrong::TooLong));
        assert_eq!(find(b"\xc6\xff\xff\xff\xff"), Err(Wrong::TooLong));
        assert_eq!(find(b"\x92\xc1"), Err(Wrong::Reserved));
    }
}
