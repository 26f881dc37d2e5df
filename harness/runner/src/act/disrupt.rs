//! Disruptions of the whole cluster, by the words of scenarios.

use sidecheck_cluster::{
    Cluster,
    disrupt::{self, DisruptError},
};
use sidecheck_core::scenario::Disruption;

/// Does it, on every node that it concerns.
///
/// # Errors
/// A sentence that says what was tried, and what was last seen.
pub(crate) async fn disrupt(cluster: &Cluster, disruption: &Disruption) -> Result<(), String> {
    attempt(cluster, disruption).await.map_err(|error| format!("failed to {disruption}: {error}"))
}

/// Brings back whatever was done, if something was.
///
/// # Errors
/// A sentence that says what was tried, and what was last seen.
pub(crate) async fn mend(cluster: &Cluster) -> Result<(), String> {
    disrupt::mend(cluster).await.map_err(|error| format!("failed to mend cluster {}: {error}", cluster.name))
}

async fn attempt(cluster: &Cluster, disruption: &Disruption) -> Result<(), DisruptError> {
    match disruption {
        Disruption::RestartKubelet => on_each_node(cluster, disrupt::restart_kubelet).await,
        Disruption::StopKubelet => on_each_node(cluster, disrupt::stop_kubelet).await,
        Disruption::StartKubelet => on_each_node(cluster, disrupt::start_kubelet).await,
        Disruption::RebootNode => on_each_node(cluster, disrupt::reboot_node).await,
        Disruption::StopApiServer => disrupt::stop_api_server(cluster).await,
        Disruption::StartApiServer => disrupt::start_api_server(cluster).await,
        Disruption::SetGates(set) => {
            for (gate, on) in &set.gates {
                disrupt::set_gate(cluster, set.component, gate, Some(*on)).await?;
            }
            Ok(())
        }
    }
}

async fn on_each_node(
    cluster: &Cluster,
    act: impl AsyncFn(&Cluster, &str) -> Result<(), DisruptError>,
) -> Result<(), DisruptError> {
    for node in cluster.nodes() {
        act(cluster, node).await?;
    }
    Ok(())
}
