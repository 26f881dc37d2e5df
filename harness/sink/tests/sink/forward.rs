//! Fluentd's forward protocol.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use crate::support::msgpack::{array, binary, entry, event_time, map, text};
use crate::support::{Sink, gzip, messages};

fn await_ack(stream: &mut TcpStream, chunk: &str) {
    let expected = [b"\x81\xa3ack\xa2", chunk.as_bytes()].concat();
    let mut got = vec![0; expected.len()];
    stream.read_exact(&mut got).unwrap();
    assert_eq!(got, expected);
}

fn option(chunk: &str) -> Vec<u8> {
    map(&[("size", vec![2]), ("chunk", text(chunk))])
}

#[test]
fn all_modes_are_taken_and_acknowledged_on_one_connection() {
    let sink = Sink::start();
    let mut stream = sink.connect("forward");
    let record = map(&[("message", text("one")), ("n", vec![7])]);
    stream.write_all(&array(&[text("app"), vec![0x05], record, option("c1")])).unwrap();
    await_ack(&mut stream, "c1");
    stream.write_all(&array(&[text("app"), array(&[entry("two"), entry("three")]), option("c2")])).unwrap();
    await_ack(&mut stream, "c2");
    let packed = [entry("four"), entry("five")].concat();
    stream.write_all(&array(&[text("app"), binary(&packed), option("c3")])).unwrap();
    await_ack(&mut stream, "c3");
    let packed = [gzip(&entry("six")), gzip(&entry("seven"))].concat();
    let option = map(&[("compressed", text("gzip")), ("chunk", text("c4"))]);
    stream.write_all(&array(&[text("app"), text(packed), option])).unwrap();
    await_ack(&mut stream, "c4");
    let records = sink.records();
    assert_eq!(messages(&records), ["one", "two", "three", "four", "five", "six", "seven"]);
    assert!(records.iter().all(|record| record["protocol"] == "forward"));
}

#[test]
fn without_a_chunk_there_is_no_answer_and_heartbeats_are_nothing() {
    let sink = Sink::start();
    let mut stream = sink.connect("forward");
    // In the short forms, byte by byte, as a slow network has it.
    for byte in b"\xc0\x93\xa3app\xce\x65\x00\x00\x00\x81\xa3log\xa3one\xc0" {
        stream.write_all(&[*byte]).unwrap();
    }
    stream.write_all(&array(&[text("app"), event_time(1, 2), map(&[("log", text(b"two \xff"))])])).unwrap();
    let records = sink.await_records(2);
    assert_eq!(messages(&records), ["one", "two \u{fffd}"]);
    assert_eq!((records[0].get("lossy"), &records[1]["lossy"]), (None, &true.into()));
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap();
    assert!(rest.is_empty(), "{rest:?}");
    assert!(sink.events().iter().all(|event| event["event"] != "trouble"));
}

#[test]
fn a_record_without_a_known_key_is_the_message() {
    let sink = Sink::start();
    let mut stream = sink.connect("forward");
    let record = map(&[("text", text("one"))]);
    stream.write_all(&array(&[text("app"), vec![1], record, option("c1")])).unwrap();
    await_ack(&mut stream, "c1");
    assert_eq!(messages(&sink.records()), [r#"{"text": "one"}"#]);
}

#[test]
fn a_text_goes_before_what_else_has_a_known_key() {
    let sink = Sink::start();
    let mut stream = sink.connect("forward");
    let record = map(&[("log", map(&[("offset", text("0"))])), ("message", text("one"))]);
    stream.write_all(&array(&[text("app"), vec![1], record, option("c1")])).unwrap();
    await_ack(&mut stream, "c1");
    assert_eq!(messages(&sink.records()), ["one"]);
}
