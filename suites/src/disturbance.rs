//! Bad luck, made to happen for real while a scenario runs.

use std::time::Duration;

use sidecheck_cluster::{Cluster, disrupt};

/// What happens to the cluster's node, three seconds after the scenario began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disturbance {
    /// The recorder of containerd's events dies and is started anew.
    RecorderDies,
    /// The node's container is paused for twenty seconds, with everything in it.
    NodePauses,
    /// The API server is gone for twenty seconds.
    ApiServerStops,
    /// The kubelet is killed; systemd starts it anew.
    KubeletDies,
    /// The disks on which the node keeps the witnesses' record and the containers' logs are full.
    DiskFills,
}

const BEFORE: Duration = Duration::from_secs(3);
const LASTING: Duration = Duration::from_secs(20);

/// A small disk over the folder of the records, and one over the folder of the containers' logs.
const SMALL_DISKS: &str = "
for folder in /var/lib/sidecheck/evidence /var/log/pods; do
    mkdir -p $folder
    mount -t tmpfs -o size=256k sidecheck-small $folder
done
";
const FILL: &str = "
for folder in /var/lib/sidecheck/evidence /var/log/pods; do
    dd if=/dev/zero of=$folder/full bs=1k 2>/dev/null
done
true
";
const TAKE_AWAY: &str = "
for folder in /var/lib/sidecheck/evidence /var/log/pods; do
    umount -l $folder
done
";

impl Disturbance {
    /// What has to be there before the scenario begins.
    pub(crate) async fn prepare(self, cluster: &Cluster) -> anyhow::Result<()> {
        if self == Self::DiskFills {
            on_each_node(cluster, SMALL_DISKS).await?;
        }
        Ok(())
    }

    /// Lets it happen, and mends what the scenario needs to end.
    pub(crate) async fn happen(self, cluster: &Cluster) -> anyhow::Result<()> {
        tokio::time::sleep(BEFORE).await;
        match self {
            Self::RecorderDies => on_each_node(cluster, "systemctl kill -s KILL sidecheck-recorder").await?,
            Self::KubeletDies => on_each_node(cluster, "systemctl kill -s KILL kubelet").await?,
            Self::DiskFills => on_each_node(cluster, FILL).await?,
            Self::NodePauses => {
                for node in cluster.nodes() {
                    cluster.engine.docker(["pause", node]).run().await?;
                }
                tokio::time::sleep(LASTING).await;
                for node in cluster.nodes() {
                    cluster.engine.docker(["unpause", node]).run().await?;
                }
            }
            Self::ApiServerStops => {
                disrupt::stop_api_server(cluster).await?;
                tokio::time::sleep(LASTING).await;
                disrupt::start_api_server(cluster).await?;
            }
        }
        Ok(())
    }

    /// Brings the cluster back to what it was, whatever became of the scenario.
    pub(crate) async fn mend(self, cluster: &Cluster) -> anyhow::Result<()> {
        if self == Self::DiskFills {
            on_each_node(cluster, TAKE_AWAY).await?;
        }
        Ok(disrupt::mend(cluster).await?)
    }
}

async fn on_each_node(cluster: &Cluster, script: &str) -> anyhow::Result<()> {
    for node in cluster.nodes() {
        cluster.engine.script(node, script, &[]).run().await?;
    }
    Ok(())
}
