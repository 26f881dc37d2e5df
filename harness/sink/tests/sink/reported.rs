//! Senders that misbehave are reported, by port and kind, without a flood of reports.

use std::io::{Read as _, Write as _};

use crate::support::{ALL, Sink, http};

const CLIENT_HELLO: &[u8] = b"\x16\x03\x01\x00\xc4\x01\x00\x00\xc0\x03\x03";

#[test]
fn another_protocol_is_recognized_on_each_port() {
    let sink = Sink::start();
    let syslog = b"<13>1 - h a - - - one\n\n";
    let http = b"POST / HTTP/1.1\r\nHost: sink\r\nContent-Length: 0\r\n\r\n";
    let forward = b"\x93\xa3app\x01\x81\xa3log\xa3one";
    for protocol in ALL {
        let mut wrong = vec![(CLIENT_HELLO, "TLS")];
        match protocol {
            "syslog_tcp" => wrong.extend([(&http[..], "HTTP"), (forward, "Fluentd's forward protocol")]),
            "forward" => wrong.extend([(&http[..], "HTTP"), (syslog, "syslog")]),
            _ => wrong.extend([(&syslog[..], "syslog"), (forward, "Fluentd's forward protocol")]),
        }
        for (bytes, name) in wrong {
            let sink = Sink::start();
            let mut stream = sink.connect(protocol);
            stream.write_all(bytes).unwrap();
            // HTTP answers that it doesn't understand; the others just end.
            let _ = stream.shutdown(std::net::Shutdown::Write);
            let _ = stream.read_to_end(&mut Vec::new());
            let event = sink.await_trouble(protocol, "wrong_protocol");
            assert_eq!(event["what"], format!("it speaks {name}"), "{protocol}");
            assert!(event["from"].as_str().unwrap().starts_with("127.0.0.1:"));
            assert!(sink.records().is_empty(), "{protocol} took {name}");
        }
    }
    assert_eq!(http::request(&sink, "http_json", "POST /", "", b"{}").status, 200);
}

#[test]
fn a_half_message_is_reported_when_its_sender_goes() {
    let sink = Sink::start();
    for protocol in ALL {
        let half: &[u8] = match protocol {
            "syslog_tcp" => b"<13>1 - h a - - - ha",
            "forward" => b"\x93\xa3app\x01",
            _ => b"POST / HTTP/1.1\r\nContent-Length: 100\r\n\r\n{\"log\":",
        };
        sink.connect(protocol).write_all(half).unwrap();
        sink.await_trouble(protocol, "broken_off");
    }
    let records = sink.records();
    assert_eq!(records.len(), 1, "only syslog has no acknowledgement, so what came is kept");
    assert_eq!((&records[0]["message"], &records[0]["cut"]), (&"ha".into(), &true.into()));
}

#[test]
fn a_sender_that_does_not_go_on_is_reported() {
    let sink = Sink::start_in(tempfile::tempdir().unwrap(), &["--patience-ms", "200"]);
    let mut quiet = sink.connect("syslog_tcp");
    quiet.write_all(b"<13>1 - h a - - - one\n").unwrap();
    let mut slow = Vec::new();
    for protocol in ALL {
        let half: &[u8] = match protocol {
            "syslog_tcp" => b"<13>1 - h a - - - tw",
            "forward" => b"\x93\xa3app\x01",
            "http_json" => b"POST / HTTP/1.1\r\nContent-Length: 100\r\n\r\n{\"log\":",
            _ => b"POST / HTTP/1.1\r\nConte",
        };
        let mut stream = sink.connect(protocol);
        stream.write_all(half).unwrap();
        slow.push(stream);
    }
    for protocol in ALL {
        let event = sink.await_trouble(protocol, "stalled");
        assert_eq!(event["count"], 1);
    }
    // A stream may go on, however late.
    slow[0].write_all(b"o\n").unwrap();
    quiet.write_all(b"<13>1 - h a - - - three\n").unwrap();
    assert_eq!(sink.await_records(3).len(), 3);
    for stream in &mut slow[3..] {
        assert!(!matches!(stream.read(&mut [0; 10]), Ok(1..)), "a request has had its time");
    }
}

#[test]
fn a_flood_is_counted_and_not_written_out() {
    let mut sink = Sink::start();
    let body = b"garbage";
    for _ in 0..300 {
        assert_eq!(http::request(&sink, "otlp_http", "GET /", "", body).status, 404);
    }
    assert_eq!(sink.term().code(), Some(0));
    let events = sink.events();
    let reports: Vec<_> = events.iter().filter(|event| event["trouble"] == "unknown_request").collect();
    assert!(reports.len() < 20, "{} reports", reports.len());
    assert_eq!(reports.iter().map(|event| event["count"].as_u64().unwrap()).sum::<u64>(), 300);
}
