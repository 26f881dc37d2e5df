//! Putting the recorder on a node.

use super::EVIDENCE_ROOT;
use crate::{command::CommandError, engine::Engine};

/// The start stamp comes before `ctr` subscribes, so a gap is never shorter than what the stamps say. A line that a crash
/// left half written is ended, so that it damages no other.
///
/// It counts as started when it has shown an event that it caused itself. The kubelet waits for that at boot, so that no
/// container starts unseen.
const UNIT: &str = include_str!("sidecheck-recorder.service");
/// containerd's journal is evidence too, also after a reboot. Node images that are built here have this file already.
const JOURNAL: &str = include_str!("../../../../clusters/node-image/files/etc/systemd/journald.conf.d/evidence.conf");

/// The unit comes as input, the settings of the journal as `$1`, the folder of all evidence as `$2`.
const INSTALL: &str = r#"
set -e
mkdir -p "$2"
unit=/etc/systemd/system/sidecheck-recorder.service
cat >"$unit.new"
if cmp -s "$unit.new" "$unit"; then
    rm "$unit.new"
else
    mv "$unit.new" "$unit"
    systemctl daemon-reload
    systemctl enable --quiet sidecheck-recorder
fi
journal=/etc/systemd/journald.conf.d/evidence.conf
if ! printf %s "$1" | cmp -s - "$journal"; then
    mkdir -p "${journal%/*}" /var/log/journal
    printf %s "$1" >"$journal"
    systemctl restart systemd-journald
    journalctl --flush
fi
systemctl start sidecheck-recorder || {
    systemctl status --no-pager --lines=20 sidecheck-recorder >&2
    exit 1
}
"#;

/// Brings the recorder up to date and starts it; returns when it records. One that runs is not restarted: the gap would be
/// worse than an old unit until the next boot.
pub(crate) async fn install(engine: &Engine, node: &str) -> Result<(), CommandError> {
    engine.script_with_input(node, INSTALL, &[JOURNAL, EVIDENCE_ROOT], UNIT.into()).run().await.map(drop)
}
