//! JSON over HTTP.

use crate::support::{Sink, gzip, http, messages};

#[test]
fn lines_arrays_and_gzip_are_taken_on_one_connection() {
    let sink = Sink::start();
    let mut stream = sink.connect("http_json");
    let lines = b"{\"date\":1,\"log\":\"one\"}\n{\"message\":\"two\"}\n";
    let answer = http::on(&mut stream, "POST /any/path", "Content-Type: application/x-ndjson\r\n", lines);
    assert_eq!((answer.status, answer.json()), (200, serde_json::json!({"records": 2})));
    let array = gzip(br#"[{"msg":"three"},{"body":"four"},{"n":5}]"#);
    assert_eq!(http::on(&mut stream, "POST /", "Content-Encoding: gzip\r\n", &array).status, 200);
    // It has been acknowledged, so it is there.
    let records = sink.records();
    assert_eq!(messages(&records), ["one", "two", "three", "four", r#"{"n":5}"#]);
    assert!(records.iter().all(|record| record["protocol"] == "http_json"));
}

#[test]
fn a_chunked_body_is_taken() {
    use std::io::Write as _;
    let sink = Sink::start();
    let mut stream = sink.connect("http_json");
    stream.write_all(b"POST / HTTP/1.1\r\nHost: sink\r\nTransfer-Encoding: chunked\r\n\r\n").unwrap();
    stream.write_all(b"8\r\n{\"log\":\"\r\n4\r\none\"\r\n1\r\n}\r\n0\r\n\r\n").unwrap();
    assert_eq!(http::answer(&mut stream, false).status, 200);
    assert_eq!(messages(&sink.records()), ["one"]);
}

#[test]
fn a_body_that_is_half_garbage_is_refused_as_a_whole() {
    let sink = Sink::start();
    let answer = http::request(&sink, "http_json", "POST /", "", b"{\"log\":\"one\"}\ngarbage\n");
    assert_eq!(answer.status, 400);
    assert!(answer.json()["error"]["reason"].as_str().unwrap().contains("line 2"), "{answer:?}");
    assert!(sink.records().is_empty());
    sink.await_trouble("http_json", "malformed");
    assert_eq!(http::request(&sink, "http_json", "GET /", "", b"").status, 405);
    assert_eq!(http::request(&sink, "http_json", "POST /", "Content-Encoding: br\r\n", b"x").status, 415);
    sink.await_trouble("http_json", "unknown_request");
}
