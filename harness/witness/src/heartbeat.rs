//! A beat per interval, which shows that a node was alive and not starved while nothing else happened.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::Instant;

use crate::Outcome;
use crate::args::HeartbeatOptions;
use crate::clock;
use crate::failure::Failure;
use crate::json::Object;
use crate::pace::Pace;
use crate::signals::Terms;

/// A file of this size is put aside; with its predecessor that is days of beats.
const LIMIT: u64 = 8 << 20;

/// Beats until SIGTERM.
pub(crate) fn heartbeat(options: &HeartbeatOptions) -> Outcome {
    let path = options.file.as_path();
    let mut terms = Terms::catch().map_err(Failure::unseen("wait for signals beside", path))?;
    let (mut file, mut size) = open(path)?;
    let mut pace = Pace::new(options.every, Instant::now());
    loop {
        if size > LIMIT {
            let mut aside = path.as_os_str().to_owned();
            aside.push(".1");
            fs::rename(path, aside).map_err(Failure::unseen("put aside", path))?;
            (file, size) = open(path)?;
        }
        let at = clock::now();
        let mut line = Object::new().number("boot_ns", at.boot_ns).number("wall_ns", at.wall_ns).close();
        line.push('\n');
        file.write_all(line.as_bytes()).map_err(Failure::unseen("append to", path))?;
        size += line.len() as u64;
        pace.taken(Instant::now());
        if terms.wait(Some(pace.next())).map_err(Failure::unseen("wait for signals beside", path))? {
            return Ok(0);
        }
    }
}

fn open(path: &Path) -> Result<(File, u64), Failure> {
    let file = OpenOptions::new().append(true).create(true).mode(0o666).open(path).map_err(Failure::unseen("open", path))?;
    let size = file.metadata().map_err(Failure::unseen("read the size of", path))?.len();
    Ok((file, size))
}
