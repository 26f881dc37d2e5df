//! Release and gates of the API server.

use std::collections::BTreeMap;

use kube::Client;
use serde_json::{Value, json};
use sidecheck_core::release::Release;

use super::{SIDECARS, VerifyError, metrics};

/// The release, from `/version`.
pub(super) async fn release(client: &Client) -> Result<Release, VerifyError> {
    let version = client.apiserver_version().await.map_err(|source| VerifyError::Api { what: "/version".to_owned(), source })?;
    version.git_version.parse().map_err(|said| VerifyError::Answer { what: "/version".to_owned(), said })
}

/// The gates, from `/metrics`; that of the sidecars must agree with what the API server does.
pub(super) async fn gates(client: &Client) -> Result<BTreeMap<String, bool>, VerifyError> {
    let gates = metrics::gates(&text(client, "/metrics").await?);
    let kept = keeps_sidecars(client).await?;
    match gates.get(SIDECARS) {
        Some(&on) if on != kept => Err(VerifyError::Answer {
            what: "a dry run of a pod with a sidecar".to_owned(),
            said: format!(
                "its restartPolicy was {}, but /metrics says the opposite of {SIDECARS}",
                if kept { "kept" } else { "dropped" }
            ),
        }),
        // Absent from the list: not there yet, or on for good.
        None => Ok(gates.into_iter().chain([(SIDECARS.to_owned(), kept)]).collect()),
        Some(_) => Ok(gates),
    }
}

/// The text at a path.
pub(super) async fn text(client: &Client, path: &str) -> Result<String, VerifyError> {
    client
        .request_text(request("GET", path, Vec::new())?)
        .await
        .map_err(|source| VerifyError::Api { what: path.to_owned(), source })
}

/// Whether the API server keeps `restartPolicy: Always` of an init container. Asked as raw JSON, since typed bindings
/// of an old version don't know the field.
async fn keeps_sidecars(client: &Client) -> Result<bool, VerifyError> {
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": "sidecheck-dry-run"},
        "spec": {
            "automountServiceAccountToken": false,
            "initContainers": [{"name": "sidecar", "image": "none", "restartPolicy": "Always"}],
            "containers": [{"name": "main", "image": "none"}],
        },
    });
    let path = "/api/v1/namespaces/default/pods?dryRun=All";
    let request = request("POST", path, pod.to_string().into_bytes())?;
    let answer: Value =
        client.request(request).await.map_err(|source| VerifyError::Api { what: format!("POST {path}"), source })?;
    Ok(answer["spec"]["initContainers"][0]["restartPolicy"] == "Always")
}

fn request(method: &str, path: &str, body: Vec<u8>) -> Result<http::Request<Vec<u8>>, VerifyError> {
    let request = http::Request::builder().method(method).uri(path).header("Content-Type", "application/json").body(body);
    request.map_err(|error| VerifyError::Answer { what: path.to_owned(), said: error.to_string() })
}
