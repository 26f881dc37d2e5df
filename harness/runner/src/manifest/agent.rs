//! A log agent as a container, and its configuration.

use serde_json::{Value, json};
use sidecheck_core::{agent::Agent, scenario::Container};

use super::{Context, container::LOGS, sink};

/// The agent's container; its configuration comes from the ConfigMap of [`config_map`].
pub(super) fn container(context: &Context, container: &Container, name: &str) -> Value {
    let (agent, image) = &context.agents[name];
    let config = agent.config.path.as_str();
    let mut object = json!({
        "name": container.name,
        "image": image,
        "imagePullPolicy": "IfNotPresent",
        // An agent that refuses its configuration says why in its last lines, and they become part of what was seen.
        "terminationMessagePolicy": "FallbackToLogsOnError",
        "command": agent.command,
        "volumeMounts": [
            {"name": "logs", "mountPath": LOGS},
            {"name": volume(name), "mountPath": config, "subPath": "config"},
        ],
    });
    if let Some(command) = &agent.startup_probe {
        object["startupProbe"] =
            json!({"exec": {"command": command}, "periodSeconds": 1, "timeoutSeconds": 10, "failureThreshold": 600});
    }
    object
}

/// The volume that carries the configuration.
pub(super) fn config_volume(name: &str) -> Value {
    json!({"name": volume(name), "configMap": {"name": volume(name)}})
}

/// The configuration with its placeholders filled in.
pub(super) fn config_map(context: &Context, name: &str, agent: &Agent, sink_host: &str) -> Value {
    let text = agent
        .config
        .text
        .replace("{{logs}}", LOGS)
        .replace("{{sink_host}}", sink_host)
        .replace("{{sink_port}}", &sink::port(agent.speaks).to_string());
    json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": volume(name), "namespace": context.namespace},
        "data": {"config": text},
    })
}

fn volume(name: &str) -> String {
    format!("agent-{name}")
}
