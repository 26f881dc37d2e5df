//! The machine itself.

use std::path::Path;

use super::{Check, Health};

/// Kernel settings that a node uses up: its systemd, kubelet and containerd each watch files, and with Debian's
/// default of 128 instances a handful of nodes end in "too many open files".
const INOTIFY: [(&str, &str, u64); 2] =
    [("inotify instances", "fs.inotify.max_user_instances", 512), ("inotify watches", "fs.inotify.max_user_watches", 65_536)];

/// Two clusters need 750 MB; a build from source needs 3 GB while it links the API server.
const MEMORY_GB: u64 = 4;
/// Builds from source keep 10 GB of compiled parts and modules, and two node images unpack to 2 GB.
const DISK_GB: u64 = 15;

pub(super) fn inotify() -> Vec<Check> {
    INOTIFY.iter().map(|(name, key, least)| limit(name, key, *least, setting(key))).collect()
}

fn setting(key: &str) -> Option<u64> {
    std::fs::read_to_string(format!("/proc/sys/{}", key.replace('.', "/"))).ok()?.trim().parse().ok()
}

fn limit(name: &'static str, key: &str, least: u64, found: Option<u64>) -> Check {
    match found {
        Some(found) if found >= least => Check::ok(name, format!("{key} = {found}")),
        Some(found) => {
            let found = format!("{key} = {found}; more than one or two clusters need {least}");
            Check::not(name, Health::Warn, found, format!("sudo sysctl -w {key}={least}"))
        }
        None => Check::not(name, Health::Warn, format!("{key} can't be read"), format!("sysctl {key}")),
    }
}

pub(super) fn cgroups() -> Check {
    if Path::new("/sys/fs/cgroup/cgroup.controllers").exists() {
        Check::ok("cgroups", "version 2")
    } else {
        Check::ok(
            "cgroups",
            "version 1: fine up to Kubernetes 1.34; kubelets from 1.35 on refuse it unless failCgroupV1 is false",
        )
    }
}

pub(super) fn memory() -> Check {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    memory_of(available(&text))
}

/// `MemAvailable` in kB.
fn available(meminfo: &str) -> Option<u64> {
    meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?.split_whitespace().next()?.parse().ok()
}

fn memory_of(kilobytes: Option<u64>) -> Check {
    let Some(kilobytes) = kilobytes else { return Check::not("memory", Health::Warn, "can't be read", "cat /proc/meminfo") };
    let found = format!("{:.1} GB available", kilobytes as f64 / 1e6);
    if kilobytes / 1_000_000 >= MEMORY_GB {
        return Check::ok("memory", found);
    }
    Check::not("memory", Health::Warn, format!("{found}; {MEMORY_GB} GB are needed"), "sidecheck down --all")
}

/// The file system that has `folder`, or will have it.
pub(super) fn disk(name: &'static str, folder: &Path, mend: &str) -> Check {
    let there = folder.ancestors().find(|folder| folder.exists()).unwrap_or(Path::new("/"));
    match rustix::fs::statvfs(there) {
        Ok(found) => space(name, there, found.f_bavail * found.f_frsize, mend),
        Err(error) => Check::not(name, Health::Warn, format!("{} can't be asked ({error})", there.display()), "df -h"),
    }
}

fn space(name: &'static str, folder: &Path, bytes: u64, mend: &str) -> Check {
    let gigabytes = bytes / 1_000_000_000;
    let found = format!("{gigabytes} GB free in {}", folder.display());
    if gigabytes >= DISK_GB {
        return Check::ok(name, found);
    }
    Check::not(name, Health::Warn, format!("{found}; {DISK_GB} GB are needed"), mend)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_low_limit_comes_with_the_command_that_raises_it() {
        let check = limit("inotify instances", "fs.inotify.max_user_instances", 512, Some(128));
        assert_eq!(
            (check.health, check.mend.as_deref()),
            (Health::Warn, Some("sudo sysctl -w fs.inotify.max_user_instances=512"))
        );
        assert_eq!(limit("inotify instances", "fs.inotify.max_user_instances", 512, Some(512)).mend, None);
    }

    #[test]
    fn memory_and_disk_are_held_against_their_needs() {
        assert_eq!(available("MemTotal:  9 kB\nMemAvailable:   22000000 kB\n"), Some(22_000_000));
        assert_eq!(memory_of(Some(22_000_000)).health, Health::Ok);
        assert_eq!(memory_of(Some(2_000_000)).health, Health::Warn);
        assert_eq!(space("disk", Path::new("/"), 3_000_000_000, "rm").health, Health::Warn);
    }
}
