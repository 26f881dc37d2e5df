//! What is done on the nodes: telling a witness something, reading its record, and calling the cluster's own kubectl.

use sidecheck_cluster::{Cluster, recorder::evidence_folder};
use sidecheck_core::{
    evidence,
    scenario::{Point, Tell},
};

/// A witness looks for such a file below the evidence of its case (`$1`).
const TELL: &str = r#"mkdir -p "$1/tell" && : >"$1/tell/$2""#;
const RECORD: &str = r#"cat "$1/witness.jsonl" 2>/dev/null || true"#;
const KUBECTL: &str =
    r#"namespace=$1; shift; exec kubectl --kubeconfig /etc/kubernetes/admin.conf --namespace "$namespace" "$@" 2>&1"#;

/// Tells a container of the case's pods something, on every node.
///
/// # Errors
/// A sentence that says what was tried, and what came back.
pub(crate) async fn tell(cluster: &Cluster, key: &str, tell: &Tell) -> Result<(), String> {
    let (folder, file) = (evidence_folder(key), format!("{}.{}", tell.container, tell.to));
    for node in cluster.nodes() {
        let told = cluster.engine.script(node, TELL, &[&folder, &file]).run().await;
        told.map_err(|error| format!("failed to tell {} to {}: {error}", tell.container, tell.to))?;
    }
    Ok(())
}

/// Whether the record of some node has the moment, in whichever pod.
///
/// # Errors
/// A sentence that says what was tried, and what came back.
pub(crate) async fn recorded(cluster: &Cluster, key: &str, point: &Point) -> Result<bool, String> {
    let folder = evidence_folder(key);
    for node in cluster.nodes() {
        let output = cluster.engine.script(node, RECORD, &[&folder]).run().await;
        let text = output.map_err(|error| format!("failed to read the record of {node}: {error}"))?.text();
        if evidence::program::parse(node, &text).iter().any(|event| point.is_seen_in(event)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What kubectl of the cluster's release prints on its first node, on stdout and stderr; an error of its own is text, too.
///
/// # Errors
/// The node can't be reached.
pub(crate) async fn kubectl(cluster: &Cluster, namespace: &str, args: &[&str]) -> Result<String, String> {
    let node = cluster.nodes().next().ok_or("the cluster has no node")?;
    let script = format!("({KUBECTL}) || true");
    let arguments: Vec<&str> = std::iter::once(namespace).chain(args.iter().copied()).collect();
    let output = cluster.engine.script(node, &script, &arguments).run().await;
    output.map(|output| output.text()).map_err(|error| format!("failed to run kubectl on {node}: {error}"))
}
