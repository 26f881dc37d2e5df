//! The sink's store: one JSON object per received message.
//!
//! One pass, message by message; what is kept grows with the number of producers, and with a bit or two for each of their
//! lines.

use std::{borrow::Cow, collections::BTreeMap, io::BufRead};

use serde::Deserialize;

use super::{event, line, missing, wall};
use crate::{
    ledger::Arrivals,
    trace::{Act, Event, Stamp, Tag, Witness},
};

/// Damaged lines of the store that are told one by one.
const TOLD: u64 = 10;

/// What counts is the text: a line's bytes are known in advance, so nothing depends on the sink's own word that a message was
/// cut or had bytes that are no UTF-8.
#[derive(Deserialize)]
struct Received<'a> {
    #[serde(rename = "received_ns")]
    wall_ns: i64,
    #[serde(borrow)]
    message: Cow<'a, str>,
}

/// What has arrived from one incarnation of a producer, and when.
struct Delivery {
    arrivals: Arrivals,
    earliest_ns: i64,
    latest_ns: i64,
}

/// Reads the store. Lines name their producers by tag only: [`crate::trace::Trace::new`] says who they are, and lines that stay
/// without a name are of no producer of this run. There is always a `Foreign` event, with 0 lines as a rule: it shows that the
/// store was read, so that a log of which nothing arrived can be told from one that nobody looked at.
pub fn read(node: &str, mut store: impl BufRead) -> Vec<Event> {
    let mut deliveries: BTreeMap<Tag, Delivery> = BTreeMap::new();
    let (mut foreign, mut damaged) = (0, 0);
    let mut events = Vec::new();
    let mut line = Vec::new();
    for number in 0_u64.. {
        line.clear();
        match store.read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => {
                events.push(missing(
                    Witness::Sink,
                    node,
                    format!("the sink's store can't be read beyond line {number}: {error}"),
                ));
                break;
            }
        }
        match message(&line) {
            Ok(received) => foreign += u64::from(!take(&received, &mut deliveries)),
            Err(why) => {
                damaged += 1;
                if damaged <= TOLD {
                    let what = format!("line {number} of the sink's store is damaged: {why}");
                    events.push(missing(Witness::Sink, node, what));
                }
            }
        }
    }
    if damaged > TOLD {
        events.push(missing(Witness::Sink, node, format!("{} more lines of the sink's store are damaged", damaged - TOLD)));
    }
    events.extend(deliveries.into_iter().map(|(tag, delivery)| delivery.event(node, tag)));
    events.push(event(Witness::Sink, node, None, Act::Foreign { lines: foreign }));
    events
}

fn message(line: &[u8]) -> Result<Received<'_>, String> {
    let received: Received<'_> = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    wall(received.wall_ns).ok_or("its time is out of range")?;
    Ok(received)
}

/// Takes the lines of a message; whether there was one.
fn take(received: &Received<'_>, deliveries: &mut BTreeMap<Tag, Delivery>) -> bool {
    let at = received.wall_ns;
    let mut any = false;
    for piece in line::pieces(&received.message) {
        any = true;
        let fresh = || Delivery { arrivals: Arrivals::default(), earliest_ns: at, latest_ns: at };
        let delivery = deliveries.entry(piece.tag).or_insert_with(fresh);
        delivery.arrivals.add(&piece);
        delivery.earliest_ns = delivery.earliest_ns.min(at);
        delivery.latest_ns = delivery.latest_ns.max(at);
    }
    any
}

impl Delivery {
    fn event(self, node: &str, tag: Tag) -> Event {
        let stamp = wall(self.earliest_ns).zip(wall(self.latest_ns));
        let at = stamp.map(|(earliest, latest)| Stamp { earliest, latest });
        event(Witness::Sink, node, at, Act::Delivered(self.arrivals.delivered(tag)))
    }
}
