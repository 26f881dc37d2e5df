//! Static pods that are stopped by taking their manifests away from the kubelet, and started by giving them back.

use super::{DisruptError, node};
use crate::engine::Engine;

pub(super) const API_SERVER: &str = "kube-apiserver";
/// The two that elect a leader: without an API server they end after 10 s, and the kubelet then lets them wait for longer each
/// time, up to five minutes.
pub(super) const LEADERS: [&str; 2] = ["kube-controller-manager", "kube-scheduler"];

/// First of all a manifest is put aside, so that it is never lost.
const TAKE: &str = r#"
for name in "$@"; do
    [ -e "$manifests/$name.yaml" ] || continue
    put_aside "$manifests/$name.yaml" stopped
    rm "$manifests/$name.yaml"
done
"#;
const GIVE: &str = r#"
for name in "$@"; do
    kept=$aside/stopped/$name.yaml
    [ -e "$kept" ] || continue
    [ -e "$manifests/$name.yaml" ] || put_back stopped "$manifests/$name.yaml"
    rm "$kept"
done
"#;

/// Takes the manifests of some static pods away; the kubelet sees that at once.
pub(super) async fn take(engine: &Engine, node: &str, what: &str, names: &[&str]) -> Result<(), DisruptError> {
    node::run(engine, node, what, TAKE, names).await.map(drop)
}

/// Gives back those that were taken away.
pub(super) async fn give(engine: &Engine, node: &str, what: &str, names: &[&str]) -> Result<(), DisruptError> {
    node::run(engine, node, what, GIVE, names).await.map(drop)
}
