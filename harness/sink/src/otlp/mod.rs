//! The OpenTelemetry protocol over HTTP, for logs: protobuf and JSON.
//! <https://opentelemetry.io/docs/specs/otlp/#otlphttp>

mod logs;

use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Method, StatusCode};
use opentelemetry_proto::tonic::collector::logs::v1::{ExportLogsServiceRequest, ExportLogsServiceResponse};
use prost::Message as _;

use crate::events::Trouble;
use crate::http::{self, Answer, Received, Refused};

const PROTOBUF: &str = "application/x-protobuf";
const JSON: &str = "application/json";

/// Stores a delivery of logs.
pub(crate) async fn answer(received: Received<'_>) -> Answer {
    let (method, path) = (&received.head.method, received.head.uri.path());
    if (method, path) != (&Method::POST, "/v1/logs") {
        let why = format!("{method} {path} is not known here: only POST /v1/logs is");
        return Err(Refused::sender(StatusCode::NOT_FOUND, Trouble::UnknownRequest, why));
    }
    let encoding = encoding(received.head.headers.get(CONTENT_TYPE))?;
    let body = &received.body.bytes;
    let request = if encoding == PROTOBUF {
        ExportLogsServiceRequest::decode(body.clone()).map_err(|error| error.to_string())
    } else {
        serde_json::from_slice(body).map_err(|error| error.to_string())
    };
    let request = request.map_err(|why| Refused::malformed(format!("the body is no ExportLogsServiceRequest: {why}")))?;
    received.deliver(logs::read(received.connection.origin, &request)).await?;
    // An empty message says that all of it was taken.
    let response = ExportLogsServiceResponse::default();
    let body = if encoding == PROTOBUF { response.encode_to_vec() } else { b"{}".to_vec() };
    Ok(http::of_type(encoding, StatusCode::OK, body))
}

fn encoding(content_type: Option<&HeaderValue>) -> Result<&'static str, Refused> {
    let essence = content_type.and_then(|value| value.to_str().ok()).and_then(|value| value.split(';').next());
    match essence.map(str::trim) {
        Some(PROTOBUF) => Ok(PROTOBUF),
        Some(JSON) => Ok(JSON),
        other => {
            let why = format!("the content type {other:?} is not known here: {PROTOBUF} and {JSON} are");
            Err(Refused::sender(StatusCode::UNSUPPORTED_MEDIA_TYPE, Trouble::UnknownRequest, why))
        }
    }
}
