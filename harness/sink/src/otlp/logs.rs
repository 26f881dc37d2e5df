//! The messages in a delivery: the body of each log record.

use std::borrow::Cow;

use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::common::v1::{AnyValue, any_value::Value};

use crate::protocol::Origin;
use crate::record::{self, Batch};

/// Reads all records. A body that is no text is given as JSON.
pub(super) fn read(origin: Origin, request: &ExportLogsServiceRequest) -> Batch {
    let mut batch = Batch::new(origin);
    let scopes = request.resource_logs.iter().flat_map(|resource| &resource.scope_logs);
    for record in scopes.flat_map(|scope| &scope.log_records) {
        let (message, lossy) = record.body.as_ref().map_or((Cow::Borrowed(""), false), text);
        batch.add(&message, lossy);
    }
    batch
}

fn text(body: &AnyValue) -> (Cow<'_, str>, bool) {
    match &body.value {
        Some(Value::StringValue(text)) => (Cow::Borrowed(text), false),
        Some(Value::BytesValue(bytes)) => record::text(bytes),
        None => (Cow::Borrowed(""), false),
        Some(_) => (Cow::Owned(serde_json::to_string(body).unwrap_or_default()), false),
    }
}
