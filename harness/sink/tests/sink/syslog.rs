//! Syslog over TCP.

use std::io::Write as _;

use crate::support::{Sink, messages};

#[test]
fn both_framings_are_told_apart_for_each_connection() {
    let sink = Sink::start();
    sink.send(b"<13>1 - h a - - - one\n<13>1 - h a - - - two\n");
    sink.await_records(2);
    sink.send(b"23 <13>1 - h a - - - three23 <13>1 - h a - - - fo\nur");
    let records = sink.await_records(4);
    assert_eq!(messages(&records), ["one", "two", "three", "fo\nur"]);
    let first = &records[0];
    assert!(first["from"].as_str().unwrap().starts_with("127.0.0.1:"));
    assert!(first["received_ns"].as_u64().unwrap() > 1_600_000_000_000_000_000);
    assert_eq!((first.get("cut"), first.get("lossy")), (None, None));
    assert_eq!(first["protocol"], "syslog_tcp");
}

#[test]
fn garbage_on_one_connection_is_kept_and_hurts_no_other() {
    let sink = Sink::start();
    let mut good = sink.connect("syslog_tcp");
    good.write_all(b"<13>1 - h a - - - be").unwrap();
    sink.send(&[&b"7 \xff\xfe\x00\x01"[..], &[0x80; 5000]].concat());
    sink.send(&vec![b'x'; (4 << 20) + 7]);
    sink.await_records(3);
    good.write_all(b"fore\n").unwrap();
    let records = sink.await_records(4);
    let whole: Vec<_> = records.iter().filter(|record| record.get("cut").is_none() && record.get("lossy").is_none()).collect();
    assert_eq!(whole.len(), 1);
    assert_eq!(whole[0]["message"], "before");
    assert!(records.iter().any(|record| record["lossy"] == true));
    assert!(records.iter().any(|record| record["cut"] == true && record["message"].as_str().unwrap().len() == 4 << 20));
    sink.await_trouble("syslog_tcp", "malformed");
    sink.await_trouble("syslog_tcp", "too_long");
}

#[test]
fn a_line_of_one_mebibyte_is_whole() {
    let sink = Sink::start();
    let line = "y".repeat(1 << 20);
    sink.send(format!("<13>1 - h a - - - {line}\n").as_bytes());
    let records = sink.await_records(1);
    assert!(records[0]["message"] == line && records[0].get("cut").is_none());
}
