//! Whether a kubelet hears of new pods. After its API server was away it asks for them again with pauses that grow to half a
//! minute, while its lease is long renewed: a node can look whole, and start nothing for another minute (seen on 1.28.15).

use std::time::Duration;

use k8s_openapi::api::core::v1::Pod;
use kube::{
    Api, Client,
    api::{DeleteParams, PostParams},
};
use serde_json::json;

use super::{DisruptError, wait::until};

const NAME: &str = "canary";
/// Twice the longest pause, and something for the work.
pub(super) const LIMIT: Duration = Duration::from_secs(90);

/// Waits until the kubelet of `node` says something about a new pod. It is one that this kubelet has to refuse, so that no
/// container is started for it.
///
/// # Errors
/// [`DisruptError::TimedOut`] after `limit` for its answer, and after 90 s for the pod to be made or removed.
pub(super) async fn await_kubelet(
    client: &Client,
    namespace: &str,
    node: &str,
    what: &str,
    limit: Duration,
) -> Result<(), DisruptError> {
    let pods = &Api::<Pod>::namespaced(client.clone(), namespace);
    let made = until(node, what, LIMIT, || async {
        remove(pods).await?;
        let made = pods.create(&PostParams::default(), &canary(node)?).await;
        made.map(drop).map_err(|error| format!("no pod can be made in {namespace} ({error})"))
    });
    made.await?;
    let refused = until(node, what, limit, || async {
        let pod = pods.get(NAME).await.map_err(|error| format!("the pod {NAME} is unknown ({error})"))?;
        match pod.status.unwrap_or_default() {
            status if status.phase.as_deref() == Some("Failed") => Ok(()),
            status => Err(format!("the kubelet says nothing about a new pod, which is {}", status.phase.unwrap_or_default())),
        }
    });
    let refused = refused.await;
    let removed = until(node, what, LIMIT, || remove(pods)).await;
    refused.and(removed)
}

/// Also that of a process that was killed.
async fn remove(pods: &Api<Pod>) -> Result<(), String> {
    match pods.delete(NAME, &DeleteParams { grace_period_seconds: Some(0), ..DeleteParams::default() }).await {
        Err(kube::Error::Api(status)) if status.code == 404 => Ok(()),
        Err(error) => Err(format!("the pod {NAME} can't be removed ({error})")),
        Ok(_) => Ok(()),
    }
}

/// The scheduler is not asked, and would not have put it there.
fn canary(node: &str) -> Result<Pod, String> {
    let pod = json!({
        "metadata": {"name": NAME, "labels": {"app.kubernetes.io/part-of": "sidecheck"}},
        "spec": {
            "nodeName": node,
            "nodeSelector": {"sidecheck.dev/no-node": "1"},
            "restartPolicy": "Never",
            "automountServiceAccountToken": false,
            "tolerations": [{"operator": "Exists"}],
            "containers": [{"name": "none", "image": "none", "imagePullPolicy": "Never"}],
        },
    });
    serde_json::from_value(pod).map_err(|error| error.to_string())
}
