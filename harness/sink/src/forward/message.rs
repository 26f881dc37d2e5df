//! What a message of the forward protocol says: `[tag, time, record, option?]`, `[tag, [[time, record], ...], option?]` or
//! `[tag, entries one after another, option?]`, the last one perhaps compressed.

use rmpv::{Value, ValueRef, decode, encode};

use super::LIMIT;
use crate::fields;
use crate::gzip::gunzip;
use crate::protocol::Origin;
use crate::record::{self, Batch};

/// Deeper than any record. The decoder calls itself for each level.
const DEEPEST: usize = 64;

#[derive(Debug)]
pub(super) struct Message {
    pub(super) batch: Batch,
    /// What the sender wants to hear back once it is durable.
    pub(super) chunk: Option<Value>,
}

/// Reads one message, which is all of `bytes`.
///
/// # Errors
/// What is wrong with it, in words.
pub(super) fn read(origin: Origin, bytes: &[u8]) -> Result<Message, String> {
    let mut batch = Batch::new(origin);
    let message = value(&mut &*bytes)?;
    let parts = match &message {
        // A heartbeat.
        ValueRef::Nil => return Ok(Message { batch, chunk: None }),
        ValueRef::Array(parts) => parts.as_slice(),
        _ => return Err("a message is no array".to_owned()),
    };
    let [ValueRef::String(_), second, rest @ ..] = parts else {
        return Err("a message does not begin with a tag and a time or entries".to_owned());
    };
    let option = match second {
        ValueRef::Array(entries) => {
            for entry in entries {
                add(entry, &mut batch)?;
            }
            rest.first()
        }
        ValueRef::Binary(packed) => {
            unpack(packed, rest.first(), &mut batch)?;
            rest.first()
        }
        ValueRef::String(packed) => {
            unpack(packed.as_bytes(), rest.first(), &mut batch)?;
            rest.first()
        }
        _time => {
            add_record(rest.first().ok_or("a message has a time and no record")?, &mut batch)?;
            rest.get(1)
        }
    };
    let chunk = option.and_then(|option| get(option, "chunk")).map(ValueRef::to_owned);
    Ok(Message { batch, chunk })
}

/// The acknowledgement of a chunk.
pub(super) fn acknowledgement(chunk: Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode::write_value(&mut bytes, &Value::Map(vec![("ack".into(), chunk)])).expect("a Vec takes every byte");
    bytes
}

fn unpack(packed: &[u8], option: Option<&ValueRef<'_>>, batch: &mut Batch) -> Result<(), String> {
    let compressed = option.and_then(|option| get(option, "compressed"));
    match compressed.map(|how| text(how).unwrap_or_default()) {
        None | Some(b"text") => entries(packed, batch),
        Some(b"gzip") => entries(&gunzip(packed, LIMIT).map_err(|error| error.to_string())?, batch),
        Some(_) => Err("entries are compressed with something else than gzip".to_owned()),
    }
}

fn entries(mut packed: &[u8], batch: &mut Batch) -> Result<(), String> {
    while !packed.is_empty() {
        add(&value(&mut packed)?, batch)?;
    }
    Ok(())
}

fn value<'a>(bytes: &mut &'a [u8]) -> Result<ValueRef<'a>, String> {
    decode::read_value_ref_with_max_depth(bytes, DEEPEST).map_err(|error| format!("MessagePack can't be read: {error}"))
}

fn add(entry: &ValueRef<'_>, batch: &mut Batch) -> Result<(), String> {
    match entry {
        ValueRef::Array(parts) if parts.len() >= 2 => add_record(&parts[1], batch),
        _ => Err("an entry is no array of a time and a record".to_owned()),
    }
}

fn add_record(record: &ValueRef<'_>, batch: &mut Batch) -> Result<(), String> {
    let ValueRef::Map(pairs) = record else { return Err("a record is no map".to_owned()) };
    let known = pairs.iter().filter(|(_, value)| !matches!(value, ValueRef::Nil));
    let known = known.filter_map(|(key, value)| Some((fields::rank(text(key)?)?, value)));
    let found = known.min_by_key(|(rank, value)| (text(value).is_none(), *rank)).map_or(record, |(_, value)| value);
    if let Some(bytes) = text(found) {
        let (message, lossy) = record::text(bytes);
        batch.add(&message, lossy);
    } else {
        batch.add(&found.to_string(), false);
    }
    Ok(())
}

/// The bytes of a text, which some agents send as binary.
fn text<'a>(value: &'a ValueRef<'_>) -> Option<&'a [u8]> {
    match value {
        ValueRef::String(text) => Some(text.as_bytes()),
        ValueRef::Binary(bytes) => Some(bytes),
        _ => None,
    }
}

fn get<'a, 'b>(map: &'b ValueRef<'a>, wanted: &str) -> Option<&'b ValueRef<'a>> {
    let ValueRef::Map(pairs) = map else { return None };
    pairs.iter().find(|(key, _)| text(key) == Some(wanted.as_bytes())).map(|(_, value)| value)
}
