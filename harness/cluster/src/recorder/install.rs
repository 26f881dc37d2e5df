//! Putting the recorder on a node.

use crate::{
    command::{Command, CommandError},
    engine::Engine,
};

/// The start stamp comes before `ctr` subscribes, so a gap is never shorter than what the stamps say. A line that a crash
/// left half written is ended, so that it damages no other.
const UNIT: &str = "\
[Unit]
Description=sidecheck: record containerd's events
After=containerd.service
StartLimitIntervalSec=0

[Service]
Environment=TZ=UTC
ExecStartPre=/bin/sh -c 'date +%%s%%N >>/var/lib/sidecheck/recorder-starts.log'
ExecStartPre=/bin/sh -c 'cd /var/lib/sidecheck; [ -z \"$$(tail -c 1 containerd-events.log)\" ] || echo >>containerd-events.log'
ExecStart=/bin/sh -c 'exec ctr -n k8s.io events >>/var/lib/sidecheck/containerd-events.log'
Restart=always
RestartSec=200ms

[Install]
WantedBy=multi-user.target
";

/// Returns when `ctr` is subscribed: it has shown an event that this script caused.
const INSTALL: &str = r#"
set -e
mkdir -p /var/lib/sidecheck/evidence
cat >/etc/systemd/system/sidecheck-recorder.service
systemctl daemon-reload
systemctl enable --quiet --now sidecheck-recorder
for try in $(seq 40); do
    ctr namespaces label k8s.io sidecheck-probe="$try"
    sleep 0.1
    if grep -q sidecheck-probe /var/lib/sidecheck/containerd-events.log; then
        ctr namespaces label k8s.io sidecheck-probe=
        exit 0
    fi
done
echo "the recorder shows no event" >&2
systemctl status --no-pager --lines=20 sidecheck-recorder >&2
exit 1
"#;

/// Installs and starts the recorder, and makes sure that it records.
pub(crate) async fn install(engine: &Engine, node: &str) -> Result<(), CommandError> {
    engine.script_with_input(node, INSTALL, &[], UNIT.into()).run().await.map(drop)
}

/// A command that succeeds when the recorder runs.
pub(crate) fn is_active(engine: &Engine, node: &str) -> Command {
    engine.docker(["exec", node, "systemctl", "is-active", "--quiet", "sidecheck-recorder"])
}
