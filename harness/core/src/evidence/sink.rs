//! The sink's store: one JSON object per received message.
//!
//! One pass; what is kept grows with the number of producers and of breaks in their numbering, not with the number of lines.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Deserialize;

use super::{Line, about, event, instant, missing, wall};
use crate::trace::{Act, Event, PodId, Stamp, Witness};

#[derive(Deserialize)]
struct Received {
    #[serde(rename = "received_ns")]
    wall_ns: i64,
    message: String,
    #[serde(default)]
    lossy: bool,
    #[serde(default)]
    cut: bool,
}

/// What has arrived from one incarnation of a producer.
struct Delivery {
    runs: Vec<(u64, u64)>,
    damaged: u64,
    at: Stamp,
}

/// Reads the store; `run` tells this run's lines from others. Producers are known by uid only: [`crate::trace::Trace::new`]
/// adds the names of their pods. There is always a `Foreign` event, with 0 lines as a rule: it shows that the store was read,
/// so that a log of which nothing arrived can be told from one that nobody looked at.
pub fn parse(node: &str, run: &str, text: &str) -> Vec<Event> {
    let mut deliveries: BTreeMap<(String, String, u32), Delivery> = BTreeMap::new();
    let mut foreign = 0;
    let mut events = Vec::new();
    for (number, line) in text.lines().enumerate() {
        match read(line) {
            Ok((message, at)) => match Line::find(&message.message).filter(|line| line.run == run) {
                Some(line) => {
                    let whole = line.whole && !message.cut && !message.lossy;
                    let key = (line.uid.to_owned(), line.container.to_owned(), line.incarnation);
                    deliveries.entry(key).or_insert_with(|| Delivery::begun(at)).add(line.seq, whole, at);
                }
                None => foreign += 1,
            },
            Err(why) => events.push(missing(Witness::Sink, node, format!("line {number} of the sink's store is damaged: {why}"))),
        }
    }
    events.extend(deliveries.into_iter().map(|((uid, container, incarnation), Delivery { runs, damaged, at })| {
        let pod = PodId { name: String::new(), uid };
        about(event(Witness::Sink, node, Some(at), Act::Delivered { runs, damaged }), &pod, &container, incarnation)
    }));
    events.push(event(Witness::Sink, node, None, Act::Foreign { lines: foreign }));
    events
}

fn read(line: &str) -> Result<(Received, Timestamp), String> {
    let message: Received = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let at = wall(message.wall_ns).ok_or("its time is out of range")?;
    Ok((message, at))
}

impl Delivery {
    fn begun(at: Timestamp) -> Self {
        Self { runs: Vec::new(), damaged: 0, at: instant(at) }
    }

    fn add(&mut self, seq: u64, whole: bool, at: Timestamp) {
        match self.runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(seq) => *last = seq,
            _ => self.runs.push((seq, seq)),
        }
        self.damaged += u64::from(!whole);
        self.at.latest = self.at.latest.max(at);
        self.at.earliest = self.at.earliest.min(at);
    }
}
