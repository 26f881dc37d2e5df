//! Who this container is, as its pod's manifest tells it.

use std::path::PathBuf;

use crate::failure::Failure;
use crate::json::Object;

/// Pod, container and where the evidence goes.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    pub(crate) pod: String,
    pub(crate) uid: String,
    pub(crate) container: String,
    pub(crate) run: String,
    /// The folder shared by all containers of the scenario on this node.
    pub(crate) evidence: PathBuf,
}

impl Identity {
    /// Reads `POD_NAME`, `POD_UID`, `SIDECHECK_RUN` and `SIDECHECK_EVIDENCE`.
    pub(crate) fn of(container: &str) -> Result<Self, Failure> {
        Ok(Identity {
            pod: variable("POD_NAME")?,
            uid: variable("POD_UID")?,
            container: container.to_owned(),
            run: variable("SIDECHECK_RUN")?,
            evidence: variable("SIDECHECK_EVIDENCE")?.into(),
        })
    }

    /// The fields that begin each of this container's records.
    pub(crate) fn fields(&self) -> Object {
        Object::new().text("pod", &self.pod).text("uid", &self.uid).text("container", &self.container)
    }
}

fn variable(name: &str) -> Result<String, Failure> {
    match std::env::var(name) {
        Ok(value) if !value.is_empty() => Ok(value),
        _ => Err(Failure::Usage(format!("the environment variable {name} is not set: it must come from the pod's manifest"))),
    }
}
