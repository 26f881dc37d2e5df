//! The OpenTelemetry protocol over HTTP.

use crate::support::protobuf::{bytes_value, logs, string_value};
use crate::support::{Sink, gzip, http, messages};

const PROTOBUF: &str = "Content-Type: application/x-protobuf\r\n";
const JSON: &str = "Content-Type: application/json\r\n";

#[test]
fn protobuf_is_taken_with_and_without_gzip() {
    let sink = Sink::start();
    let long = "x".repeat(300);
    let body = logs(&[string_value("one"), string_value(&long), bytes_value(b"\xfftwo"), vec![]]);
    let answer = http::request(&sink, "otlp_http", "POST /v1/logs", PROTOBUF, &body);
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/x-protobuf")));
    assert!(answer.body.is_empty(), "an empty message says that all of it was taken: {answer:?}");
    let zipped = gzip(&logs(&[string_value("three")]));
    let headers = format!("{PROTOBUF}Content-Encoding: gzip\r\n");
    assert_eq!(http::request(&sink, "otlp_http", "POST /v1/logs", &headers, &zipped).status, 200);
    let records = sink.records();
    assert_eq!(messages(&records), ["one", &long, "\u{fffd}two", "", "three"]);
    assert_eq!(records[2]["lossy"], true);
    assert!(records.iter().all(|record| record["protocol"] == "otlp_http"));
}

#[test]
fn json_is_taken_as_the_collector_writes_it() {
    let sink = Sink::start();
    let body = br#"{"resourceLogs":[{"resource":{"attributes":[{"key":"a","value":{"intValue":"1"}}]},"scopeLogs":[{"scope":{},
        "logRecords":[{"observedTimeUnixNano":"1700000000000000000","body":{"stringValue":"one"},
        "attributes":[{"key":"log.file.name","value":{"stringValue":"a.log"}}],"traceId":"","spanId":""},
        {"severityNumber":9,"body":{"kvlistValue":{"values":[{"key":"k","value":{"boolValue":true}}]}}}]}]}]}"#;
    let answer = http::request(&sink, "otlp_http", "POST /v1/logs", "Content-Type: application/json; charset=utf-8\r\n", body);
    assert_eq!((answer.status, answer.body.as_slice()), (200, &b"{}"[..]), "{answer:?}");
    let records = sink.records();
    assert_eq!(messages(&records)[0], "one");
    assert!(messages(&records)[1].contains("kvlistValue"), "{records:?}");
}

#[test]
fn what_is_no_logs_is_refused() {
    let sink = Sink::start();
    assert_eq!(http::request(&sink, "otlp_http", "POST /v1/logs", PROTOBUF, b"\xff\xff\xff").status, 400);
    assert_eq!(http::request(&sink, "otlp_http", "POST /v1/logs", JSON, br#"{"resourceLogs":7}"#).status, 400);
    sink.await_trouble("otlp_http", "malformed");
    assert_eq!(http::request(&sink, "otlp_http", "POST /v1/logs", "Content-Type: text/plain\r\n", b"").status, 415);
    assert_eq!(http::request(&sink, "otlp_http", "POST /v1/traces", PROTOBUF, b"").status, 404);
    sink.await_trouble("otlp_http", "unknown_request");
    assert!(sink.records().is_empty());
}
