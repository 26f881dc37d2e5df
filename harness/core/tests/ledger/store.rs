//! The sink's store, with the lines of many producers between each other.

use std::io::{BufReader, Read};

use sidecheck_core::{
    evidence::{line::compose, sink},
    trace::{Act, Tag},
};

fn stored(message: &str) -> String {
    serde_json::json!({"received_ns": 5, "from": "10.0.0.1:1", "message": message, "lossy": true}).to_string() + "\n"
}

fn line(tag: Tag, seq: u64) -> String {
    let mut line = Vec::new();
    compose(&mut line, tag, seq, 119, true);
    String::from_utf8(line).expect("must be ASCII")
}

#[test]
fn each_producer_has_its_own_numbers() {
    let tags: Vec<Tag> = (0..100).map(|n| Tag::of("r1", &format!("uid-{n}"), "app", 0)).collect();
    let mut store = String::new();
    for seq in 1..=50 {
        // Each in another order, and the n-th lacks its n-th line.
        for (n, tag) in (0..).zip(&tags) {
            let seq = (seq * (n % 7 + 1) + n) % 53;
            if (1..=50).contains(&seq) && seq != n {
                store += &stored(&line(*tag, seq));
            }
        }
    }
    let events = sink::read("n1", store.as_bytes());
    assert_eq!(events.len(), 101);
    for event in &events[..100] {
        let Act::Delivered(delivered) = &event.act else { panic!("{event:?}") };
        let tag = delivered.producer.expect("lines name their producer");
        let n = tags.iter().position(|one| *one == tag).expect("must be one of them") as u64;
        assert!(delivered.lines() >= 46 && delivered.duplicated == 0, "{delivered:?}");
        assert!(delivered.runs.iter().all(|(first, last)| !(*first..=*last).contains(&n)), "{delivered:?}");
    }
    assert_eq!(events[100].act, Act::Foreign { lines: 0 });
}

#[test]
fn what_can_not_be_read_is_told_and_does_not_fill_the_trace() {
    let store = "{\"received_ns\":\n".repeat(25) + &stored("rsyslogd: start") + "{\"received_ns\":9223372036854775807,\"mess";
    let events = sink::read("n1", store.as_bytes());
    let missing = |event: &&sidecheck_core::trace::Event| matches!(event.act, Act::EvidenceMissing { .. });
    assert_eq!(events.iter().filter(missing).count(), 11);
    assert_eq!(events.last().map(|event| &event.act), Some(&Act::Foreign { lines: 1 }));
}

/// Fails when its text is over.
struct Broken<'a>(&'a [u8]);

impl Read for Broken<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        match self.0.read(into)? {
            0 => Err(std::io::Error::other("disk on fire")),
            read => Ok(read),
        }
    }
}

#[test]
fn a_store_that_breaks_off_is_missing_evidence() {
    let text = stored("rsyslogd: start");
    let events = sink::read("n1", BufReader::new(Broken(text.as_bytes())));
    let told = format!("{:?}", events[0].act);
    assert!(told.contains("beyond line 1") && told.contains("disk on fire"), "{told}");
}

#[test]
fn lines_are_read_one_by_one() {
    let text = stored(&line(Tag::of("r1", "u", "app", 0), 1));
    // Smaller than a line.
    let events = sink::read("n1", BufReader::with_capacity(16, text.as_bytes()));
    assert_eq!(events.len(), 2);
}
