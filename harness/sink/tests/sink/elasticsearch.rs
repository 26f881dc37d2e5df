//! Elasticsearch's bulk interface.

use crate::support::{Sink, gzip, http, messages};

const NDJSON: &str = "Content-Type: application/x-ndjson\r\n";

#[test]
fn a_bulk_is_answered_item_by_item() {
    let sink = Sink::start();
    let body = concat!(
        "{\"index\":{\"_index\":\"logs\",\"_id\":\"7\"}}\n{\"@timestamp\":\"now\",\"message\":\"one\"}\n",
        "{\"create\":{}}\n{\"log\":\"two\"}\n",
        "{\"create\":{\"_index\":\"logs\"}}\nno json\n",
        "{\"delete\":{\"_id\":\"7\"}}\n",
        "{\"update\":{\"_id\":\"7\"}}\n{\"doc\":{}}\n",
        "{\"create\":{\"pipeline\":\"p\"}}\n{\"message\":\"three\"}\n",
    );
    let answer = http::request(&sink, "elasticsearch", "POST /filebeat/_bulk?filter_path=errors", NDJSON, body.as_bytes());
    assert_eq!((answer.status, answer.header("x-elastic-product")), (200, Some("Elasticsearch")));
    let answer = answer.json();
    assert_eq!(answer["errors"], true);
    let items = answer["items"].as_array().unwrap();
    let status: Vec<_> = items
        .iter()
        .map(|item| item.as_object().unwrap().iter().next().unwrap())
        .map(|(action, item)| (action.as_str(), item["status"].as_u64().unwrap(), item.get("error").is_some()))
        .collect();
    let expected = [("index", 201, false), ("create", 201, false), ("create", 400, true)];
    assert_eq!(status[..3], expected);
    assert_eq!(status[3..], [("delete", 400, true), ("update", 400, true), ("create", 201, false)]);
    assert_eq!((&items[0]["index"]["_index"], &items[0]["index"]["_id"]), (&"logs".into(), &"7".into()));
    assert_eq!(items[1]["create"]["_index"], "filebeat");
    let records = sink.records();
    assert_eq!(messages(&records), ["one", "two", "three"]);
    assert!(records.iter().all(|record| record["protocol"] == "elasticsearch"));
    sink.await_trouble("elasticsearch", "malformed");
}

#[test]
fn a_good_bulk_has_no_errors() {
    let sink = Sink::start();
    let body = gzip(b"{\"create\":{\"_index\":\"a\"}}\n{\"message\":\"one\"}\n");
    let answer = http::request(&sink, "elasticsearch", "POST /_bulk", "Content-Encoding: gzip\r\n", &body);
    assert_eq!((answer.status, &answer.json()["errors"]), (200, &false.into()));
    assert_eq!(messages(&sink.records()), ["one"]);
}

#[test]
fn a_bulk_that_has_lost_its_order_is_refused_as_a_whole() {
    let sink = Sink::start();
    for body in ["{\"message\":\"one\"}\n{\"create\":{}}\n", "{\"create\":{}}\n", "garbage\n"] {
        assert_eq!(http::request(&sink, "elasticsearch", "POST /_bulk", NDJSON, body.as_bytes()).status, 400, "{body}");
    }
    assert!(sink.records().is_empty());
}

#[test]
fn the_questions_of_agents_are_answered() {
    let sink = Sink::start();
    let mut stream = sink.connect("elasticsearch");
    let mut ask = |first: &str| {
        let answer = http::on(&mut stream, first, "", b"");
        assert_eq!(answer.header("x-elastic-product"), Some("Elasticsearch"), "{first}");
        answer
    };
    let version = ask("GET /").json();
    assert!(version["version"]["number"].as_str().unwrap().starts_with("7.17."));
    assert_eq!(version["tagline"], "You Know, for Search");
    assert_eq!(ask("GET /_license").json()["license"]["status"], "active");
    assert_eq!(ask("GET /_xpack").json()["features"]["ilm"]["available"], true);
    assert!(String::from_utf8(ask("GET /_cat/templates/filebeat-7.17").body).unwrap().contains("filebeat-7.17"));
    for first in ["HEAD /", "HEAD /_index_template/a", "GET /_ilm/policy/a", "PUT /_ilm/policy/a", "PUT /_template/a"] {
        assert_eq!(ask(first).status, 200, "{first}");
    }
    assert_eq!(ask("GET /_search").status, 404);
    sink.await_trouble("elasticsearch", "unknown_request");
}
