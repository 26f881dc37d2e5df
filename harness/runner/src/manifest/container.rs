//! One container: the witness with its probes and hooks, or an agent.

use serde_json::{Value, json};
use sidecheck_core::scenario::{Container, Hook, Pod, Probe, Span};

use super::{Context, agent, behaviour, merged};

/// Where the volume with the witness's record is mounted.
const EVIDENCE: &str = "/sidecheck";
/// Where the log files lie that agents read.
pub(super) const LOGS: &str = "/logs";
pub(super) const WITNESS: &str = "/sidecheck-witness";

/// Which list of the pod a container stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Init,
    Main,
}

pub(super) fn container(context: &Context, pod: &Pod, container: &Container, role: Role) -> Value {
    let mut object = match &container.agent {
        Some(name) => agent::container(context, pod, container, name),
        None => witness(context, container, role),
    };
    if container.sidecar {
        object["restartPolicy"] = json!("Always");
    }
    merged(object, &container.spec)
}

fn witness(context: &Context, container: &Container, role: Role) -> Value {
    let mut object = json!({
        "name": container.name,
        "image": context.witness_image,
        "imagePullPolicy": "IfNotPresent",
        "command": behaviour::command(container, role),
        "env": [
            {"name": "POD_NAME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
            {"name": "POD_UID", "valueFrom": {"fieldRef": {"fieldPath": "metadata.uid"}}},
            {"name": "SIDECHECK_RUN", "value": context.run},
            {"name": "SIDECHECK_EVIDENCE", "value": EVIDENCE},
        ],
        "volumeMounts": [{"name": "evidence", "mountPath": EVIDENCE}, {"name": "logs", "mountPath": LOGS}],
    });
    let probes = [
        ("startupProbe", "startup", container.startup_probe),
        ("readinessProbe", "readiness", container.readiness_probe),
        ("livenessProbe", "liveness", container.liveness_probe),
    ];
    for (field, kind, settings) in probes {
        if let Some(settings) = settings {
            object[field] = probe(&container.name, kind, settings);
        }
    }
    for (field, kind, hook) in [("postStart", "post_start", container.post_start), ("preStop", "pre_stop", container.pre_stop)] {
        if let Some(hook) = hook {
            object["lifecycle"][field] = json!({"exec": {"command": hook_command(&container.name, kind, hook)}});
        }
    }
    object
}

fn hook_command(name: &str, kind: &str, hook: Hook) -> Vec<String> {
    let mut command = [WITNESS, "hook", kind, "--name", name].map(str::to_owned).to_vec();
    command.extend(["--takes".to_owned(), hook.takes.millis().to_string(), "--code".to_owned(), hook.code.to_string()]);
    command
}

fn probe(name: &str, kind: &str, probe: Probe) -> Value {
    let seconds = |span: Span| span.millis().div_ceil(1000);
    let mut command = [WITNESS, "probe", kind, "--name", name].map(str::to_owned).to_vec();
    if probe.takes.millis() > 0 {
        command.extend(["--takes".to_owned(), probe.takes.millis().to_string()]);
    }
    let mut object = json!({
        "exec": {"command": command},
        "periodSeconds": seconds(probe.period).max(1),
        "initialDelaySeconds": seconds(probe.initial_delay),
        "timeoutSeconds": seconds(probe.timeout).max(1),
        "failureThreshold": probe.failures,
    });
    if let Some(grace) = probe.grace {
        object["terminationGracePeriodSeconds"] = json!(seconds(grace));
    }
    object
}
