//! Feature gates of one component.

mod edit;
mod file;

use std::time::Duration;

use sidecheck_core::scenario::Component;

use super::{
    DisruptError, api, api_server, control_plane,
    kubelet::restart_kubelet,
    manifests::{self, LEADERS},
    node,
    wait::until,
};
use crate::{cluster::Cluster, verify};

/// A static pod ends and is started again within half a minute.
const RESTART: Duration = Duration::from_secs(120);
const READ: &str = r#"bare <"$1""#;
/// Says nothing where nothing is put aside.
const READ_ORIGINAL: &str = r#"[ ! -e "$aside/original/$1" ] || unmask <"$aside/original/$1""#;
const WRITE: &str = r#"
put_aside "$1" original
write "$1"
"#;
const FORGET: &str = r#"rm -f "$aside/original/$1""#;

/// Switches a gate of one component on or off, or (`None`) back to as it was when the cluster came up; returns when the
/// component runs with it and says so, and the control plane is whole. Other gates stay as they are.
///
/// # Errors
/// [`DisruptError::Command`], [`DisruptError::Cluster`]; [`DisruptError::File`] when the file that sets the gates is not what
/// kubeadm makes; [`DisruptError::TimedOut`] when the component does not come back: one that does not know the gate ends at once.
pub async fn set_gate(cluster: &Cluster, component: Component, gate: &str, on: Option<bool>) -> Result<(), DisruptError> {
    let all: Vec<&str> = match component {
        Component::Kubelet => cluster.nodes().collect(),
        _ => node::planes(cluster).collect(),
    };
    for node in all {
        Setting { cluster, node, component, gate }.set(on).await?;
    }
    Ok(())
}

struct Setting<'a> {
    cluster: &'a Cluster,
    node: &'a str,
    component: Component,
    gate: &'a str,
}

impl Setting<'_> {
    async fn set(&self, on: Option<bool>) -> Result<(), DisruptError> {
        let Self { cluster: Cluster { engine, .. }, node, component, gate } = self;
        let what = format!("set {gate} of {} {}", component.program(), on.map_or("back", |on| if on { "on" } else { "off" }));
        let file = file::path(*component);
        let name = file.rsplit('/').next().unwrap_or_default();
        let failed = |said| DisruptError::File { node: (*node).to_owned(), file: file.clone(), said };

        let text = node::run(engine, node, &what, READ, &[&file]).await?;
        let aside = node::run(engine, node, &what, READ_ORIGINAL, &[name]).await?;
        let original = if aside.is_empty() { &text } else { &aside };
        let wanted = on.or(file::state(*component, original, gate));
        let edited = file::edited(*component, &text, gate, wanted).map_err(failed)?;
        if edited != text {
            let before = node::state(engine, node).await?;
            if *component == Component::ApiServer {
                // They would end without it.
                manifests::take(engine, node, &what, &LEADERS).await?;
            }
            node::run_with_input(engine, node, &what, WRITE, &[&file], &edited).await?;
            if *component == Component::Kubelet {
                restart_kubelet(self.cluster, node).await?;
            } else {
                self.await_new_process(&what, before.pid_of(component.program())).await?;
                control_plane::await_whole(self.cluster, node, &what, before.now).await?;
            }
        }
        if let Some(wanted) = wanted {
            self.await_metric(&what, wanted).await?;
        }
        if edited == *original {
            node::run(engine, node, &what, FORGET, &[name]).await?;
        }
        Ok(())
    }

    /// The old process would still say that it is well.
    async fn await_new_process(&self, what: &str, before: Option<u32>) -> Result<(), DisruptError> {
        let (engine, program) = (&self.cluster.engine, self.component.program());
        until(self.node, what, RESTART, || async {
            if self.component == Component::ApiServer {
                api_server::ended(engine, self.node, before).await?;
            }
            let state = node::state(engine, self.node).await.map_err(|error| error.to_string())?;
            match state.pid_of(program) {
                Some(pid) if before == Some(pid) => Err(format!("the old process still runs ({pid})")),
                Some(_) => Ok(()),
                None => Err(format!("{program} does not run")),
            }
        })
        .await
    }

    /// A gate that can't be switched any more is not in the metrics, and then on for good.
    async fn await_metric(&self, what: &str, wanted: bool) -> Result<(), DisruptError> {
        let client = api::client(self.cluster).await?;
        until(self.node, what, RESTART, || async {
            let gates = verify::gates_of(&client, &self.cluster.engine, self.node, self.component).await;
            let found = gates.map_err(|error| error.to_string())?.get(self.gate).copied();
            if found == Some(wanted) { Ok(()) } else { Err(format!("its metrics say {found:?}, not {wanted}")) }
        })
        .await
    }
}
