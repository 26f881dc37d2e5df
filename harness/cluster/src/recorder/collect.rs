//! Reading what a node recorded about one scenario.

use std::{io::Read as _, time::Duration};

use jiff::Timestamp;

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

/// Reads the logs backwards, since what is wanted is at their end. $1, $2: the instant as text and in nanoseconds;
/// $3: in whole seconds; $4: the namespace. tar's status 1 says that a file grew while it was read.
const COLLECT: &str = r#"
set -e
root=/var/lib/sidecheck
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
mkdir -p "$out/files" "$root/evidence/$4"
tac "$root/containerd-events.log" | awk -v since="$1" '($1 " " $2) < since { exit } { print }' | tac >"$out/events"
cp "$root/recorder-starts.log" "$out/recorder-starts"
touch "$out/heartbeat"
if [ -e "$root/heartbeat.jsonl" ]; then
    tac "$root/heartbeat.jsonl" | awk -v since="n$2" -F'[:}]' '("n" $3) < since { exit } { print }' | tac >"$out/heartbeat"
fi
journalctl -u containerd -o cat --no-pager --since "@$3" >"$out/journal"
tar -C "$out" --warning=no-file-changed -cf - events journal recorder-starts heartbeat \
    -C "$root/evidence" --transform 's,^[^/]*/,files/,' "$4/" || [ $? = 1 ]
"#;

/// Scripts and archives take a second at most; a node that is starved of CPU gets more.
const LIMIT: Duration = Duration::from_secs(60);

/// Reads what `node` recorded since an instant, and what the pods of `namespace` left there.
///
/// # Errors
/// [`CollectError`]: nothing is returned in part.
pub async fn collect(engine: &Engine, node: &str, since: Timestamp, namespace: &str) -> Result<NodeEvidence, CollectError> {
    // Lines are sought backwards until the first that is older, and need not be in strict order: start a little before.
    let early = since - Duration::from_secs(1);
    let (text, nanoseconds) = (early.strftime("%Y-%m-%d %H:%M:%S").to_string(), early.as_nanosecond().to_string());
    let arguments = [text.as_str(), &nanoseconds, &early.as_second().to_string(), namespace];
    let command = engine.script(node, COLLECT, &arguments).limit(LIMIT);
    let output = run(command, node).await?;
    unpack(&output).map_err(|source| CollectError::Archive { node: node.to_owned(), source })
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

/// Removes a namespace's folder, and keeps the node's own logs from growing for ever: the head of a long one is given
/// back to the file system in place, since its writer has it open.
const REMOVE: &str = r#"
set -e
cd /var/lib/sidecheck
rm -rf "evidence/$1"
for log in containerd-events.log heartbeat.jsonl; do
    [ -e "$log" ] || continue
    if [ $(($(stat -c %b "$log") * 512)) -gt $((256 << 20)) ]; then
        fallocate --punch-hole --offset 0 --length $(($(stat -c %s "$log") - (64 << 20))) "$log"
    fi
done
"#;

/// Removes what the pods of `namespace` left on `node`.
///
/// # Errors
/// [`CollectError::Command`].
pub async fn remove_evidence(engine: &Engine, node: &str, namespace: &str) -> Result<(), CollectError> {
    run(engine.script(node, REMOVE, &[namespace]).limit(LIMIT), node).await.map(drop)
}

async fn run(command: Command, node: &str) -> Result<Vec<u8>, CollectError> {
    let output = command.run().await.map_err(|source| CollectError::Command { node: node.to_owned(), source })?;
    Ok(output.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archive_is_sorted_into_its_parts() {
        let mut archive = tar::Builder::new(Vec::new());
        for (path, text) in
            [("events", "e\n"), ("heartbeat", ""), ("files/sink/a", "2"), ("files/produced/a", "1"), ("journal", "j\n")]
        {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            archive.append_data(&mut header, path, text.as_bytes()).unwrap();
        }
        let evidence = unpack(&archive.into_inner().unwrap()).unwrap();
        assert_eq!((evidence.events.as_str(), evidence.journal.as_str(), evidence.heartbeat.as_str()), ("e\n", "j\n", ""));
        let files: Vec<&str> = evidence.files.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(files, ["produced/a", "sink/a"]);
    }

    #[test]
    fn half_an_archive_is_an_error() {
        let mut archive = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_size(4096);
        archive.append_data(&mut header, "events", &[b'x'; 4096][..]).unwrap();
        let bytes = archive.into_inner().unwrap();
        assert!(unpack(&bytes[..2048]).is_err());
    }
}
