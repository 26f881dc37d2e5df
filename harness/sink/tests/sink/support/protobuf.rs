//! The little of protobuf that a delivery of logs needs, by hand.

/// A field of type message, text or bytes.
fn field(number: u8, value: &[u8]) -> Vec<u8> {
    let mut bytes = vec![number << 3 | 2];
    let mut length = value.len();
    while length >= 0x80 {
        bytes.push((length & 0x7f) as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
    bytes.extend(value);
    bytes
}

/// An `ExportLogsServiceRequest` with a record for each body, which is an `AnyValue`.
pub(crate) fn logs(bodies: &[Vec<u8>]) -> Vec<u8> {
    let records: Vec<u8> = bodies.iter().flat_map(|body| field(2, &field(5, body))).collect();
    let scope = field(2, &records);
    field(1, &scope)
}

pub(crate) fn string_value(text: &str) -> Vec<u8> {
    field(1, text.as_bytes())
}

pub(crate) fn bytes_value(bytes: &[u8]) -> Vec<u8> {
    field(7, bytes)
}
