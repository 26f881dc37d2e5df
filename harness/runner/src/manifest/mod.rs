//! From the short form of a scenario to the objects that are sent to the API server.

mod agent;
mod behaviour;
mod container;
mod pod;
mod sink;
mod workload;

use std::collections::BTreeMap;

use serde_json::Value;
use sidecheck_cluster::{labels, recorder::evidence_folder};
use sidecheck_core::{
    agent::{Agent, Protocol},
    scenario::{Scenario, Submitted},
};

pub(crate) use sink::SINK_NAME;

/// The service account of all pods: made with the namespace, since `default` appears only later and pods are refused until then.
pub(crate) const SERVICE_ACCOUNT: &str = "sidecheck";

/// The annotation of a namespace that says which scenario has it; without it, it is empty and free.
pub(crate) const IN_USE: &str = "sidecheck.dev/scenario";

/// All that manifests depend on besides the scenario.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    /// The run's name.
    pub(crate) run: String,
    /// The namespace: a room of the cluster, in which one case is at a time.
    pub(crate) namespace: String,
    /// The case's own name, by which its evidence on the nodes is found.
    pub(crate) key: String,
    /// The cluster's first node.
    pub(crate) node: String,
    /// The witness image, by its full name.
    pub(crate) witness_image: String,
    /// The agents that the scenario names, with their images.
    pub(crate) agents: BTreeMap<String, (Agent, String)>,
}

impl Context {
    /// The folder on the nodes in which its witnesses write.
    pub(crate) fn evidence(&self) -> String {
        evidence_folder(&self.key)
    }

    /// The namespace, service account and configuration that exist before anything else.
    pub(crate) fn namespace(&self, scenario: &str, created: jiff::Timestamp) -> Value {
        serde_json::json!({
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": {
                "name": self.namespace,
                "labels": {labels::RUN: self.run, labels::CREATED: created.as_second().to_string()},
                "annotations": {IN_USE: scenario},
            },
        })
    }

    /// The service account of all pods.
    pub(crate) fn service_account(&self) -> Value {
        serde_json::json!({
            "apiVersion": "v1",
            "kind": "ServiceAccount",
            "metadata": {"name": SERVICE_ACCOUNT, "namespace": self.namespace},
            "automountServiceAccountToken": false,
        })
    }

    /// The sink's pod.
    pub(crate) fn sink(&self, protocol: Protocol) -> Value {
        sink::pod(self, protocol)
    }

    /// Configuration of the agents, once the sink's address is known.
    pub(crate) fn agent_configs(&self, sink_host: &str) -> Vec<Value> {
        self.agents.iter().map(|(name, (agent, _))| agent::config_map(self, name, agent, sink_host)).collect()
    }

    /// The scenario's other objects and those of its workload, in the order in which they are created.
    pub(crate) fn workload(&self, scenario: &Scenario) -> Vec<Value> {
        let others = scenario.objects.iter().cloned();
        others.chain(workload::objects(self, scenario.workload())).map(|object| self.filled_in(object)).collect()
    }

    /// The one object of a question to the API server.
    pub(crate) fn submitted(&self, submitted: &Submitted) -> Value {
        self.filled_in(workload::submitted(self, submitted))
    }

    /// The value with its placeholders filled in, and in the case's namespace.
    fn filled_in(&self, mut object: Value) -> Value {
        self.fill_in(&mut object);
        object["metadata"]["namespace"] = Value::from(self.namespace.as_str());
        object
    }

    fn fill_in(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.text_filled_in(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.fill_in(item)),
            Value::Object(fields) => fields.values_mut().for_each(|field| self.fill_in(field)),
            _ => {}
        }
    }

    /// The text with `{{namespace}}`, `{{evidence}}`, `{{node}}` and `{{witness}}` filled in.
    pub(crate) fn text_filled_in(&self, text: &str) -> String {
        let text = text.replace("{{namespace}}", &self.namespace).replace("{{evidence}}", &self.evidence());
        text.replace("{{node}}", &self.node).replace("{{witness}}", &self.witness_image)
    }
}

/// The object with the scenario's own fields merged over it (RFC 7396).
fn merged(mut object: Value, fields: &Value) -> Value {
    if !fields.is_null() {
        json_patch::merge(&mut object, fields);
    }
    object
}

#[cfg(test)]
mod tests;
