//! A log agent as a container, and its configuration.

use serde_json::{Value, json};
use sidecheck_core::{
    agent::{Agent, Chosen, Filled, LogSource, Place},
    scenario::{Container, Pod},
};

use super::{Context, container::LOGS, merged};

/// Where the folders lie in which the node keeps the logs of the pod's containers, in an agent that reads those.
const CONTAINER_LOGS: &str = "/container-logs";
/// Where they lie on the node.
const NODE_LOGS: &str = "/var/log/pods";
/// The folder of one pod below that. Its name is known only when the pod runs.
const POD_FOLDER: &str = "$(POD_NAMESPACE)_$(POD_NAME)_$(POD_UID)";

/// An agent as a container of a scenario names it.
struct Named<'a> {
    agent: &'a Agent,
    image: &'a str,
    chosen: Chosen,
    configuration: &'a str,
}

impl<'a> Named<'a> {
    /// The catalog has checked all names when it read the scenario.
    fn of(context: &'a Context, name: &str) -> Option<Self> {
        let chosen: Chosen = name.parse().ok()?;
        let (agent, image) = context.agents.get(&chosen.name)?;
        let (configuration, _) = agent.configuration(&chosen).ok()?;
        Some(Self { agent, image, chosen, configuration })
    }

    fn volume(&self, kind: &str) -> String {
        volume(&self.chosen.name, kind)
    }

    fn key(&self, what: &str) -> String {
        key(self.configuration, self.chosen.source, what)
    }
}

/// The agent's container; its configuration comes from the ConfigMap of [`config_map`].
pub(super) fn container(context: &Context, pod: &Pod, container: &Container, name: &str) -> Value {
    let Some(named) = Named::of(context, name) else { return Value::Null };
    let filled = filled(named.agent, named.configuration, named.chosen.source, "", 0);
    let field = |name: &str, path: &str| json!({"name": name, "valueFrom": {"fieldRef": {"fieldPath": path}}});
    let mut env =
        vec![field("POD_NAMESPACE", "metadata.namespace"), field("POD_NAME", "metadata.name"), field("POD_UID", "metadata.uid")];
    env.extend(filled.env.keys().map(|name| {
        let key = named.key(&format!("env.{name}"));
        json!({"name": name, "valueFrom": {"configMapKeyRef": {"name": config_name(&named.chosen.name), "key": key}}})
    }));
    let mut object = json!({
        "name": container.name,
        "image": named.image,
        "imagePullPolicy": "IfNotPresent",
        // An agent that refuses its configuration says why in its last lines, and they become part of what was seen.
        "terminationMessagePolicy": "FallbackToLogsOnError",
        "env": env,
        "volumeMounts": mounts(&named, pod, &filled),
    });
    for (field, words) in [("command", &named.agent.command), ("args", &named.agent.args)] {
        if !words.is_empty() {
            object[field] = json!(words);
        }
    }
    if !named.agent.startup_probe.is_null() {
        let patience = json!({"periodSeconds": 1, "timeoutSeconds": 10, "failureThreshold": 600});
        object["startupProbe"] = merged(patience, &named.agent.startup_probe);
    }
    merged(object, &named.agent.spec)
}

fn mounts(named: &Named<'_>, pod: &Pod, filled: &Filled) -> Vec<Value> {
    let configs = filled.files.iter().enumerate().map(|(index, file)| {
        let key = named.key(&format!("file.{index}"));
        json!({"name": named.volume("config"), "mountPath": file.path, "subPath": key})
    });
    let own = named.agent.volumes.iter().map(|own| json!({"name": named.volume(&own.name), "mountPath": own.path}));
    let logs = match named.chosen.source {
        LogSource::File => vec![json!({"name": "logs", "mountPath": LOGS})],
        // Of each container but the agents themselves, and of no other pod: a log that tells of its own reading never ends.
        LogSource::ContainerLogs => {
            let read = pod.containers().filter(|container| container.agent.is_none());
            let mount = |container: &Container| {
                let (path, folder) = (format!("{CONTAINER_LOGS}/{}", container.name), format!("{POD_FOLDER}/{}", container.name));
                json!({"name": "container-logs", "mountPath": path, "subPathExpr": folder, "readOnly": true})
            };
            read.map(mount).collect()
        }
    };
    logs.into_iter().chain(configs).chain(own).collect()
}

/// The volumes of the pod's agents: configuration, folders of their own, and the node's logs where one reads them.
pub(super) fn volumes(context: &Context, pod: &Pod) -> Vec<Value> {
    let mut volumes: Vec<Value> = Vec::new();
    for named in pod.containers().filter_map(|container| Named::of(context, container.agent.as_deref()?)) {
        let config = json!({"name": named.volume("config"), "configMap": {"name": config_name(&named.chosen.name)}});
        let own = named.agent.volumes.iter().map(|own| json!({"name": named.volume(&own.name), "emptyDir": {}}));
        let node = json!({"name": "container-logs", "hostPath": {"path": NODE_LOGS, "type": "Directory"}});
        let node = (named.chosen.source == LogSource::ContainerLogs).then_some(node);
        for volume in std::iter::once(config).chain(own).chain(node) {
            // Two containers may run the same agent.
            if !volumes.contains(&volume) {
                volumes.push(volume);
            }
        }
    }
    volumes
}

/// All configurations of an agent with their placeholders filled in, for each kind of logs; a container mounts its own.
pub(super) fn config_map(context: &Context, name: &str, agent: &Agent, sink_host: &str) -> Value {
    let mut data = serde_json::Map::new();
    for configuration in agent.configurations.keys() {
        for source in agent.reads.keys().copied() {
            let filled = filled(agent, configuration, source, sink_host, agent.speaks.port());
            let files = filled.files.into_iter().enumerate().map(|(index, file)| (format!("file.{index}"), file.text));
            let env = filled.env.into_iter().map(|(name, text)| (format!("env.{name}"), text));
            data.extend(files.chain(env).map(|(what, text)| (key(configuration, source, &what), Value::from(text))));
        }
    }
    json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": config_name(name), "namespace": context.namespace},
        "data": data,
    })
}

fn filled(agent: &Agent, configuration: &str, source: LogSource, sink_host: &str, sink_port: u16) -> Filled {
    let files = match source {
        LogSource::File => format!("{LOGS}/*.log"),
        LogSource::ContainerLogs => format!("{CONTAINER_LOGS}/*/*.log"),
    };
    let logs = if source == LogSource::File { LOGS } else { CONTAINER_LOGS };
    let place = Place { logs, files: &files, sink_host, sink_port };
    agent.filled(&agent.configurations[configuration], source, &place)
}

fn key(configuration: &str, source: LogSource, what: &str) -> String {
    format!("{configuration}.{source}.{what}")
}

fn config_name(agent: &str) -> String {
    format!("agent-{}", plain(agent))
}

/// A volume's name: unlike an agent's, it has no dots.
fn volume(agent: &str, kind: &str) -> String {
    format!("agent-{}-{kind}", plain(agent))
}

fn plain(agent: &str) -> String {
    agent.replace('.', "-")
}

#[cfg(test)]
mod tests;
