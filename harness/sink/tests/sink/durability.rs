//! What has been acknowledged is there, whatever happens to the sink then.

use std::collections::HashSet;
use std::io::{Read as _, Write as _};
use std::sync::mpsc;

use rustix::process::Signal;

use crate::support::msgpack::{array, binary, entry, map, text};
use crate::support::{Sink, http, messages, protobuf};

/// Delivers chunks over forward until the connection breaks, and tells each one that is acknowledged.
fn deliver(sink: &Sink, sender: usize, acknowledged: &mpsc::Sender<String>) {
    let mut stream = sink.connect("forward");
    for chunk in 0.. {
        let id = format!("{sender}-{chunk}");
        let message = array(&[text("app"), binary(&entry(&id).repeat(3)), map(&[("chunk", text(&id))])]);
        let mut answer = vec![0; 6 + id.len()];
        if stream.write_all(&message).is_err() || stream.read_exact(&mut answer).is_err() {
            return;
        }
        assert!(answer.ends_with(id.as_bytes()));
        acknowledged.send(id).unwrap();
    }
}

#[test]
fn a_kill_loses_nothing_that_was_acknowledged() {
    let sink = Sink::start();
    let (acknowledged, acknowledgements) = mpsc::channel();
    let ids = std::thread::scope(|scope| {
        for sender in 0..8 {
            let (sink, acknowledged) = (&sink, acknowledged.clone());
            scope.spawn(move || deliver(sink, sender, &acknowledged));
        }
        drop(acknowledged);
        let mut ids: Vec<_> = acknowledgements.iter().take(200).collect();
        sink.signal(Signal::KILL);
        ids.extend(acknowledgements.iter());
        ids
    });
    let records = sink.records();
    let stored: HashSet<_> = messages(&records).into_iter().collect();
    let lost: Vec<_> = ids.iter().filter(|id| !stored.contains(id.as_str())).collect();
    assert!(ids.len() >= 200 && lost.is_empty(), "{} acknowledged, lost: {lost:?}", ids.len());
}

#[test]
fn an_answer_over_http_is_as_good() {
    let sink = Sink::start();
    let ok = |protocol: &str, first: &str, headers: &str, body: &[u8]| {
        assert_eq!(http::request(&sink, protocol, first, headers, body).status, 200);
    };
    ok("http_json", "POST /", "", b"{\"log\":\"one\"}");
    ok("elasticsearch", "POST /_bulk", "", b"{\"index\":{}}\n{\"message\":\"two\"}\n");
    let logs = protobuf::logs(&[protobuf::string_value("three")]);
    ok("otlp_http", "POST /v1/logs", "Content-Type: application/x-protobuf\r\n", &logs);
    sink.signal(Signal::KILL);
    assert_eq!(messages(&sink.records()), ["one", "two", "three"]);
}
