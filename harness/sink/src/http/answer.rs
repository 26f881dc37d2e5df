//! Answers, and why there is no good one.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use hyper::{Response, StatusCode};
use serde_json::{Value, json};

use crate::behaviour::Refusal;
use crate::events::Trouble;
use crate::net::Connection;

/// A request that isn't done.
#[derive(Debug)]
pub(crate) struct Refused {
    status: StatusCode,
    why: String,
    retry_after_s: Option<u32>,
    /// What the sender did wrong, if it did.
    trouble: Option<Trouble>,
}

/// A JSON answer.
pub(crate) fn json(status: StatusCode, value: &Value) -> Response<Full<Bytes>> {
    of_type("application/json", status, value.to_string())
}

/// An answer of another type.
pub(crate) fn of_type(kind: &'static str, status: StatusCode, body: impl Into<Bytes>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

impl Refused {
    /// The sender is to blame, and is reported.
    pub(crate) fn sender(status: StatusCode, trouble: Trouble, why: impl Into<String>) -> Self {
        Refused { status, why: why.into(), retry_after_s: None, trouble: Some(trouble) }
    }

    /// The protocol's, but not to be understood.
    pub(crate) fn malformed(why: impl Into<String>) -> Self {
        Self::sender(StatusCode::BAD_REQUEST, Trouble::Malformed, why)
    }

    /// As the behaviour wants it.
    pub(super) fn on_request(refusal: Refusal) -> Self {
        let status = StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
        let why = "this sink has been told to refuse".to_owned();
        Refused { status, why, retry_after_s: refusal.retry_after_s, trouble: None }
    }

    pub(super) fn no_room() -> Self {
        let why = "the request has no room beside those of others";
        let refused = Self::sender(StatusCode::SERVICE_UNAVAILABLE, Trouble::NoRoom, why);
        Refused { retry_after_s: Some(1), ..refused }
    }

    pub(super) fn store_failed() -> Self {
        let why = "the store has failed".to_owned();
        Refused { status: StatusCode::INTERNAL_SERVER_ERROR, why, retry_after_s: None, trouble: None }
    }

    /// Reports the sender and makes the answer, in the form that Elasticsearch gives its errors.
    pub(super) fn tell(self, connection: &Connection) -> Response<Full<Bytes>> {
        let status = self.status.as_u16();
        let mut response = json(self.status, &json!({"error": {"type": "refused", "reason": self.why}, "status": status}));
        if let Some(seconds) = self.retry_after_s {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        if let Some(trouble) = self.trouble {
            connection.trouble(trouble, self.why);
        }
        response
    }
}
