//! Finding out what a cluster is, and holding it against its matrix entry.

mod api_server;
mod control_plane;
mod metrics;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use jiff::Timestamp;
use k8s_openapi::api::core::v1::Node as ApiNode;
use kube::{Api, Client};
use sidecheck_core::{
    environment::{Capability, Environment, Node},
    matrix::Entry,
    release::Release,
};

use crate::{command::CommandError, disrupt::Component, engine::Engine, node_image::NodeImage};

/// The gate whose state the API server also shows by what it does.
const SIDECARS: &str = "SidecarContainers";

/// How late the runtime's stamps may be where that is not measured: its reader is scheduled like any other process, tens of
/// milliseconds late on a busy node.
const RUNTIME_RESOLUTION_MS: u64 = 100;

/// Why a cluster could not be verified, or is not what its entry says.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// A component is not what the entry says.
    #[error("{0}")]
    Mismatch(Mismatch),
    /// The API server refused or failed.
    #[error("failed to verify the cluster: {what}: {source}")]
    Api {
        /// What was asked.
        what: String,
        /// What came of it.
        #[source]
        source: kube::Error,
    },
    /// An answer is not what it should be.
    #[error("failed to verify the cluster: {what}: {said}")]
    Answer {
        /// What was asked.
        what: String,
        /// What is wrong with the answer.
        said: String,
    },
    /// A command on the node failed.
    #[error("failed to verify the cluster: {0}")]
    Command(#[from] CommandError),
}

/// What the entry says, and each thing that is otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The entry's name.
    pub entry: String,
    /// What the entry expects, such as `1.29.15 with SidecarContainers on`.
    pub expected: String,
    /// What was found instead, such as `SidecarContainers off in scheduler`.
    pub found: Vec<String>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entry {} expects {}; the cluster has {}", self.entry, self.expected, self.found.join(", "))
    }
}

/// Where the cluster came from, which it can't tell itself.
pub(crate) struct Made<'a> {
    pub(crate) image: &'a NodeImage,
    pub(crate) kind: &'a str,
    pub(crate) when: Timestamp,
}

/// Asks every component for its release and its gates.
///
/// # Errors
/// [`VerifyError::Mismatch`] names the entry and what is otherwise in the cluster.
pub(crate) async fn verify(client: &Client, engine: &Engine, entry: &Entry, made: Made<'_>) -> Result<Environment, VerifyError> {
    let (nodes, release, api_server) = tokio::try_join!(nodes(client), api_server::release(client), api_server::gates(client))?;
    let mut components = BTreeMap::from([("api_server".to_owned(), api_server)]);
    components.extend(control_plane::gates(engine, &nodes).await?);
    for node in &nodes {
        components.insert(format!("kubelet/{}", node.name), kubelet_gates(client, &node.name).await?);
    }
    let wanted: BTreeSet<&String> = entry.expect_gates.keys().chain(entry.feature_gates.keys()).collect();
    for gates in components.values_mut() {
        gates.retain(|gate, _| wanted.contains(gate));
    }
    if let Some(mismatch) = mismatch(entry, &release, &nodes, &components) {
        return Err(VerifyError::Mismatch(mismatch));
    }
    // Whatever is in all components is the same in all: gates beyond the expected ones follow the API server.
    let gates = components.get("api_server").cloned().unwrap_or_default();
    Ok(Environment {
        entry: entry.name.clone(),
        release,
        gates,
        components,
        nodes,
        capabilities: vec![Capability::NodeFiles, Capability::RestartKubelet, Capability::StopApiServer],
        runtime_resolution_ms: RUNTIME_RESOLUTION_MS,
        calibration: None,
        node_image: made.image.reference.clone(),
        tools: BTreeMap::from([("kind".to_owned(), made.kind.to_owned()), ("docker".to_owned(), engine.version.clone())]),
        created: made.when,
    })
}

/// What one component on one node says about its gates.
pub(crate) async fn gates_of(
    client: &Client,
    engine: &Engine,
    node: &str,
    component: Component,
) -> Result<BTreeMap<String, bool>, VerifyError> {
    match component {
        Component::ApiServer => Ok(metrics::gates(&api_server::text(client, "/metrics").await?)),
        Component::Kubelet => kubelet_gates(client, node).await,
        Component::ControllerManager => Ok(control_plane::gates_at(engine, node, control_plane::CONTROLLER_MANAGER).await?),
        Component::Scheduler => Ok(control_plane::gates_at(engine, node, control_plane::SCHEDULER).await?),
    }
}

async fn kubelet_gates(client: &Client, node: &str) -> Result<BTreeMap<String, bool>, VerifyError> {
    Ok(metrics::gates(&api_server::text(client, &format!("/api/v1/nodes/{node}/proxy/metrics")).await?))
}

async fn nodes(client: &Client) -> Result<Vec<Node>, VerifyError> {
    let list = Api::<ApiNode>::all(client.clone()).list(&kube::api::ListParams::default()).await;
    let list = list.map_err(|source| VerifyError::Api { what: "the list of nodes".to_owned(), source })?;
    let node = |node: ApiNode| {
        let name = node.metadata.name.unwrap_or_default();
        let info = node.status.and_then(|status| status.node_info);
        let info =
            info.ok_or_else(|| VerifyError::Answer { what: format!("node {name}"), said: "it has no nodeInfo".to_owned() })?;
        let kubelet =
            info.kubelet_version.parse().map_err(|said| VerifyError::Answer { what: format!("the kubelet of {name}"), said })?;
        Ok(Node { name, kubelet, runtime: info.container_runtime_version, kernel: info.kernel_version, os: info.os_image })
    };
    list.items.into_iter().map(node).collect()
}

fn on_off(state: Option<bool>) -> &'static str {
    state.map_or("unknown", |on| if on { "on" } else { "off" })
}

fn mismatch(
    entry: &Entry,
    release: &Release,
    nodes: &[Node],
    components: &BTreeMap<String, BTreeMap<String, bool>>,
) -> Option<Mismatch> {
    let mut found = Vec::new();
    if *release != entry.release {
        found.push(format!("{release} in api_server"));
    }
    for node in nodes.iter().filter(|node| node.kubelet != entry.release) {
        found.push(format!("{} in kubelet/{}", node.kubelet, node.name));
    }
    for (gate, expected) in &entry.expect_gates {
        for (component, gates) in components {
            if gates.get(gate) != Some(expected) {
                found.push(format!("{gate} {} in {component}", on_off(gates.get(gate).copied())));
            }
        }
    }
    let gates: Vec<String> = entry.expect_gates.iter().map(|(gate, state)| format!("{gate} {}", on_off(Some(*state)))).collect();
    let with = if gates.is_empty() { String::new() } else { format!(" with {}", gates.join(", ")) };
    (!found.is_empty()).then(|| Mismatch { entry: entry.name.clone(), expected: format!("{}{with}", entry.release), found })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Entry {
        Entry::parse("1.29.yaml", "1.29", "{release: 1.29.15, expect_gates: {SidecarContainers: true}}").unwrap()
    }

    fn node(kubelet: &str) -> Node {
        let [name, runtime, kernel, os] = ["n1", "containerd://1.6.20", "6.18", "Debian"].map(str::to_owned);
        Node { name, kubelet: kubelet.parse().unwrap(), runtime, kernel, os }
    }

    fn components(states: &[(&str, Option<bool>)]) -> BTreeMap<String, BTreeMap<String, bool>> {
        let gates = |state: Option<bool>| state.map(|on| (SIDECARS.to_owned(), on)).into_iter().collect();
        states.iter().map(|(name, state)| ((*name).to_owned(), gates(*state))).collect()
    }

    #[test]
    fn a_cluster_as_expected_is_no_mismatch() {
        let components = components(&[("api_server", Some(true)), ("kubelet/n1", Some(true))]);
        assert_eq!(mismatch(&entry(), &"v1.29.15".parse().unwrap(), &[node("1.29.15")], &components), None);
    }

    #[test]
    fn message_names_the_entry_and_all_that_is_otherwise() {
        let components = components(&[("api_server", Some(true)), ("scheduler", Some(false)), ("kubelet/n1", None)]);
        let found = mismatch(&entry(), &"1.29.14".parse().unwrap(), &[node("1.28.15")], &components).unwrap();
        assert_eq!(
            found.to_string(),
            "entry 1.29 expects 1.29.15 with SidecarContainers on; the cluster has 1.29.14 in api_server, 1.28.15 in kubelet/n1, \
             SidecarContainers unknown in kubelet/n1, SidecarContainers off in scheduler"
        );
    }
}
