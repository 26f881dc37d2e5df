//! Senders that send too much: the sink stays within bounds and serves the others.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use rustix::process::{Resource, getrlimit, setrlimit};

use crate::support::msgpack::{array, binary, map, text};
use crate::support::{ALL, Sink, gzip, http};

fn serves(sink: &Sink) {
    let answer = http::request(sink, "http_json", "POST /", "", b"{\"log\":\"good\"}");
    assert_eq!(answer.status, 200);
}

#[test]
fn a_line_of_100_mebibytes_is_cut_in_little_memory() {
    let sink = Sink::start();
    let piece = vec![b'x'; 1 << 20];
    let mut stream = sink.connect("syslog_tcp");
    for _ in 0..100 {
        stream.write_all(&piece).unwrap();
    }
    stream.write_all(b"\n<13>1 - h a - - - next\n").unwrap();
    let records = sink.await_records(2);
    assert_eq!((records[0]["message"].as_str().unwrap().len(), &records[0]["cut"]), (4 << 20, &true.into()));
    assert_eq!(records[1]["message"], "next");
    sink.await_trouble("syslog_tcp", "too_long");
    assert!(sink.peak_kib() < 80 << 10, "{} KiB", sink.peak_kib());
}

#[test]
fn a_body_above_the_limit_gets_413() {
    let sink = Sink::start();
    let mut stream = sink.connect("http_json");
    let length = 80 << 20;
    write!(stream, "POST / HTTP/1.1\r\nHost: sink\r\nContent-Length: {length}\r\n\r\n").unwrap();
    let piece = vec![b' '; 1 << 20];
    for _ in 0..length >> 20 {
        stream.write_all(&piece).unwrap();
    }
    assert_eq!(http::answer(&mut stream, false).status, 413);
    sink.await_trouble("http_json", "too_long");
    let bomb = gzip(&vec![b' '; 70 << 20]);
    let answer = http::request(&sink, "elasticsearch", "POST /_bulk", "Content-Encoding: gzip\r\n", &bomb);
    assert_eq!(answer.status, 413);
    sink.await_trouble("elasticsearch", "too_long");
    // It may be closed before all of it is written.
    let _ = write!(sink.connect("otlp_http"), "GET / HTTP/1.1\r\nX: {}\r\n", "y".repeat(100_000));
    sink.await_trouble("otlp_http", "too_long");
    serves(&sink);
}

#[test]
fn claims_and_depths_of_forward_are_not_believed() {
    let sink = Sink::start();
    let deep = [&b"\x93\xa1t\x01"[..], &vec![0x91; 100_000], b"\x01"].concat();
    let bomb = array(&[text("t"), binary(&gzip(&vec![0xc0; 70 << 20])), map(&[("compressed", text("gzip"))])]);
    for bytes in [&b"\x93\xa1t\xdd\xff\xff\xff\xff"[..], &deep, &bomb, b"\x92\xa1t\xc1"] {
        let mut stream = sink.connect("forward");
        // It may be reset before all of it is written.
        let _ = stream.write_all(bytes);
        assert!(!matches!(stream.read(&mut [0; 10]), Ok(1..)), "nothing to acknowledge");
    }
    sink.await_trouble("forward", "too_long");
    sink.await_trouble("forward", "malformed");
    assert!(sink.records().is_empty());
    serves(&sink);
}

#[test]
fn thousands_of_connections_lock_nobody_out() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit).unwrap();
    let sink = Sink::start();
    let idle: Vec<TcpStream> = ALL.iter().flat_map(|protocol| (0..600).map(|_| sink.connect(protocol))).collect();
    serves(&sink);
    sink.send(b"<13>1 - h a - - - two\n");
    sink.await_records(2);
    assert_eq!(idle.len(), 3000);
    assert!(sink.peak_kib() < 80 << 10, "{} KiB", sink.peak_kib());
}

#[test]
fn one_sender_may_not_have_all_connections() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit).unwrap();
    let sink = Sink::start();
    let _idle: Vec<TcpStream> = (0..4096).map(|_| sink.connect("forward")).collect();
    let mut one_more = sink.connect("forward");
    assert!(!matches!(one_more.read(&mut [0; 10]), Ok(1..)));
    sink.await_trouble("forward", "too_many_connections");
    serves(&sink);
}
