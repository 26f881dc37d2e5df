//! One container: the witness with its behaviour as arguments, or an agent.

use serde_json::{Value, json};
use sidecheck_core::scenario::{Container, Probe};

use super::{Context, agent};

/// Where the volume with the witness's record is mounted.
const EVIDENCE: &str = "/sidecheck";
/// Where the log files lie that agents read.
pub(super) const LOGS: &str = "/logs";
const WITNESS: &str = "/sidecheck-witness";

/// Which list of the pod a container stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Init,
    Main,
}

pub(super) fn container(context: &Context, container: &Container, role: Role) -> Value {
    let mut object = match &container.agent {
        Some(name) => agent::container(context, container, name),
        None => witness(context, container, role),
    };
    if container.sidecar {
        object["restartPolicy"] = json!("Always");
    }
    object
}

fn witness(context: &Context, container: &Container, role: Role) -> Value {
    let mut object = json!({
        "name": container.name,
        "image": context.witness_image,
        "imagePullPolicy": "IfNotPresent",
        "command": command(container, role),
        "env": [
            {"name": "POD_NAME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
            {"name": "POD_UID", "valueFrom": {"fieldRef": {"fieldPath": "metadata.uid"}}},
            {"name": "SIDECHECK_RUN", "value": context.run},
            {"name": "SIDECHECK_EVIDENCE", "value": EVIDENCE},
        ],
        "volumeMounts": [{"name": "evidence", "mountPath": EVIDENCE}, {"name": "logs", "mountPath": LOGS}],
    });
    for (field, kind, settings) in
        [("startupProbe", "startup", container.startup_probe), ("readinessProbe", "readiness", container.readiness_probe)]
    {
        if let Some(settings) = settings {
            object[field] = probe(&container.name, kind, settings);
        }
    }
    object
}

fn command(container: &Container, role: Role) -> Vec<String> {
    let mut command = vec![WITNESS.to_owned(), "run".to_owned(), "--name".to_owned(), container.name.clone()];
    let mut option = |name: &str, value: String| command.extend([name.to_owned(), value]);
    if let Some(ready_after) = ready_after(container) {
        option("--ready-after", ready_after.to_string());
    }
    if container.stop_takes.millis() > 0 {
        option("--stop-takes", container.stop_takes.millis().to_string());
    }
    if let Some(writes) = container.writes {
        option("--write-lines", writes.lines.to_string());
        option("--write-to", format!("{LOGS}/{}.log", container.name));
        if writes.every.millis() > 0 {
            option("--write-every", writes.every.millis().to_string());
        }
    }
    if let Some(exits) = &container.exits {
        option("--exits-after", exits.after.millis().to_string());
        option("--exit-code", exits.code.to_string());
        if let Some(other) = &exits.once_started {
            option("--exits-once", other.clone());
        }
        if let Some(first) = exits.first_incarnations {
            option("--exits-first", first.to_string());
        }
    } else if role == Role::Init && !container.sidecar {
        option("--exits-after", "0".to_owned());
    }
    command
}

/// The container's one age of readiness: the larger of its probes' ages.
fn ready_after(container: &Container) -> Option<u64> {
    [container.startup_probe, container.readiness_probe].into_iter().flatten().map(|probe| probe.succeeds_after.millis()).max()
}

fn probe(name: &str, kind: &str, probe: Probe) -> Value {
    json!({
        "exec": {"command": [WITNESS, "probe", kind, "--name", name]},
        "periodSeconds": probe.period.millis().div_ceil(1000).max(1),
        // Starting a process in a container took up to 0.9 s under load upstream (kubernetes#129036), and Kubernetes' default
        // of 1 s would make a slow machine look like a failing probe.
        "timeoutSeconds": 10,
        "failureThreshold": 600,
    })
}
