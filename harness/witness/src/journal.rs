//! The shared record of acts: `witness.jsonl`, whose byte order is evidence.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::mem;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::acts::Act;
use crate::clock::{self, Stamp};
use crate::complain;
use crate::failure::Failure;
use crate::identity::Identity;

/// The journal, opened by one incarnation of one container. Its threads share it.
#[derive(Debug)]
pub(crate) struct Journal {
    identity: Identity,
    incarnation: u64,
    path: PathBuf,
    file: File,
    /// Held while an act is recorded: an instant, its line and the copy of that line come in one order.
    turn: Mutex<()>,
    /// Whether acts are no longer repeated on stdout.
    left_stdout: AtomicBool,
}

impl Journal {
    /// Opens the journal for the process that is a new incarnation.
    pub(crate) fn begin(identity: Identity) -> Result<Self, Failure> {
        Self::open(identity, |started| started)
    }

    /// Opens the journal for a helper of the incarnation that runs, such as an exec probe.
    pub(crate) fn join(identity: Identity) -> Result<Self, Failure> {
        Self::open(identity, |started| started.saturating_sub(1))
    }

    fn open(identity: Identity, incarnation: impl FnOnce(u64) -> u64) -> Result<Self, Failure> {
        let path = identity.evidence.join("witness.jsonl");
        let file =
            OpenOptions::new().append(true).create(true).mode(0o666).open(&path).map_err(Failure::unseen("open", &path))?;
        let started = count_started(&identity, &path).map_err(Failure::unseen("read", &path))?;
        Ok(Journal {
            identity,
            incarnation: incarnation(started),
            path,
            file,
            turn: Mutex::new(()),
            left_stdout: AtomicBool::new(false),
        })
    }

    pub(crate) fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The number of earlier incarnations of this container in this pod.
    pub(crate) fn incarnation(&self) -> u64 {
        self.incarnation
    }

    /// Whether another container of this pod has started.
    pub(crate) fn has_started(&self, container: &str) -> Result<bool, Failure> {
        let other = Identity { container: container.to_owned(), ..self.identity.clone() };
        count_started(&other, &self.path).map(|count| count > 0).map_err(Failure::unseen("read", &self.path))
    }

    /// From now on acts are not repeated on stdout: its last line has no end, and an act would continue it.
    pub(crate) fn leave_stdout(&self) {
        self.left_stdout.store(true, Ordering::Relaxed);
    }

    /// Appends one act in one write, and repeats the line on stdout. Returns the act's instant, taken just before.
    pub(crate) fn record(&self, act: Act<'_>) -> Result<Stamp, Failure> {
        let who = self.identity.fields().number("incarnation", self.incarnation);
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let at = clock::now();
        let mut line = act.record(who, at);
        line.push('\n');
        // Not write_all: a second write for the rest could come after another container's line.
        let written = (&self.file).write(line.as_bytes()).map_err(Failure::unseen("append to", &self.path))?;
        if written < line.len() {
            let short = io::Error::other(format!("only {written} of {} bytes were taken", line.len()));
            return Err(Failure::unseen("append to", &self.path)(short));
        }
        // A copy for the container's log. The journal has the line, so a broken log must not change the scenario.
        let mut stdout = io::stdout().lock();
        if !self.left_stdout.load(Ordering::Relaxed)
            && let Err(error) = stdout.write_all(line.as_bytes()).and_then(|()| stdout.flush())
        {
            complain(&format!("failed to repeat an act on stdout: {error}"));
        }
        if let Act::Exiting { .. } = act {
            // The last act, whatever other threads still meet: they wait for their turn until the process is gone.
            mem::forget(turn);
        }
        Ok(at)
    }
}

/// How many incarnations of this container have begun so far.
fn count_started(identity: &Identity, path: &PathBuf) -> io::Result<u64> {
    // Records are written by this program only, so their beginnings can be compared as bytes. No string inside a record can
    // look like the act field, since its quotes would be escaped.
    let fields = identity.fields();
    let who = fields.prefix().as_bytes();
    let started = br#""act":"started""#;
    let mut count = 0;
    let mut reader = BufReader::new(File::open(path)?);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        let ours = line.strip_prefix(who).is_some_and(|rest| rest.starts_with(b","));
        count += u64::from(ours && line.windows(started.len()).any(|part| part == started));
        line.clear();
    }
    Ok(count)
}
