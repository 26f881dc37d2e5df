//! What agents ask before they deliver: version, license, templates and policies. All is there already, so nothing has to
//! be set up.

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::http::{json, of_type};

/// What it claims to be: the last series that Filebeat 7.17 delivers to, and one that later agents and Fluent Bit accept.
const VERSION: &str = "7.17.29";

/// The answer to a question; none for one that isn't known.
pub(super) fn answer(method: &Method, path: &str) -> Option<Response<Full<Bytes>>> {
    let setup = ["/_ilm/", "/_index_template/", "/_component_template/", "/_template/"];
    let asks = matches!(*method, Method::GET | Method::HEAD);
    let value = match path {
        "/" if asks => version(),
        "/_license" if asks => license(),
        "/_xpack" if asks => xpack(),
        _ if asks && path.starts_with("/_cat/templates/") => {
            let name = &path["/_cat/templates/".len()..];
            return Some(of_type("text/plain; charset=UTF-8", StatusCode::OK, format!("{name} [{name}*] 0 \n")));
        }
        _ if asks && setup.iter().any(|prefix| path.starts_with(prefix)) => json!({}),
        _ if setup.iter().any(|prefix| path.starts_with(prefix)) => json!({"acknowledged": true}),
        _ => return None,
    };
    Some(json(StatusCode::OK, &value))
}

fn version() -> Value {
    json!({
        "name": "sidecheck-sink",
        "cluster_name": "sidecheck",
        "cluster_uuid": "c2lkZWNoZWNrLXNpbmstMQ",
        "version": {
            "number": VERSION,
            "build_flavor": "default",
            "build_type": "docker",
            "build_snapshot": false,
            "lucene_version": "8.11.3",
            "minimum_wire_compatibility_version": "6.8.0",
            "minimum_index_compatibility_version": "6.0.0-beta1",
        },
        "tagline": "You Know, for Search",
    })
}

fn license() -> Value {
    json!({"license": {"uid": "c2lkZWNoZWNr", "type": "basic", "mode": "basic", "status": "active"}})
}

fn xpack() -> Value {
    json!({
        "build": {"hash": "0", "date": "2024-01-01T00:00:00.000Z"},
        "license": {"uid": "c2lkZWNoZWNr", "type": "basic", "mode": "basic", "status": "active"},
        "features": {"ilm": {"available": true, "enabled": true}},
    })
}
