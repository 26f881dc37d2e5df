//! The sink: a pod of its own, outside the tested one.

use serde_json::{Value, json};
use sidecheck_cluster::labels;
use sidecheck_core::agent::Protocol;

use super::{Context, SERVICE_ACCOUNT, pod};

/// The name of the sink's pod and container.
pub(crate) const SINK_NAME: &str = "sidecheck-sink";

/// Where it stores what it receives, and how it listens for what it is told.
const STORE: &str = "/sidecheck/sink/lines.jsonl";

/// A sink that receives what the scenario's agents speak.
pub(super) fn pod(context: &Context, protocol: Protocol) -> Value {
    let (option, port) = (option(protocol), protocol.port());
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": SINK_NAME, "namespace": context.namespace, "labels": {labels::RUN: context.run}},
        "spec": {
            "serviceAccountName": SERVICE_ACCOUNT,
            "terminationGracePeriodSeconds": 10,
            "volumes": [pod::evidence_volume(context)],
            "containers": [{
                "name": SINK_NAME,
                "image": context.witness_image,
                "imagePullPolicy": "IfNotPresent",
                "terminationMessagePolicy": "FallbackToLogsOnError",
                "command": ["/sidecheck-sink", option, format!("0.0.0.0:{port}"), "--store", STORE],
                "volumeMounts": [{"name": "evidence", "mountPath": "/sidecheck"}],
                // Once only: a sink that was told to be down must stay in its place.
                "startupProbe": {"tcpSocket": {"port": port}, "periodSeconds": 1, "timeoutSeconds": 10, "failureThreshold": 600},
            }],
        },
    })
}

/// How the sink's program is asked for a protocol.
fn option(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::SyslogTcp => "--syslog-tcp",
        Protocol::Forward => "--forward",
        Protocol::HttpJson => "--http-json",
        Protocol::ElasticsearchBulk => "--elasticsearch",
        Protocol::OtlpHttp => "--otlp-http",
    }
}
