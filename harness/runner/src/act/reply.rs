//! What the API server says to a request that it may refuse.

use kube::{
    api::{DynamicObject, Patch, PatchParams, PostParams},
    core::Status,
};
use serde_json::Value;

use super::Objects;

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    /// The HTTP status code.
    pub(crate) code: u16,
    /// Each cause of a refusal, as `path: text`.
    pub(crate) causes: Vec<String>,
    /// The message of a refusal.
    pub(crate) message: String,
    /// The object that an accepting answer returns.
    pub(crate) object: Option<Value>,
}

impl Objects {
    /// Creates an object as a dry run, and returns the answer, a refusal among others.
    ///
    /// # Errors
    /// There is no answer.
    pub(crate) async fn try_create(&self, object: &Value) -> Result<Reply, String> {
        let kind = object["kind"].as_str().unwrap_or_default();
        let typed: DynamicObject =
            serde_json::from_value(object.clone()).map_err(|error| format!("failed to make a {kind}: {error}"))?;
        let api = self.api(object["apiVersion"].as_str().unwrap_or_default(), kind);
        let parameters = PostParams { dry_run: true, ..PostParams::default() };
        reply(api.create(&parameters, &typed).await).map_err(|error| format!("failed to ask about a {kind}: {error}"))
    }

    /// Changes an object with a strategic merge patch, and returns the answer, a refusal among others.
    ///
    /// # Errors
    /// There is no answer.
    pub(crate) async fn try_patch(
        &self,
        api_version: &str,
        kind: &str,
        name: &str,
        subresource: Option<&str>,
        change: &Value,
    ) -> Result<Reply, String> {
        let (api, parameters, patch) = (self.api(api_version, kind), PatchParams::default(), Patch::Strategic(change));
        let answer = match subresource {
            Some(subresource) => api.patch_subresource(subresource, name, &parameters, &patch).await,
            None => api.patch(name, &parameters, &patch).await,
        };
        reply(answer).map_err(|error| format!("failed to change {kind} {name}: {error}"))
    }
}

fn reply(answer: kube::Result<DynamicObject>) -> Result<Reply, String> {
    match answer {
        Ok(mut object) => {
            object.metadata.managed_fields = None;
            let object = serde_json::to_value(&object).map_err(|error| error.to_string())?;
            Ok(Reply { code: 200, causes: vec![], message: String::new(), object: Some(object) })
        }
        Err(kube::Error::Api(status)) if (400..500).contains(&status.code) && status.code != 429 => {
            let causes = causes(&status);
            Ok(Reply { code: status.code, causes, message: status.message.clone(), object: None })
        }
        Err(error) => Err(error.to_string()),
    }
}

fn causes(status: &Status) -> Vec<String> {
    let causes = status.details.iter().flat_map(|details| &details.causes);
    causes.map(|cause| format!("{}: {}", cause.field, cause.message)).collect()
}
