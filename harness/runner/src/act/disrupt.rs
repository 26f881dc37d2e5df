//! Disruptions of the whole cluster, by the words of scenarios.

use sidecheck_cluster::{
    Cluster,
    disrupt::{self, DisruptError},
};
use sidecheck_core::scenario::{Component, Disruption};

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
        Disruption::StopApiServer => return disrupt::stop_api_server(cluster).await,
        Disruption::StartApiServer => return disrupt::start_api_server(cluster).await,
        Disruption::SetGates(set) => {
            for (gate, on) in &set.gates {
                disrupt::set_gate(cluster, component(set.component), gate, Some(*on)).await?;
            }
            return Ok(());
        }
        _ => {}
    }
    for node in cluster.nodes() {
        match disruption {
            Disruption::RestartKubelet => disrupt::restart_kubelet(cluster, node).await?,
            Disruption::StopKubelet => disrupt::stop_kubelet(cluster, node).await?,
            Disruption::StartKubelet => disrupt::start_kubelet(cluster, node).await?,
            Disruption::RebootNode => disrupt::reboot_node(cluster, node).await?,
            Disruption::StopApiServer | Disruption::StartApiServer | Disruption::SetGates(_) => {}
        }
    }
    Ok(())
}

fn component(component: Component) -> disrupt::Component {
    match component {
        Component::ApiServer => disrupt::Component::ApiServer,
        Component::Scheduler => disrupt::Component::Scheduler,
        Component::ControllerManager => disrupt::Component::ControllerManager,
        Component::Kubelet => disrupt::Component::Kubelet,
    }
}
