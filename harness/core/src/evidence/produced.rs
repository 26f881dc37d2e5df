//! A producer's own count of its lines: a file of its own for each incarnation, outside the log's path, written after each
//! batch, so that it survives a kill.

use serde::Deserialize;

use super::{about, event, missing};
use crate::trace::{Act, Event, PodId, Witness};

#[derive(Deserialize)]
struct Count {
    uid: String,
    container: String,
    incarnation: u32,
    lines: u64,
}

/// Reads one such file; `file` only names it. It knows its pod by uid only: [`crate::trace::Trace::new`] adds the name.
pub fn parse(node: &str, file: &str, text: &str) -> Vec<Event> {
    let read = serde_json::from_str(text).map(|Count { uid, container, incarnation, lines }| {
        let pod = PodId { name: String::new(), uid };
        about(event(Witness::Program, node, None, Act::Wrote { lines }), &pod, &container, incarnation)
    });
    vec![read.unwrap_or_else(|error| missing(Witness::Program, node, format!("the count {file} is damaged: {error}")))]
}
