//! The node's heartbeat: `{"boot_ns":..,"wall_ns":..}` per line.

use serde::Deserialize;

use super::{event, missing, wall};
use crate::trace::{Act, Event, Witness};

#[derive(Deserialize)]
struct Beat {
    wall_ns: i64,
}

/// Reads the beats of one node into one event; nothing where there is no beat.
///
/// A beat that can't be read is left out and told of: the judge then sees a pause, which is the cautious side.
pub fn parse(node: &str, text: &str) -> Vec<Event> {
    let mut beats = Vec::new();
    let mut damaged = Vec::new();
    for (number, line) in text.lines().enumerate() {
        match serde_json::from_str(line).ok().and_then(|beat: Beat| wall(beat.wall_ns)) {
            Some(at) => beats.push(at),
            None => damaged.push(missing(Witness::Node, node, format!("line {number} of the heartbeat is damaged"))),
        }
    }
    let beats = (!beats.is_empty()).then(|| event(Witness::Node, node, None, Act::Heartbeat { beats }));
    beats.into_iter().chain(damaged).collect()
}
