//! Gates of the scheduler and the controller manager, which serve metrics on the loopback of their node only.

use std::collections::BTreeMap;

use sidecheck_core::environment::Node;

use super::{VerifyError, metrics};
use crate::{command::CommandError, engine::Engine};

/// `kubectl get --raw` is a GET with the administrator's certificate, which these ports accept; node images need not
/// have curl. Their certificates are self-signed. $1: the port.
const METRICS: &str = r#"
kubectl --kubeconfig /etc/kubernetes/admin.conf --server "https://127.0.0.1:$1" --insecure-skip-tls-verify \
    --request-timeout 10s get --raw /metrics | grep ^kubernetes_feature_enabled
"#;

/// The ports of the two.
pub(super) const CONTROLLER_MANAGER: &str = "10257";
pub(super) const SCHEDULER: &str = "10259";

const PORTS: [(&str, &str); 2] = [("controller_manager", CONTROLLER_MANAGER), ("scheduler", SCHEDULER)];

/// The gates of both, from every control-plane node.
pub(super) async fn gates(engine: &Engine, nodes: &[Node]) -> Result<BTreeMap<String, BTreeMap<String, bool>>, VerifyError> {
    let planes: Vec<&Node> = nodes.iter().filter(|node| node.name.contains("control-plane")).collect();
    let mut found = BTreeMap::new();
    for node in &planes {
        for (component, port) in PORTS {
            let name = if planes.len() == 1 { component.to_owned() } else { format!("{component}/{}", node.name) };
            found.insert(name, gates_at(engine, &node.name, port).await?);
        }
    }
    Ok(found)
}

/// The gates of the component that serves its metrics at this port of a node.
pub(super) async fn gates_at(engine: &Engine, node: &str, port: &str) -> Result<BTreeMap<String, bool>, CommandError> {
    Ok(metrics::gates(&engine.script(node, METRICS, &[port]).run().await?.text()))
}
