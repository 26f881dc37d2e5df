//! The node's heartbeat: `{"boot_ns":..,"wall_ns":..}` per line.

use jiff::Timestamp;
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

/// The longest delay of a beat, in milliseconds: how much longer the longest time between two beats is than the usual one. A
/// node whose heartbeat is late is late with its stamps, too. Pauses in the times of `reboots` are none of its delays. 0 where
/// there are fewer than three beats.
pub fn longest_delay_ms(text: &str, reboots: &[(Timestamp, Timestamp)]) -> u64 {
    let beats = text.lines().filter_map(|line| serde_json::from_str(line).ok().and_then(|beat: Beat| wall(beat.wall_ns)));
    let beats: Vec<Timestamp> = beats.collect();
    let is_reboot = |pair: &[Timestamp]| reboots.iter().any(|(began, ended)| pair[0] < *ended && pair[1] > *began);
    let between = beats.windows(2).filter(|pair| !is_reboot(pair)).map(|pair| pair[1].duration_since(pair[0]).as_millis());
    let mut between: Vec<i128> = between.collect();
    between.sort_unstable();
    match (between.last(), between.get(between.len() / 2)) {
        (Some(longest), Some(usual)) if between.len() > 1 => u64::try_from(longest - usual).unwrap_or(0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delay_is_what_the_longest_pause_is_over_the_usual_one() {
        let beat = |ms: &u64| format!("{{\"wall_ns\":{}}}", ms * 1_000_000);
        let beats = |millis: &[u64]| millis.iter().map(beat).collect::<Vec<_>>().join("\n");
        assert_eq!(longest_delay_ms(&beats(&[0, 500, 1000, 1740, 2240]), &[]), 240);
        assert_eq!(longest_delay_ms(&beats(&[0, 500, 1000]), &[]), 0);
        assert_eq!(longest_delay_ms(&beats(&[0, 500]), &[]), 0);
        assert_eq!(longest_delay_ms("", &[]), 0);
        let at = |ms: i64| Timestamp::from_millisecond(ms).expect("a time");
        assert_eq!(longest_delay_ms(&beats(&[0, 500, 1000, 9000, 9500, 10100]), &[(at(1500), at(9000))]), 100);
    }
}
