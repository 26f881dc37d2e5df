//! JSON over HTTP: the body of a POST is objects one after another, with line feeds between them or without, or arrays of
//! objects. That is what Fluent Bit's `http` output sends with the formats `json`, `json_lines` and `json_stream`, and
//! Vector's `http` sink. Which part of an object is the message: see [`crate::fields::KEYS`].

mod objects;

use hyper::{Method, StatusCode};
use serde_json::json;

use crate::events::Trouble;
use crate::http::{self, Answer, Received, Refused};

/// Stores a delivery; the path doesn't matter. Either all of it is taken or, if any of it can't be read, none.
pub(crate) async fn answer(received: Received<'_>) -> Answer {
    if !matches!(received.head.method, Method::POST | Method::PUT) {
        let why = format!("{} is not known here: only POST and PUT are", received.head.method);
        return Err(Refused::sender(StatusCode::METHOD_NOT_ALLOWED, Trouble::UnknownRequest, why));
    }
    let batch = objects::read(received.connection.origin, &received.body.bytes);
    let batch = batch.map_err(|error| Refused::malformed(format!("the body is no JSON objects: {error}")))?;
    let records = batch.records;
    received.deliver(batch).await?;
    Ok(http::json(StatusCode::OK, &json!({ "records": records })))
}
