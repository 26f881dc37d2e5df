//! What the API server says about the nodes and the control plane.

use jiff::Timestamp;
use k8s_openapi::api::{coordination::v1::Lease, core::v1::Node};
use kube::{Api, Client, api::DeleteParams};

use super::DisruptError;
use crate::cluster::Cluster;

/// A client for the waits of one act. Its connections are new ones: the API server may be another one since.
pub(super) async fn client(cluster: &Cluster) -> Result<Client, DisruptError> {
    Ok(cluster.client().await?)
}

/// Whether `/readyz` says `ok`.
pub(super) async fn ready(client: &Client) -> Result<(), String> {
    let request = http::Request::get("/readyz").body(Vec::new()).map_err(|error| error.to_string())?;
    match client.request_text(request).await {
        Ok(answer) if answer == "ok" => Ok(()),
        Ok(answer) => Err(format!("the API server is not ready ({answer})")),
        Err(kube::Error::Api(status)) => Err(format!("the API server is not ready ({})", lacking(&status.message))),
        Err(error) => Err(format!("the API server does not answer ({error})")),
    }
}

/// Of the list of some forty checks that an API server sends, those that failed.
fn lacking(message: &str) -> String {
    let failed: Vec<&str> = message.lines().filter(|line| line.starts_with("[-]")).collect();
    if failed.is_empty() { message.to_owned() } else { failed.join(", ").replace(" failed: reason withheld", "") }
}

/// Whether the node is ready, has said so since its kubelet was `started`, and has renewed its lease after `since`.
///
/// A kubelet sends both within a second of its start, then the lease every ten seconds, and the status only when it changes or
/// after five minutes.
pub(super) async fn node_is_fresh(client: &Client, node: &str, started: Timestamp, since: Timestamp) -> Result<(), String> {
    let read = Api::<Node>::all(client.clone()).get(node).await.map_err(|error| format!("its status is unknown ({error})"))?;
    let ready = read.status.and_then(|status| status.conditions?.into_iter().find(|condition| condition.type_ == "Ready"));
    let ready = ready.ok_or("it has no condition Ready")?;
    if ready.status != "True" {
        return Err(format!("it is not ready ({})", ready.message.unwrap_or_default()));
    }
    // In whole seconds. The one in which the kubelet was started counts: before, it was down for longer than that.
    let told = ready.last_heartbeat_time.map(|time| time.0);
    if told.is_none_or(|told| told.as_second() < started.as_second()) {
        return Err(format!("it said at {} that it is ready, and not since the kubelet's start at {started}", shown(told)));
    }
    lease_is_fresh(client, "kube-node-lease", node, since).await
}

/// Whether a lease was renewed after `since`.
pub(super) async fn lease_is_fresh(client: &Client, namespace: &str, name: &str, since: Timestamp) -> Result<(), String> {
    let lease = Api::<Lease>::namespaced(client.clone(), namespace).get_opt(name).await;
    let lease = lease.map_err(|error| format!("the lease of {name} is unknown ({error})"))?;
    let lease = lease.ok_or_else(|| format!("{name} has no lease yet"))?;
    let renewed = lease.spec.and_then(|spec| spec.renew_time).map(|time| time.0);
    match renewed {
        Some(renewed) if renewed > since => Ok(()),
        _ => Err(format!("{name} renewed its lease at {}, and not since {since}", shown(renewed))),
    }
}

/// Removes a leader's lease that was not renewed after `since`. Its holder ended with the API server or the node, and its
/// successor would wait for another 15 s before it believes that; one that goes on makes its lease anew.
pub(super) async fn free_lease(client: &Client, name: &str, since: Timestamp) {
    if lease_is_fresh(client, "kube-system", name, since).await.is_err() {
        // When it fails, it takes those 15 s.
        _ = Api::<Lease>::namespaced(client.clone(), "kube-system").delete(name, &DeleteParams::default()).await;
    }
}

fn shown(time: Option<Timestamp>) -> String {
    time.map_or_else(|| "no time".to_owned(), |time| time.to_string())
}

#[cfg(test)]
mod tests {
    #[test]
    fn failed_checks_are_picked_from_the_list() {
        let message =
            "[+]ping ok\n[-]informer-sync failed: reason withheld\n[-]etcd failed: reason withheld\nreadyz check failed";
        assert_eq!(super::lacking(message), "[-]informer-sync, [-]etcd");
        assert_eq!(super::lacking("no"), "no");
    }
}
