//! `MessagePack` by hand, each length in 32 bits unless a test writes it otherwise.

fn counted(marker: u8, count: usize, rest: Vec<u8>) -> Vec<u8> {
    let mut bytes = vec![marker];
    bytes.extend(u32::try_from(count).unwrap().to_be_bytes());
    bytes.extend(rest);
    bytes
}

pub(crate) fn text(text: impl AsRef<[u8]>) -> Vec<u8> {
    counted(0xdb, text.as_ref().len(), text.as_ref().to_vec())
}

pub(crate) fn binary(bytes: &[u8]) -> Vec<u8> {
    counted(0xc6, bytes.len(), bytes.to_vec())
}

pub(crate) fn array(values: &[Vec<u8>]) -> Vec<u8> {
    counted(0xdd, values.len(), values.concat())
}

pub(crate) fn map(pairs: &[(&str, Vec<u8>)]) -> Vec<u8> {
    counted(0xdf, pairs.len(), pairs.iter().flat_map(|(key, value)| [text(key), value.clone()].concat()).collect())
}

/// Forward's own time: extension type 0, seconds and nanoseconds.
pub(crate) fn event_time(seconds: u32, nanoseconds: u32) -> Vec<u8> {
    [&[0xd7, 0x00][..], &seconds.to_be_bytes(), &nanoseconds.to_be_bytes()].concat()
}

/// `[time, {"log": line}]`
pub(crate) fn entry(line: &str) -> Vec<u8> {
    array(&[event_time(1_700_000_000, 5), map(&[("log", text(line))])])
}
