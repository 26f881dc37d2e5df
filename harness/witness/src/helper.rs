//! Threads beside the main loop of a container, for what may wait without holding it up.

use std::path::Path;
use std::process;
use std::thread;

use crate::complain;
use crate::failure::Failure;

/// Starts a thread. When it can't go on the whole process ends, since a container must not run on unseen.
pub(crate) fn start(name: &str, work: impl FnOnce() -> Result<(), Failure> + Send + 'static) -> Result<(), Failure> {
    let work = move || {
        if let Err(failure) = work() {
            complain(&failure.to_string());
            process::exit(i32::from(failure.exit_code()));
        }
    };
    let spawned = thread::Builder::new().name(name.to_owned()).spawn(work);
    spawned.map(drop).map_err(Failure::unseen("start a thread in", Path::new("this process")))
}
