//! The parsers on texts that are not what they should be: no panic, and no silence.

use std::{fs, path::Path};

use proptest::prelude::*;
use sidecheck_core::{
    evidence::{heartbeat, produced, program, recorder, runtime, sink},
    trace::{Act, Event},
};

fn missing(events: &[Event]) -> usize {
    events.iter().filter(|event| matches!(event.act, Act::EvidenceMissing { .. })).count()
}

#[test]
fn a_damaged_line_is_told_with_its_number() {
    let good = r#"{"pod":"p","uid":"u","container":"app","incarnation":0,"act":"started","boot_ns":1,"wall_ns":2}"#;
    let unknown = good.replace("started", "danced");
    let no_code = good.replace("started", "exiting");
    let text = format!("{good}\n{unknown}\n{no_code}\n{}", &good[..40]);
    let events = program::parse("n", &text);
    assert_eq!(missing(&events), 3);
    assert_eq!(events[0].line, Some(0));
    let Act::EvidenceMissing { what } = &events[1].act else { panic!("{events:?}") };
    assert_eq!(what, "line 1 of witness.jsonl is damaged: the act `danced` is not known");

    assert_eq!(missing(&produced::parse("n", "u.app.0", "{")), 1);
    let count = r#"{"uid":"u","container":"app","incarnation":0,"lines":3}"#;
    assert_eq!(
        missing(&produced::parse("n", "u.app.0", &format!("{count}   \n{{\"lines\":1}}\n"))),
        1,
        "a mark without its time"
    );
    assert_eq!(missing(&heartbeat::parse("n", "{\"boot_ns\":1,\"wall_ns\":2}\n{\"boot")), 1);
    assert_eq!(missing(&recorder::parse("n", "1796067014000000000\nx")), 1);
    assert_eq!(missing(&sink::read("n", "{\"received_ns\":1,\"message\":\"m\"}\n{\"rec".as_bytes())), 1);
    assert_eq!(missing(&runtime::parse("n", "ns", "half a line", "time=\"2026-11-30T19:30:11Z\" level=info msg=\"x", 100)), 2);
}

/// A real event stream without one start: the journal has the call and its return.
#[test]
fn a_start_that_was_not_told_lies_between_its_call_and_its_return() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples/containerd-1.6-delete-1.28-alpha");
    let read = |file: &str| fs::read_to_string(folder.join(file)).expect("the sample must be there");
    let (events, journal) = (read("events.log"), read("journal.log"));
    let starts = |events: &str| {
        let read = runtime::parse("n", "default", events, &journal, 100);
        (read.iter().filter(|event| matches!(event.act, Act::Started)).count(), missing(&read))
    };
    let (all, none) = starts(&events);
    let lines: Vec<&str> = events.lines().collect();
    let last = lines.iter().rposition(|line| line.contains("/tasks/start")).expect("a start");
    let without = |kept: &[&str]| starts(&kept.join("\n"));
    assert_eq!(without(&[&lines[..last], &lines[last + 1..]].concat()), (all, none + 1), "the stream goes on, and has a hole");
    assert_eq!(without(&lines[..last]), (all, none), "it had not come to it yet");
}

proptest! {
    #[test]
    fn no_text_makes_a_parser_panic(text in "(?s).{0,200}") {
        program::parse("n", &text);
        produced::parse("n", "f", &text);
        heartbeat::parse("n", &text);
        recorder::parse("n", &text);
        sink::read("n", text.as_bytes());
        runtime::parse("n", "ns", &text, &text, 100);
        runtime::parse("n", "ns", &text, &format!("time=\"9999-12-30T22:00:00Z\" level=info msg=\"{text}"), u64::MAX);
    }

    /// A real event stream with one line cut short: the hole is told.
    #[test]
    fn a_cut_event_is_told(line in 0_usize..30, percent in 5_usize..95) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples/containerd-1.6-delete-1.28-alpha");
        let read = |file: &str| fs::read_to_string(folder.join(file)).expect("the sample must be there");
        let events = read("events.log");
        let mut lines: Vec<&str> = events.lines().collect();
        let line = line % lines.len();
        lines[line] = &lines[line][..lines[line].len() * percent / 100];
        let about_tasks = ["/tasks/start", "/tasks/exit", "/tasks/exec-started"].iter().any(|topic| lines[line].contains(topic));
        let holes = missing(&runtime::parse("n", "default", &lines.join("\n"), &read("journal.log"), 100));
        prop_assert!(holes > 0 || !about_tasks, "{}", lines[line]);
    }
}
