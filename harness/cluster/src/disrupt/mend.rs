//! Bringing back what disruptions left behind, whoever made them.

use std::time::Duration;

use jiff::Timestamp;

use super::{
    DisruptError, api,
    container::{self, Found},
    control_plane,
    manifests::{self, API_SERVER},
    node,
    wait::until,
    whole,
};
use crate::{cluster::Cluster, engine::Engine};

const WHAT: &str = "mend";
/// It takes one second.
const BOOT: Duration = Duration::from_secs(60);

/// What was changed is changed back. A manifest that was also taken away comes back as it was.
const RESTORE: &str = r#"
config=/var/lib/kubelet/config.yaml
for file in "$aside"/original/*; do
    [ -e "$file" ] || continue
    case ${file##*/} in
    config.yaml) put_back original "$config" ;;
    *)
        if [ -e "$aside/stopped/${file##*/}" ]; then
            cp "$file" "$aside/stopped/"
        else
            put_back original "$manifests/${file##*/}"
        fi
        ;;
    esac
done
systemctl start sidecheck-recorder
systemctl reset-failed kubelet || true
systemctl start kubelet
started=$(systemctl show kubelet --property ExecMainStartTimestamp --value)
# It reads its configuration at its start only.
if [ "$(stat -c %Y "$config")" -ge "$(date -d "$started" +%s)" ]; then
    systemctl restart kubelet
fi
"#;
/// Only when all is whole: until then, another process can see that there is something to mend.
const FORGET: &str = "rm -rf $aside/original";

/// Brings every node back: one that was stopped or paused runs, manifests and the kubelet's configuration are as they were, the
/// kubelet runs, and the control plane is whole. What is to be done is found on the nodes, so it also mends what a process that
/// died has left. Where nothing is amiss it only looks, in less than a second.
///
/// # Errors
/// [`DisruptError::Command`], [`DisruptError::Cluster`], [`DisruptError::TimedOut`] with what is still amiss after 330 s.
pub async fn mend(cluster: &Cluster) -> Result<(), DisruptError> {
    for node in cluster.nodes() {
        mend_node(cluster, node).await?;
    }
    Ok(())
}

async fn mend_node(cluster: &Cluster, node: &str) -> Result<(), DisruptError> {
    if container::set_going(&cluster.engine, node).await? == Found::Running {
        let client = api::client(cluster).await?;
        if whole::look(&cluster.engine, &client, node, None).await.is_ok_and(|state| state.aside.is_empty()) {
            return Ok(());
        }
    }
    let since = until(node, WHAT, BOOT, || booted(&cluster.engine, node)).await?;
    node::run(&cluster.engine, node, WHAT, RESTORE, &[]).await?;
    manifests::give(&cluster.engine, node, WHAT, &[API_SERVER]).await?;
    control_plane::hurry_whole(cluster, node, WHAT, since).await?;
    node::run(&cluster.engine, node, WHAT, FORGET, &[]).await.map(drop)
}

/// Whether its systemd answers; until then kind is still writing the node's address into its files. Returns the node's time.
async fn booted(engine: &Engine, node: &str) -> Result<Timestamp, String> {
    let state = node::state(engine, node).await.map_err(|error| error.to_string())?;
    if state.kubelet.is_empty() { Err("its systemd does not answer".to_owned()) } else { Ok(state.now) }
}

/// What disruptions have put aside on a node, and [`mend`] would bring back.
///
/// # Errors
/// [`DisruptError::Command`].
pub(crate) async fn left_behind(engine: &Engine, node: &str) -> Result<Vec<String>, DisruptError> {
    Ok(node::state(engine, node).await?.aside)
}
