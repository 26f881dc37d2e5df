//! A cluster that a test has to itself, and that is mended after it whatever happened.

use std::{
    panic,
    sync::Arc,
    time::{Duration, Instant},
};

use sidecheck_cluster::{
    Cluster,
    disrupt::{Component, mend},
    engine::Engine,
    lease::{Lease, Leases, Use},
    paths::{Paths, Variables},
};

use crate::support;

const ENTRY: &str = "1.28-off";

/// The cluster, with nobody else on it.
pub(crate) struct Disturbed {
    pub(crate) cluster: Cluster,
    _alone: Lease,
}

impl Disturbed {
    /// Waits until nobody uses the cluster, lets `test` disturb it, and mends it. Fails as the test does.
    pub(crate) async fn run<F>(test: impl FnOnce(Arc<Self>) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let variables = Variables::of_process();
        let paths = Paths::find(Some(support::root()), &variables, support::root()).unwrap();
        let engine = Engine::find(&variables, &paths).await.unwrap();
        let cluster = Cluster::open(ENTRY, &paths, &engine).unwrap();
        let alone = Leases::of_cluster(&paths, &cluster.name).acquire(Use::Exclusive, || ()).await.unwrap();
        let disturbed = Arc::new(Self { cluster, _alone: alone });
        // What an earlier test that was killed has left.
        mend(&disturbed.cluster).await.unwrap();
        let ended = tokio::spawn(test(Arc::clone(&disturbed))).await;
        let mended = mend(&disturbed.cluster).await;
        if let Err(error) = ended {
            panic::resume_unwind(error.into_panic());
        }
        mended.unwrap();
    }

    /// The cluster's only node.
    pub(crate) fn node(&self) -> &str {
        self.cluster.nodes().next().unwrap()
    }

    /// What a script on the node says.
    pub(crate) async fn says(&self, script: &str) -> String {
        self.cluster.engine.script(self.node(), script, &[]).run().await.unwrap().text()
    }

    /// A number in it.
    pub(crate) async fn number(&self, script: &str) -> u64 {
        let said = self.says(script).await;
        said.parse().unwrap_or_else(|_| panic!("`{script}` says `{said}`"))
    }

    /// The kubelet's process id; 0 when it does not run.
    pub(crate) async fn kubelet(&self) -> u64 {
        self.number("systemctl show kubelet --property MainPID --value").await
    }

    /// The state of the sidecars' gate in a component's metrics.
    pub(crate) async fn gate(&self, component: Component) -> bool {
        let local = |port: u16| format!("--server https://127.0.0.1:{port} --insecure-skip-tls-verify get --raw /metrics");
        let ask = match component {
            Component::ApiServer => "get --raw /metrics".to_owned(),
            Component::Kubelet => format!("get --raw /api/v1/nodes/{}/proxy/metrics", self.node()),
            Component::ControllerManager => local(10257),
            Component::Scheduler => local(10259),
        };
        let script = format!(
            "kubectl --kubeconfig /etc/kubernetes/admin.conf {ask} | \
             sed -n 's/^kubernetes_feature_enabled{{name=\"SidecarContainers\".*}} //p'"
        );
        // A scheduler or controller manager that has just started refuses everybody, until it has read from the API server whose
        // certificates it may trust.
        let begin = Instant::now();
        loop {
            match self.says(&script).await.as_str() {
                "" if begin.elapsed() < Duration::from_secs(30) => tokio::time::sleep(Duration::from_millis(500)).await,
                said => return said == "1",
            }
        }
    }

    /// Whether an API server answers at the address that everybody uses.
    pub(crate) async fn api_server_answers(&self) -> bool {
        let client = self.cluster.client().await.unwrap();
        let version = tokio::time::timeout(Duration::from_secs(10), client.apiserver_version()).await;
        matches!(version, Ok(Ok(_)))
    }
}
