//! Elasticsearch, as far as agents need it to deliver: the bulk interface, and the questions that they ask before.

mod about;
mod bulk;

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{HeaderName, HeaderValue};
use hyper::{Method, Response, StatusCode};

use crate::events::Trouble;
use crate::http::{self, Answer, Received, Refused};

/// Stores a delivery or answers a question.
pub(crate) async fn answer(received: Received<'_>) -> Answer {
    let path = received.head.uri.path().to_owned();
    let method = &received.head.method;
    if let (&Method::POST | &Method::PUT, Some(before)) = (method, path.strip_suffix("/_bulk")) {
        let index = before.trim_start_matches('/').to_owned();
        let bulk = bulk::read(received.connection.origin, &index, &received.body.bytes).map_err(Refused::malformed)?;
        if let Some(why) = bulk.refused() {
            received.connection.trouble(Trouble::Malformed, why);
        }
        let answer = bulk.answer();
        received.deliver(bulk.batch).await?;
        return Ok(http::json(StatusCode::OK, &answer));
    }
    about::answer(method, &path).ok_or_else(|| {
        let why = format!("{method} {path} is not known here");
        Refused::sender(StatusCode::NOT_FOUND, Trouble::UnknownRequest, why)
    })
}

/// Sets the header without which clients from 7.14 on don't believe that it is Elasticsearch.
pub(crate) fn mark(response: &mut Response<Full<Bytes>>) {
    let product = HeaderName::from_static("x-elastic-product");
    response.headers_mut().insert(product, HeaderValue::from_static("Elasticsearch"));
}
