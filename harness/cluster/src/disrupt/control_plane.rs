//! Waiting until a node and its control plane are whole again, and do their work.

use std::time::Duration;

use jiff::Timestamp;
use k8s_openapi::api::core::v1::{Namespace, ServiceAccount};
use kube::{Api, Client, api::DeleteParams};

use super::{
    DisruptError, api, canary, kubelet,
    manifests::{self, LEADERS},
    wait::until,
    whole,
};
use crate::{cluster::Cluster, labels::SYSTEM_NAMESPACE};

/// Leaders that lost their lease end and are started again after a pause that doubles each time, up to five minutes.
pub(super) const LIMIT: Duration = Duration::from_secs(330);
/// A controller that works makes an account within a second.
const WORK: Duration = Duration::from_secs(60);
/// A kubelet that hears of new pods answers within two seconds.
const SOON: Duration = Duration::from_secs(6);

/// Waits until the API server is ready, gives back the manifests of what must not start before, and waits until everything on
/// `node` is whole, with signs of life that are newer than `since`, the controllers have done a piece of work, and the kubelet hears
/// of new pods.
///
/// # Errors
/// [`DisruptError::TimedOut`] after 330 s for an API server that is ready, as much for all else, 60 s for the controllers,
/// and 90 s for the kubelet.
pub(super) async fn await_whole(cluster: &Cluster, node: &str, what: &str, since: Timestamp) -> Result<(), DisruptError> {
    let (client, namespace) = await_components(cluster, node, what, since).await?;
    canary::await_kubelet(&client, namespace, node, what, canary::LIMIT).await
}

/// The same, for a node on which no scenario is any more: its kubelet, which would ask for new pods again in up to a minute, is
/// restarted where it does not hear of one at once, and then asks without a pause.
///
/// # Errors
/// As [`await_whole`], and what a restart of the kubelet meets.
pub(super) async fn hurry_whole(cluster: &Cluster, node: &str, what: &str, since: Timestamp) -> Result<(), DisruptError> {
    let (client, namespace) = await_components(cluster, node, what, since).await?;
    if canary::await_kubelet(&client, namespace, node, what, SOON).await.is_ok() {
        return Ok(());
    }
    kubelet::restart_kubelet(cluster, node).await?;
    canary::await_kubelet(&client, namespace, node, what, canary::LIMIT).await
}

/// Returns a client, and the namespace for what sidecheck itself does.
async fn await_components(
    cluster: &Cluster,
    node: &str,
    what: &str,
    since: Timestamp,
) -> Result<(Client, &'static str), DisruptError> {
    let client = api::client(cluster).await?;
    until(node, what, LIMIT, || api::ready(&client)).await?;
    manifests::give(&cluster.engine, node, what, &LEADERS).await?;
    for leader in LEADERS {
        api::free_lease(&client, leader, since).await;
    }
    until(node, what, LIMIT, || whole::look(&cluster.engine, &client, node, Some(since))).await?;
    let namespace = if has_system_namespace(&client).await { SYSTEM_NAMESPACE } else { "default" };
    await_work(&client, namespace, node, what).await?;
    Ok((client, namespace))
}

/// Takes an account away that the controllers make for every namespace, and waits until it is there again. Pods of the next
/// scenario would be refused without theirs; and unlike a namespace this leaves nothing to be removed.
async fn await_work(client: &Client, namespace: &str, node: &str, what: &str) -> Result<(), DisruptError> {
    let accounts = &Api::<ServiceAccount>::namespaced(client.clone(), namespace);
    let removed = until(node, what, WORK, || async {
        match accounts.delete("default", &DeleteParams::default()).await {
            Err(kube::Error::Api(status)) if status.code == 404 => Ok(()),
            Err(error) => Err(format!("the account of {namespace} can't be removed ({error})")),
            Ok(_) => Ok(()),
        }
    });
    removed.await?;
    until(node, what, WORK, || async {
        match accounts.get_opt("default").await {
            Ok(Some(_)) => Ok(()),
            Ok(None) => Err(format!("the controllers have not made the account of {namespace} again")),
            Err(error) => Err(format!("the account of {namespace} is unknown ({error})")),
        }
    })
    .await
}

/// Clusters that came up without a witness have none.
async fn has_system_namespace(client: &Client) -> bool {
    Api::<Namespace>::all(client.clone()).get(SYSTEM_NAMESPACE).await.is_ok()
}
