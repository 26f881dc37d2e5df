//! The configuration from which kind makes a cluster.

use std::{collections::BTreeMap, path::Path};

use serde::Serialize;
use sidecheck_core::{
    matrix::Entry,
    yaml::{self, YamlError},
};

use crate::node_image::{NodeImage, Origin};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Config<'a> {
    kind: &'static str,
    api_version: &'static str,
    feature_gates: &'a BTreeMap<String, bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    networking: Option<Networking>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kubeadm_config_patches: Vec<&'static str>,
    nodes: [Node<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Networking {
    #[serde(rename = "disableDefaultCNI")]
    disable_default_cni: bool,
    kube_proxy_mode: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Node<'a> {
    role: &'static str,
    image: &'a str,
    extra_mounts: [Mount<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Mount<'a> {
    host_path: &'a Path,
    container_path: &'static str,
    read_only: bool,
}

/// A node image built here has a network of its own, and neither kube-proxy nor cluster DNS. The list replaces kind's
/// own, so its first two words repeat what kind says for a cluster without kube-proxy.
const SKIP_ADDONS: &str = "kind: InitConfiguration\nskipPhases: [preflight, addon/kube-proxy, addon/coredns]\n";

/// The YAML text of the configuration. The cluster's folder is mounted into its nodes as the mark by which the engine
/// tells whose they are, since kind passes on no labels.
pub(crate) fn config(entry: &Entry, image: &NodeImage, folder: &Path) -> Result<String, YamlError> {
    let mark = Mount { host_path: folder, container_path: "/sidecheck/cluster", read_only: true };
    let built = image.origin == Origin::Built;
    yaml::to_string(&Config {
        kind: "Cluster",
        api_version: "kind.x-k8s.io/v1alpha4",
        feature_gates: &entry.feature_gates,
        networking: built.then_some(Networking { disable_default_cni: true, kube_proxy_mode: "none" }),
        kubeadm_config_patches: if built { vec![SKIP_ADDONS] } else { Vec::new() },
        nodes: [Node { role: "control-plane", image: &image.reference, extra_mounts: [mark] }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Entry {
        let text = "{release: 1.28.15, feature_gates: {SidecarContainers: true}, expect_gates: {SidecarContainers: true}}";
        Entry::parse("1.28-alpha.yaml", "1.28-alpha", text).unwrap()
    }

    fn config(origin: Origin) -> serde_json::Value {
        let text = super::config(&entry(), &image(origin), Path::new("/state/clusters/sidecheck-1.28-alpha")).unwrap();
        yaml::from_str("config", &text).unwrap()
    }

    fn image(origin: Origin) -> NodeImage {
        NodeImage { reference: "example/node:v1.28.15".into(), origin, note: None }
    }

    #[test]
    fn built_image_brings_its_own_network_and_skips_addons() {
        let config = config(Origin::Built);
        assert_eq!(config["networking"], serde_json::json!({"disableDefaultCNI": true, "kubeProxyMode": "none"}));
        assert_eq!(config["featureGates"]["SidecarContainers"], true);
        assert!(config["kubeadmConfigPatches"][0].as_str().unwrap().contains("addon/coredns"));
        assert_eq!(config["nodes"][0]["image"], "example/node:v1.28.15");
        assert_eq!(config["nodes"][0]["extraMounts"][0]["hostPath"], "/state/clusters/sidecheck-1.28-alpha");
    }

    #[test]
    fn published_image_takes_the_defaults_of_kind() {
        let config = config(Origin::Published);
        assert!(config.get("networking").is_none() && config.get("kubeadmConfigPatches").is_none());
        assert_eq!(config["apiVersion"], "kind.x-k8s.io/v1alpha4");
    }
}
