//! The objects in a body.

use serde::Deserialize as _;
use serde_json::value::RawValue;

use crate::fields;
use crate::protocol::Origin;
use crate::record::{self, Batch};

/// Reads all objects.
///
/// # Errors
/// The first that is none, with its place.
pub(super) fn read(origin: Origin, body: &[u8]) -> Result<Batch, serde_json::Error> {
    let (body, lossy) = record::text(body);
    let mut batch = Batch::new(origin);
    for value in serde_json::Deserializer::from_str(&body).into_iter::<&RawValue>() {
        let value = value?;
        if value.get().starts_with('[') {
            for object in Vec::<&RawValue>::deserialize(value)? {
                add(object, lossy, &mut batch)?;
            }
        } else {
            add(value, lossy, &mut batch)?;
        }
    }
    Ok(batch)
}

/// `lossy`: bytes of the body have been replaced, so that the replacement in a message is not the sender's.
fn add(object: &RawValue, lossy: bool, batch: &mut Batch) -> Result<(), serde_json::Error> {
    let message = fields::message(object)?;
    let lossy = lossy && message.contains('\u{fffd}');
    batch.add(&message, lossy);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Protocol;

    fn messages(body: &[u8]) -> Result<Vec<(String, bool)>, serde_json::Error> {
        let batch = read(Origin { protocol: Protocol::HttpJson, from: ([127, 0, 0, 1], 1).into() }, body)?;
        let lines = batch.lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let records = lines.map(|line| serde_json::from_slice::<serde_json::Value>(line).unwrap());
        Ok(records.map(|it| (it["message"].as_str().unwrap().to_owned(), it["lossy"] == true)).collect())
    }

    fn plain(texts: &[&str]) -> Vec<(String, bool)> {
        texts.iter().map(|text| ((*text).to_owned(), false)).collect()
    }

    #[test]
    fn lines_streams_and_arrays_are_the_same() {
        let expected = plain(&["a", "b"]);
        assert_eq!(messages(b"{\"log\":\"a\"}\n{\"log\":\"b\"}\n").unwrap(), expected);
        assert_eq!(messages(b"{\"log\":\"a\"}{\"log\":\"b\"}").unwrap(), expected);
        assert_eq!(messages(b" [ {\"log\":\"a\"},\r\n{\"log\":\"b\"} ]\n").unwrap(), expected);
        assert_eq!(messages(b"").unwrap(), []);
    }

    #[test]
    fn only_the_message_that_was_damaged_is_flagged() {
        let got = messages(b"{\"log\":\"a\xff\"}\n{\"log\":\"b\"}\n").unwrap();
        assert_eq!(got, [("a\u{fffd}".to_owned(), true), ("b".to_owned(), false)]);
        assert_eq!(messages("{\"log\":\"\u{fffd}\"}".as_bytes()).unwrap(), plain(&["\u{fffd}"]));
    }

    #[test]
    fn what_is_no_object_is_an_error() {
        for body in [&b"{\"log\":\"a\"}\nplain"[..], b"[1]", b"[[{}]]", b"{\"log\":\"a", b"\xff"] {
            assert!(messages(body).is_err(), "{}", String::from_utf8_lossy(body));
        }
    }
}
