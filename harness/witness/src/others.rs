//! Ending the other containers of a pod whose processes see each other: what people did before there were sidecars, so that a Job
//! with an agent beside its main could complete.

use std::path::Path;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, getpid, kill_process};

use crate::failure::Failure;

/// Sends TERM to each process of this process namespace but itself and the first one, which is the pod's own.
pub(crate) fn end() -> Result<(), Failure> {
    let folder = Path::new("/proc");
    let failed = |error| Failure::unseen("list the processes of", folder)(error);
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw) else { continue };
        if pid == Pid::INIT || pid == getpid() {
            continue;
        }
        match kill_process(pid, Signal::TERM) {
            // It has ended by itself meanwhile, or is none of ours to end.
            Ok(()) | Err(Errno::SRCH | Errno::PERM) => {}
            Err(error) => return Err(Failure::unseen("end a process of", folder)(error.into())),
        }
    }
    Ok(())
}
