//! HTTP, for the protocols on top of it: takes the body in whole, asks the protocol for an answer.

mod answer;
mod body;

use std::convert::Infallible;
use std::pin::pin;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::http::request::Parts;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::time::timeout;

pub(crate) use self::answer::{Refused, json, of_type};
use crate::events::Trouble;
use crate::net::{Connection, LAST, Speaks, Stream, guess};
use crate::protocol::Protocol;
use crate::record::Batch;
use crate::{elasticsearch, http_json, otlp};

/// Headers and the rest of a request's head; bodies have a limit of their own.
const LONGEST_HEAD: usize = 64 << 10;

/// What a protocol answers.
pub(crate) type Answer = Result<Response<Full<Bytes>>, Refused>;

/// A request whose body has come.
#[derive(Debug)]
pub(crate) struct Received<'a> {
    pub(crate) head: Parts,
    pub(crate) body: body::Body,
    pub(crate) connection: &'a Connection,
}

/// Answers requests until the connection ends, or until the sink does and the sender is silent.
pub(crate) async fn serve(connection: &Connection, stream: Stream) {
    let service = service_fn(move |request| async move { Ok::<_, Infallible>(answer(connection, request).await) });
    let serving = http1::Builder::new().max_buf_size(LONGEST_HEAD).serve_connection(TokioIo::new(stream), service);
    let mut serving = pin!(serving);
    let ended = tokio::select! {
        biased;
        ended = serving.as_mut() => ended,
        () = connection.quiet() => {
            serving.as_mut().graceful_shutdown();
            match timeout(LAST, serving).await {
                Ok(ended) => ended,
                Err(_) => return,
            }
        }
    };
    let Err(error) = ended else { return };
    match guess(connection.meter.first()).filter(|speaks| *speaks != Speaks::Http) {
        Some(other) => connection.trouble(Trouble::WrongProtocol, format!("it speaks {other}")),
        None if error.is_parse_too_large() => {
            connection.trouble(Trouble::TooLong, format!("the head of a request is longer than {LONGEST_HEAD} bytes"));
        }
        None if error.is_parse() => connection.trouble(Trouble::Malformed, format!("a request can't be read: {error}")),
        None if error.is_incomplete_message() => connection.trouble(Trouble::BrokenOff, "it ended inside a request"),
        // It broke off where that is its right.
        None => {}
    }
}

async fn answer(connection: &Connection, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let (head, incoming) = request.into_parts();
    let body = body::receive(&head.headers, incoming, &connection.shared.room).await;
    connection.meter.complete(false);
    let protocol = connection.origin.protocol;
    let answer = match body {
        Err(refused) => Err(refused),
        Ok(body) => {
            let received = Received { head, body, connection };
            match protocol {
                Protocol::Elasticsearch => elasticsearch::answer(received).await,
                Protocol::OtlpHttp => otlp::answer(received).await,
                _ => http_json::answer(received).await,
            }
        }
    };
    let mut response = answer.unwrap_or_else(|refused| refused.tell(connection));
    if protocol == Protocol::Elasticsearch {
        elasticsearch::mark(&mut response);
    }
    response
}

impl Received<'_> {
    /// Returns when the messages are durable and may be acknowledged.
    pub(crate) async fn deliver(&self, batch: Batch) -> Result<(), Refused> {
        if let Some(refusal) = self.connection.shared.gate.refusal() {
            return Err(Refused::on_request(refusal));
        }
        self.connection.shared.deliver(batch).await.map_err(|_| Refused::store_failed())
    }
}
