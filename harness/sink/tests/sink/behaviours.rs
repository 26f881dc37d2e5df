//! Behaviours on request.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::support::{ALL, SOON, Sink, http};

/// Reads until the connection ends; true when it ended in a reset.
fn is_reset(mut stream: TcpStream) -> bool {
    match stream.read(&mut [0; 100]) {
        Ok(0) => false,
        Ok(_) => panic!("nothing was to be said"),
        Err(error) => error.kind() == ErrorKind::ConnectionReset,
    }
}

fn post(sink: &Sink) -> http::Answer {
    http::request(sink, "http_json", "POST /", "", b"{\"log\":\"one\"}")
}

#[test]
fn down_refuses_and_resets_until_it_is_up_again() {
    let sink = Sink::start();
    let open: Vec<_> = ALL.map(|protocol| sink.connect(protocol)).into();
    let since = sink.told(&["down"]);
    for (protocol, stream) in ALL.iter().zip(open) {
        assert!(is_reset(stream), "{protocol}");
        let refused = TcpStream::connect(sink.address(protocol)).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::ConnectionRefused, "{protocol}");
    }
    let event = sink.await_event("event of down", |event| event["behaviour"]["kind"] == "down");
    assert!(event["asked_ns"].as_u64().unwrap() <= since && event["at_ns"].as_u64().unwrap() >= since);
    sink.told(&["normal"]);
    assert_eq!(post(&sink).status, 200);
    sink.send(b"<13>1 - h a - - - two\n");
    sink.await_records(2);
}

#[test]
fn a_slow_sink_answers_late_and_a_change_lets_all_go() {
    let sink = Sink::start();
    sink.told(&["slow", "--delay-ms", "300"]);
    let begin = Instant::now();
    assert_eq!(post(&sink).status, 200);
    assert!(begin.elapsed() >= Duration::from_millis(300));
    sink.told(&["slow", "--delay-ms", "3600000"]);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| post(&sink));
        sink.await_records(2);
        assert!(!waiting.is_finished(), "durable, and not yet answered");
        sink.told(&["normal"]);
        assert_eq!(waiting.join().unwrap().status, 200);
    });
}

#[test]
fn a_rate_holds_for_syslog_and_for_deliveries() {
    let sink = Sink::start();
    sink.told(&["slow", "--per-second", "100"]);
    sink.send(&b"<13>1 - h a - - - one\n".repeat(40));
    let records = sink.await_records(40);
    let times: Vec<_> = records.iter().map(|record| record["received_ns"].as_u64().unwrap()).collect();
    assert!(times[39] - times[0] >= 380_000_000, "40 lines within {} ns", times[39] - times[0]);
    let begin = Instant::now();
    let body = b"{\"log\":\"one\"}\n".repeat(40);
    assert_eq!(http::request(&sink, "http_json", "POST /", "", &body).status, 200);
    assert!(begin.elapsed() >= Duration::from_millis(400));
}

#[test]
fn flapping_goes_on_until_it_is_told_otherwise() {
    let sink = Sink::start();
    sink.told(&["flapping", "--up-ms", "50", "--down-ms", "50"]);
    let turns = |up: bool| sink.events().iter().filter(|event| event["event"] == "reachable" && event["up"] == up).count();
    let begin = Instant::now();
    while turns(true) < 2 || turns(false) < 2 {
        assert!(begin.elapsed() < SOON);
        std::thread::sleep(Duration::from_millis(10));
    }
    sink.told(&["normal"]);
    let after = turns(true) + turns(false);
    assert_eq!(post(&sink).status, 200);
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(turns(true) + turns(false), after);
}

#[test]
fn refusing_says_so_over_http_and_resets_the_others() {
    let sink = Sink::start();
    let open = ["syslog_tcp", "forward"].map(|protocol| sink.connect(protocol));
    sink.told(&["refusing", "--status", "429", "--retry-after-s", "7"]);
    assert!(open.into_iter().all(is_reset));
    let logs = br#"{"resourceLogs":[]}"#;
    let json = "Content-Type: application/json\r\n";
    for answer in [
        post(&sink),
        http::request(&sink, "elasticsearch", "POST /_bulk", json, b"{\"index\":{}}\n{\"log\":\"one\"}\n"),
        http::request(&sink, "otlp_http", "POST /v1/logs", json, logs),
    ] {
        assert_eq!((answer.status, answer.header("retry-after")), (429, Some("7")));
    }
    for protocol in ["syslog_tcp", "forward"] {
        assert!(is_reset(sink.connect(protocol)), "{protocol}");
    }
    assert_eq!(http::request(&sink, "elasticsearch", "GET /", "", b"").status, 200, "a question is no delivery");
    sink.told(&["refusing"]);
    let answer = post(&sink);
    assert_eq!((answer.status, answer.header("retry-after")), (503, None));
    assert!(sink.records().is_empty());
    sink.told(&["normal"]);
    assert_eq!(post(&sink).status, 200);
}

#[test]
fn a_term_ends_a_slow_sink_in_time_and_takes_in_what_waits() {
    let mut sink = Sink::start();
    sink.told(&["slow", "--delay-ms", "3600000", "--per-second", "1"]);
    sink.connect("syslog_tcp").write_all(&b"<13>1 - h a - - - one\n".repeat(500)).unwrap();
    let begin = Instant::now();
    assert_eq!(sink.term().code(), Some(0));
    assert!(begin.elapsed() < Duration::from_secs(6), "took {:?}", begin.elapsed());
    assert_eq!(sink.records().len(), 500);
}

#[test]
fn a_term_ends_a_sink_that_is_down() {
    let mut sink = Sink::start();
    assert_eq!(post(&sink).status, 200);
    sink.told(&["flapping", "--up-ms", "3600000"]);
    assert_eq!(sink.term().code(), Some(0));
    assert_eq!(sink.records().len(), 1);
}

#[test]
fn what_cannot_be_told_is_said() {
    let mut sink = Sink::start();
    for (words, code) in [(&["sleepy"][..], 2), (&["refusing", "--status", "200"], 2), (&["slow", "--per-second", "0"], 2)] {
        assert_eq!(sink.tell(words).status.code(), Some(code), "{words:?}");
    }
    sink.term();
    let output = sink.tell(&["down"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("store.control"));
}
