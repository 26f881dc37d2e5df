//! The sink: a pod of its own, outside the tested one.

use serde_json::{Value, json};
use sidecheck_cluster::labels;
use sidecheck_core::agent::Protocol;

use super::{Context, SERVICE_ACCOUNT, pod};

/// The name of the sink's pod and container.
pub(crate) const SINK_NAME: &str = "sidecheck-sink";

/// The port on which the sink receives that protocol.
pub(super) fn port(protocol: Protocol) -> u16 {
    protocol.port()
}

pub(super) fn pod(context: &Context) -> Value {
    let syslog = port(Protocol::SyslogTcp);
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
                "command": ["/sidecheck-sink", "--syslog-tcp", format!("0.0.0.0:{syslog}"), "--store", "/sidecheck/sink/lines.jsonl"],
                "volumeMounts": [{"name": "evidence", "mountPath": "/sidecheck"}],
                "readinessProbe": {"tcpSocket": {"port": syslog}, "periodSeconds": 1, "timeoutSeconds": 10, "failureThreshold": 600},
            }],
        },
    })
}
