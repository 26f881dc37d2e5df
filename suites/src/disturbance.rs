//! Bad luck, made to happen for real while a scenario runs.

use std::time::Duration;

use sidecheck_cluster::Cluster;

/// What happens to the cluster's node, three seconds after the scenario began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disturbance {
    /// The recorder of containerd's events dies and is started anew.
    RecorderDies,
    /// The node's container is paused for twenty seconds, with everything in it.
    NodePauses,
    /// The API server is gone for twenty seconds.
    ApiServerStops,
}

const BEFORE: Duration = Duration::from_secs(3);
const LASTING: Duration = Duration::from_secs(20);
/// Out of the folder from which the kubelet takes static pods, and back.
const STOP_API_SERVER: &str = "mv /etc/kubernetes/manifests/kube-apiserver.yaml /etc/kubernetes/";
const START_API_SERVER: &str = "mv /etc/kubernetes/kube-apiserver.yaml /etc/kubernetes/manifests/";
/// Ready again, with the controllers behind it: they look for the API server again at their own pace, and the next scenario
/// needs them to make accounts and to remove namespaces.
const AWAIT_CONTROL_PLANE: &str = "
export KUBECONFIG=/etc/kubernetes/admin.conf
until kubectl get --raw /readyz; do sleep 1; done
kubectl create namespace sidecheck-mended
until kubectl --namespace sidecheck-mended get serviceaccount default; do sleep 1; done
kubectl delete namespace sidecheck-mended
";
const MENDED: Duration = Duration::from_secs(240);

impl Disturbance {
    /// Lets it happen, and mends it.
    pub(crate) async fn happen(self, cluster: &Cluster) -> anyhow::Result<()> {
        let engine = &cluster.engine;
        tokio::time::sleep(BEFORE).await;
        for node in cluster.nodes() {
            match self {
                Self::RecorderDies => {
                    engine.script(node, "systemctl kill -s KILL sidecheck-recorder", &[]).run().await?;
                }
                Self::NodePauses => {
                    engine.docker(["pause", node]).run().await?;
                    tokio::time::sleep(LASTING).await;
                    engine.docker(["unpause", node]).run().await?;
                }
                Self::ApiServerStops => {
                    engine.script(node, STOP_API_SERVER, &[]).run().await?;
                    tokio::time::sleep(LASTING).await;
                    engine.script(node, START_API_SERVER, &[]).run().await?;
                    engine.script(node, AWAIT_CONTROL_PLANE, &[]).limit(MENDED).run().await?;
                }
            }
        }
        Ok(())
    }
}
