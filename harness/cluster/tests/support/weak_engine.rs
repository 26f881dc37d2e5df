//! A Docker engine on a locked-down host: it answers, and runs containers, but none that is privileged.

use std::{
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use crate::support::Daemon;

/// A real engine, with everything that it keeps in a temporary folder, and with a container runtime that refuses.
pub(crate) struct WeakEngine {
    // First of all the engine ends, then its folder goes.
    _daemon: Daemon,
    folder: tempfile::TempDir,
}

impl WeakEngine {
    /// Starts one; without root's rights or a `dockerd`, says what is missing.
    pub(crate) fn start() -> Result<Self, &'static str> {
        if !rustix::process::geteuid().is_root() {
            return Err("only root can start a Docker engine");
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        if !std::env::split_paths(&path).any(|folder| folder.join("dockerd").is_file()) {
            return Err("there is no dockerd on PATH");
        }
        let folder = tempfile::tempdir().unwrap();
        let config = write(folder.path(), "daemon.json", &config(&write(folder.path(), "runtime", RUNTIME)));
        // In a mount namespace of its own, so that nothing stays mounted. It must not meddle with the host's network.
        let mut command = Command::new("unshare");
        command.args(["--mount", "dockerd", "--bridge=none", "--iptables=false", "--ip6tables=false", "--ip-forward=false"]);
        command.args(["--storage-driver=vfs", "--config-file"]).arg(config).arg("--host").arg(address(folder.path()));
        for (option, file) in [("--data-root", "data"), ("--exec-root", "exec"), ("--pidfile", "pid")] {
            command.arg(option).arg(folder.path().join(file));
        }
        let mut daemon = Daemon::start(command, folder.path().join("log"));
        daemon.wait(Duration::from_secs(60), |said| said.contains("API listen on").then_some(()));
        Ok(Self { _daemon: daemon, folder })
    }

    /// What `DOCKER_HOST` is set to.
    pub(crate) fn address(&self) -> String {
        address(self.folder.path())
    }

    /// Sets what the runtime says when it refuses.
    pub(crate) fn refuse_with(&self, words: &str) {
        write(self.folder.path(), "words", words);
    }
}

fn address(folder: &Path) -> String {
    format!("unix://{}/docker.sock", folder.display())
}

fn write(folder: &Path, file: &str, text: &str) -> PathBuf {
    let path = folder.join(file);
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn config(runtime: &Path) -> String {
    format!("{{\"runtimes\": {{\"weak\": {{\"path\": \"{}\"}}}}, \"default-runtime\": \"weak\"}}", runtime.display())
}

/// Does what runc does, for containers that ask for no more capabilities than Docker gives by default. Like runc, it tells
/// the engine why not in a log of JSON lines.
const RUNTIME: &str = r#"#!/bin/sh
usual='CAP_(AUDIT_WRITE|CHOWN|DAC_OVERRIDE|FOWNER|FSETID|KILL|MKNOD|NET_BIND_SERVICE|NET_RAW|SETFCAP|SETGID|SETPCAP|SETUID|SYS_CHROOT)'
bundle=. log=/dev/null verb= option=
for word in "$@"; do
    case $option in
    --bundle) bundle=$word ;;
    --log) log=$word ;;
    esac
    option=$word
    [ "$word" != create ] || verb=create
done
if [ "$verb" = create ] && grep -o 'CAP_[A-Z_]*' "$bundle/config.json" | grep -qvxE "$usual"; then
    printf '{"level":"error","msg":"%s"}\n' "$(cat "${0%/*}/words")" >>"$log"
    exit 1
fi
exec runc "$@"
"#;
