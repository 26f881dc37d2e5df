//! Reading what a node recorded about one scenario.

use std::{io::Read as _, time::Duration};

use jiff::Timestamp;

use super::evidence_folder;
use crate::{
    command::{Command, CommandError},
    engine::Engine,
};

/// What one node knows about one scenario.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NodeEvidence {
    /// containerd's events, oldest first, one per line, of every container on the node:
    /// `2026-11-30 19:30:14.756998255 +0000 UTC k8s.io /tasks/exit {"container_id":"..",..}`.
    ///
    /// The stamp is that of the event's publication, as Go prints a time in UTC: its fraction has no trailing zeros and
    /// may be absent. Then come the containerd namespace, the topic, and the event as JSON in one line:
    /// * `/tasks/start {"container_id":C,"pid":N}`: an incarnation began.
    /// * `/tasks/exit {"container_id":C,"id":X,"pid":N,"exit_status":S,"exited_at":T}`: X = C is the container's main
    ///   process; any other X is an exec (a probe or a hook). `exit_status` is absent when it is 0.
    /// * `/tasks/oom {"container_id":C}`, `/tasks/exec-added` and `/tasks/exec-started` with `"exec_id":X`,
    ///   `/containers/create|update|delete {"id":C,"image":..}`, `/tasks/create|delete`, `/snapshot/..`,
    ///   `/images/..`, `/namespaces/update` (in another namespace than `k8s.io`).
    ///
    /// T is `"2026-11-30T19:30:14.75697926Z"` from containerd 1.6, and `{"seconds":1796067014,"nanos":756979260}` from
    /// 1.7 and 2.x, where a `nanos` of 0 is absent. It is the instant of the exit; the stamp is that of its telling.
    pub events: String,
    /// containerd's own journal, oldest first, as it wrote it: `time="2026-11-30T19:30:11.635113040Z" level=info
    /// msg="Stop container \"C\" with signal terminated"`, beside others.
    pub journal: String,
    /// Every start of the recorder since the cluster came up, as wall-clock nanoseconds, one per line.
    pub recorder_starts: String,
    /// `{"boot_ns":..,"wall_ns":..}` per line.
    pub heartbeat: String,
    /// The files below the namespace's evidence folder, by their path in it, in the order of their paths.
    pub files: Vec<(String, Vec<u8>)>,
}

/// Why evidence could not be had.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    /// The node did not answer, or one of its files can't be read.
    #[error("failed to collect evidence from node `{node}`: {source}")]
    Command {
        /// The node.
        node: String,
        /// What was run and how it failed.
        #[source]
        source: CommandError,
    },
    /// What the node sent is not what it should be.
    #[error("failed to read the evidence that node `{node}` sent: {source}")]
    Archive {
        /// The node.
        node: String,
        /// What is wrong with it.
        #[source]
        source: std::io::Error,
    },
}

const COLLECT: &str = include_str!("collect.sh");

/// Scripts and archives take a second at most; a node that is starved of CPU gets more.
const LIMIT: Duration = Duration::from_secs(60);

/// Reads what `node` recorded since an instant, and what the pods of `namespace` left there.
///
/// # Errors
/// [`CollectError`]: nothing is returned in part.
pub async fn collect(engine: &Engine, node: &str, since: Timestamp, namespace: &str) -> Result<NodeEvidence, CollectError> {
    let arguments = instant(since);
    let [text, nanoseconds, seconds] = arguments.each_ref().map(String::as_str);
    let command = engine.script(node, COLLECT, &[text, nanoseconds, seconds, namespace]).limit(LIMIT);
    let output = run(command, node).await?;
    unpack(&output).map_err(|source| CollectError::Archive { node: node.to_owned(), source })
}

/// The instant in the three forms that the script wants. Lines are sought backwards until one that is older, and need not
/// be in strict order: so it is a little before.
fn instant(since: Timestamp) -> [String; 3] {
    let early = since - Duration::from_secs(1);
    [early.strftime("%Y-%m-%d %H:%M:%S").to_string(), early.as_nanosecond().to_string(), early.as_second().to_string()]
}

fn unpack(archive: &[u8]) -> std::io::Result<NodeEvidence> {
    let mut evidence = NodeEvidence::default();
    for entry in tar::Archive::new(archive).entries()? {
        let mut entry = entry?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let path = entry.path()?.to_string_lossy().into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes)?;
        let text = |bytes: Vec<u8>| {
            String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
        };
        match path.as_str() {
            "events" => evidence.events = text(bytes),
            "journal" => evidence.journal = text(bytes),
            "recorder-starts" => evidence.recorder_starts = text(bytes),
            "heartbeat" => evidence.heartbeat = text(bytes),
            _ => evidence.files.push((path.trim_start_matches("files/").to_owned(), bytes)),
        }
    }
    evidence.files.sort();
    Ok(evidence)
}

/// Removes a folder, and keeps the record of events from growing for ever: the head of a long one is given back to the file
/// system in place, since its writer has it open.
const REMOVE: &str = r#"
set -e
cd /var/lib/sidecheck
rm -rf "$1"
log=containerd-events.log
if [ -e "$log" ] && [ $(($(stat -c %b "$log") * 512)) -gt $((256 << 20)) ]; then
    fallocate --punch-hole --offset 0 --length $(($(stat -c %s "$log") - (64 << 20))) "$log"
fi
"#;

/// Removes what the pods of `namespace` left on `node`.
///
/// # Errors
/// [`CollectError::Command`].
pub async fn remove_evidence(engine: &Engine, node: &str, namespace: &str) -> Result<(), CollectError> {
    run(engine.script(node, REMOVE, &[&evidence_folder(namespace)]).limit(LIMIT), node).await.map(drop)
}

async fn run(command: Command, node: &str) -> Result<Vec<u8>, CollectError> {
    let output = command.run().await.map_err(|source| CollectError::Command { node: node.to_owned(), source })?;
    Ok(output.stdout)
}

#[cfg(test)]
mod tests;
