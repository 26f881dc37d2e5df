//! What is done on the nodes: telling a witness something, reading its record, and calling the cluster's own kubectl.

use std::time::Duration;

use sidecheck_cluster::{Cluster, recorder::evidence_folder};
use sidecheck_core::{
    evidence,
    scenario::{Point, SinkMode, Tell},
};
use tokio::time::Instant;

/// A witness looks for such a file below the evidence of its case (`$1`).
const TELL: &str = r#"mkdir -p "$1/tell" && : >"$1/tell/$2""#;
/// Prints what the record of the folder `$1` has of the container `$2`, as soon as that is more than `$3` lines, or after `$4`
/// looks. That a container is alive is no news.
const RECORD: &str = r#"
mine() {
    grep -F "\"container\":\"$2\"" "$1/witness.jsonl" 2>/dev/null | grep -vF '"act":"alive"'
}
look=0
while [ "$(mine "$1" "$2" | wc -l)" -le "$3" ] && [ "$look" -lt "$4" ]; do
    sleep 0.5
    look=$((look + 1))
done
mine "$1" "$2" || true
"#;
/// Between two looks of the node.
const LOOK_AGAIN: Duration = Duration::from_millis(500);
/// How long a node looks. A command that nobody waits for any more ends that much later at most.
const PATIENCE: Duration = Duration::from_secs(10);
const KILL: &str = r#"ctr --namespace k8s.io tasks kill --signal SIGKILL "$1""#;
/// Runs the sink's own program beside it, in its container `$1`.
const TELL_SINK: &str = r#"
container=$1
shift
exec ctr --namespace k8s.io tasks exec --exec-id "sidecheck-tell-$$" "$container" /sidecheck-sink tell "$@" 2>&1
"#;
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

/// Kills the process of a container, which the runtime knows by that id.
///
/// # Errors
/// A sentence that says what was tried, and what came back.
pub(crate) async fn kill(cluster: &Cluster, node: &str, id: &str) -> Result<(), String> {
    let killed = cluster.engine.script(node, KILL, &[id]).run().await;
    killed.map(drop).map_err(|error| format!("failed to kill container {id} on {node}: {error}"))
}

/// Tells the sink how to behave; it has done so when this returns.
///
/// # Errors
/// A sentence that says what was tried, and what came back.
pub(crate) async fn tell_sink(cluster: &Cluster, node: &str, id: &str, mode: SinkMode) -> Result<(), String> {
    let words = match mode {
        SinkMode::Normal => "normal".to_owned(),
        SinkMode::Slow(slow) => format!("slow --delay-ms {}", slow.answers_after.millis()),
        SinkMode::Down => "down".to_owned(),
        SinkMode::Refusing => "refusing".to_owned(),
    };
    let arguments: Vec<&str> = std::iter::once(id).chain(words.split(' ')).collect();
    let told = cluster.engine.script(node, TELL_SINK, &arguments).run().await;
    told.map(drop).map_err(|error| format!("failed to tell the sink to be {words}: {error}"))
}

/// Waits until the record of some node has the moment, in whichever pod; says whether it came in time. A new command in a node's
/// container costs as much as twenty looks of one that is there, so it is the node that waits for something new.
///
/// # Errors
/// A sentence that says what was tried, and what came back.
pub(crate) async fn await_recorded(cluster: &Cluster, key: &str, point: &Point, end: Instant) -> Result<bool, String> {
    let nodes: Vec<&str> = cluster.nodes().collect();
    let mut known = vec![0; nodes.len()];
    loop {
        let left = end.saturating_duration_since(Instant::now());
        // Of several nodes none may keep the others waiting.
        let patience = if nodes.len() == 1 { left.min(PATIENCE) } else { left.min(LOOK_AGAIN) };
        for (node, known) in nodes.iter().zip(&mut known) {
            let looks = patience.as_millis().div_ceil(LOOK_AGAIN.as_millis());
            let (known_now, looks) = (known.to_string(), looks.to_string());
            let arguments = [evidence_folder(key), point.container.clone(), known_now, looks];
            let output = cluster.engine.script(node, RECORD, &arguments.each_ref().map(String::as_str)).run().await;
            let text = output.map_err(|error| format!("failed to read the record of {node}: {error}"))?.text();
            let events = evidence::program::parse(node, &text);
            if events.iter().any(|event| point.is_seen_in(event)) {
                return Ok(true);
            }
            *known = text.lines().count();
        }
        if left.is_zero() {
            return Ok(false);
        }
    }
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
