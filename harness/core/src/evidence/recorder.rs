//! The starts of the recorder of runtime events: one wall clock stamp in nanoseconds per line.

use super::{event, instant, missing, wall};
use crate::trace::{Act, Event, Witness};

/// Reads the starts on one node.
pub fn parse(node: &str, text: &str) -> Vec<Event> {
    let read = |(number, line): (usize, &str)| match line.trim().parse().ok().and_then(wall) {
        Some(at) => event(Witness::Node, node, Some(instant(at)), Act::RecorderStarted),
        // Whatever stood there was a start at an unknown time: the runtime's record can't be trusted.
        None => missing(Witness::Runtime, node, format!("line {number} of the recorder's starts is damaged")),
    };
    text.lines().enumerate().map(read).collect()
}
