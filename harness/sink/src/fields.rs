//! Which part of a record is the message: agents that send records rather than lines put the line under a key.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// The keys under which agents put the line, the first that has a text counts: `log` is Fluent Bit's and Docker's, `message`
/// is Filebeat's, Vector's and Fluentd's, `body` is OpenTelemetry's. Filebeat has a `log`, too, an object that says from which
/// file a line is; so a value that is no text counts only where no key has one. A record that has none of the keys is the
/// message as a whole.
pub(crate) const KEYS: [&str; 5] = ["log", "message", "msg", "body", "Body"];

/// The place of a key in [`KEYS`].
pub(crate) fn rank(key: &[u8]) -> Option<usize> {
    KEYS.iter().position(|known| known.as_bytes() == key)
}

/// The message of a JSON object. A value that is no text is given as JSON.
///
/// # Errors
/// It is no object.
pub(crate) fn message(object: &RawValue) -> Result<Cow<'_, str>, serde_json::Error> {
    let found = serde_json::Deserializer::from_str(object.get()).deserialize_map(First)?;
    Ok(match found {
        Some(Value::String(text)) => Cow::Owned(text),
        Some(other) => Cow::Owned(other.to_string()),
        None => Cow::Borrowed(object.get()),
    })
}

/// Finds the value of the first known key and builds nothing else.
struct First;

impl<'de> Visitor<'de> for First {
    type Value = Option<Value>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON object for each record")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut best: Option<((bool, usize), Value)> = None;
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            match rank(key.as_bytes()) {
                Some(rank) => {
                    let value: Value = map.next_value()?;
                    let place = (!value.is_string(), rank);
                    if !value.is_null() && best.as_ref().is_none_or(|(other, _)| place < *other) {
                        best = Some((place, value));
                    }
                }
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(best.map(|(_, value)| value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(json: &str) -> String {
        message(serde_json::from_str(json).unwrap()).unwrap().into_owned()
    }

    #[test]
    fn the_first_known_key_counts_wherever_it_stands() {
        assert_eq!(of(r#"{"date":1.5,"message":"b","log":"a\n","x":{"log":"no"}}"#), "a\n");
        assert_eq!(of(r#"{"log":null,"msg":"c"}"#), "c");
        // Filebeat's documents.
        assert_eq!(of(r#"{"log":{"file":{"path":"/logs/app.log"},"offset":0},"message":"e"}"#), "e");
        assert_eq!(of(r#"{"message":"e","log":{"offset":0}}"#), "e");
        assert_eq!(of(r#"{"body":{"stringValue":"d"}}"#), r#"{"stringValue":"d"}"#);
    }

    #[test]
    fn a_record_without_any_is_the_message_itself() {
        assert_eq!(of(r#"{"text": "a", "n": 1}"#), r#"{"text": "a", "n": 1}"#);
        assert!(message(serde_json::from_str("[1]").unwrap()).is_err());
    }
}
