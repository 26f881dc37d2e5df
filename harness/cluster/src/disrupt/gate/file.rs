//! The file on a node in which the gates of a component are set.

use sidecheck_core::scenario::Component;

use super::edit;

pub(super) fn path(component: Component) -> String {
    match component {
        Component::Kubelet => "/var/lib/kubelet/config.yaml".to_owned(),
        other => format!("/etc/kubernetes/manifests/{}.yaml", other.program()),
    }
}

/// Its text with the gate switched, or without it.
///
/// # Errors
/// The file is not what kubeadm makes.
pub(super) fn edited(component: Component, text: &str, gate: &str, on: Option<bool>) -> Result<String, String> {
    match component {
        Component::Kubelet => Ok(edit::configuration(text, gate, on)),
        other => edit::manifest(text, other.program(), gate, on),
    }
}

/// What its text says about the gate.
pub(super) fn state(component: Component, text: &str, gate: &str) -> Option<bool> {
    match component {
        Component::Kubelet => edit::configuration_state(text, gate),
        _ => edit::manifest_state(text, gate),
    }
}
