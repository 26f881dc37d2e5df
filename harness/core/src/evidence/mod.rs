//! From collected texts to events: pure parsers, one per source. What can't be read becomes `EvidenceMissing`, never a silent
//! skip: a judge that does not know of a hole would take it for a fact.

pub(crate) mod base32;
pub mod heartbeat;
pub mod line;
pub mod produced;
pub mod program;
pub mod recorder;
pub mod runtime;
pub mod sink;

use jiff::Timestamp;

pub use line::Piece;

use crate::trace::{Act, Event, PodId, Stamp, Witness};

/// An event that is about nothing in particular yet.
pub(crate) fn event(witness: Witness, node: &str, at: Option<Stamp>, act: Act) -> Event {
    let node = Some(node.to_owned());
    Event { seq: 0, witness, node, pod: None, container: None, incarnation: None, at, line: None, act }
}

/// The event, about one incarnation of a container.
pub(crate) fn about(event: Event, pod: &PodId, container: &str, incarnation: u32) -> Event {
    Event { pod: Some(pod.clone()), container: Some(container.to_owned()), incarnation: Some(incarnation), ..event }
}

/// What the runtime's stamps of a node are worth, in milliseconds: as measured when the cluster came up, and the longest delay
/// of the node's heartbeat in the time of the scenario.
pub fn resolution(node: &str, calibrated_ms: u64, late_ms: u64) -> Event {
    event(Witness::Node, node, None, Act::Resolution { calibrated_ms, late_ms })
}

/// The event that says what could not be read.
fn missing(witness: Witness, node: &str, what: String) -> Event {
    event(witness, node, None, Act::EvidenceMissing { what })
}

/// A stamp without an uncertainty.
pub(crate) fn instant(at: Timestamp) -> Stamp {
    Stamp { earliest: at, latest: at }
}

/// A wall clock's nanoseconds; `None` beyond the years that a timestamp can hold.
fn wall(nanoseconds: i64) -> Option<Timestamp> {
    Timestamp::from_nanosecond(i128::from(nanoseconds)).ok()
}
