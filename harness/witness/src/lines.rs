//! Numbered log lines, and a count of them that does not depend on the log's way.
//!
//! A line is `sc1 <run> <uid> <container> <incarnation> <seq> <payload>`, with `seq` from 1. The payload's only full stop is
//! its last character, so that a line which lost its end can be told from a whole one.

use std::fmt::Write as _;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _, OpenOptionsExt as _};
use std::path::PathBuf;
use std::time::Instant;

use crate::args::Writes;
use crate::failure::Failure;
use crate::identity::Identity;
use crate::json::Object;
use crate::pace::Pace;

/// The length of a line with its line feed, where the identity leaves room for it.
const LINE: usize = 120;
/// The shortest payload.
const PAYLOAD: usize = 8;
/// Lines for each write when there is no pace: few enough that SIGTERM is seen at once.
const BATCH: u64 = 32;

/// A container's log and the count of its lines.
#[derive(Debug)]
pub(crate) struct Producer {
    identity: Identity,
    incarnation: u64,
    log: File,
    log_path: PathBuf,
    count: File,
    count_path: PathBuf,
    pace: Option<Pace>,
    wanted: u64,
    written: u64,
}

impl Producer {
    /// Opens the log for appending, and the count: `produced/<uid>.<container>.<incarnation>` in the evidence folder.
    pub(crate) fn open(identity: &Identity, incarnation: u64, writes: &Writes, now: Instant) -> Result<Self, Failure> {
        let log_path = PathBuf::from(&writes.to);
        let log = OpenOptions::new()
            .append(true)
            .create(true)
            .mode(0o666)
            .open(&log_path)
            .map_err(Failure::unseen("open", &log_path))?;
        let folder = identity.evidence.join("produced");
        DirBuilder::new().recursive(true).mode(0o777).create(&folder).map_err(Failure::unseen("create", &folder))?;
        let count_path = folder.join(format!("{}.{}.{incarnation}", identity.uid, identity.container));
        let count = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o666)
            .open(&count_path)
            .map_err(Failure::unseen("open", &count_path))?;
        let producer = Producer {
            identity: identity.clone(),
            incarnation,
            log,
            log_path,
            count,
            count_path,
            pace: (!writes.every.is_zero()).then(|| Pace::new(writes.every, now)),
            wanted: writes.lines,
            written: 0,
        };
        producer.save()?;
        Ok(producer)
    }

    /// When the next lines are due; none when all are written.
    pub(crate) fn due(&self, now: Instant) -> Option<Instant> {
        (self.written < self.wanted).then(|| self.pace.as_ref().map_or(now, Pace::next))
    }

    /// Writes the lines that are due in one write, then counts them.
    pub(crate) fn write(&mut self, now: Instant) -> Result<(), Failure> {
        let batch = match &mut self.pace {
            Some(pace) => {
                pace.taken(now);
                1
            }
            None => BATCH.min(self.wanted - self.written),
        };
        let mut text = String::new();
        for seq in self.written + 1..=self.written + batch {
            self.line(&mut text, seq);
        }
        // A part of a line would be a fault of the log's writer, which no reader may be blamed for.
        let taken = self.log.write(text.as_bytes()).map_err(Failure::unseen("append to", &self.log_path))?;
        if taken < text.len() {
            let short = io::Error::other(format!("only {taken} of {} bytes were taken", text.len()));
            return Err(Failure::unseen("append to", &self.log_path)(short));
        }
        self.written += batch;
        self.save()
    }

    /// Makes the count durable, and returns it.
    pub(crate) fn finish(&self) -> Result<u64, Failure> {
        self.count.sync_all().map_err(Failure::unseen("sync", &self.count_path))?;
        Ok(self.written)
    }

    fn line(&self, text: &mut String, seq: u64) {
        let begin = text.len();
        let Identity { run, uid, container, .. } = &self.identity;
        let _ = write!(text, "sc1 {run} {uid} {container} {} {seq} ", self.incarnation);
        let room = LINE.saturating_sub(text.len() - begin + 1).max(PAYLOAD);
        text.extend(('a'..='z').cycle().take(room - 1));
        text.push_str(".\n");
    }

    fn save(&self) -> Result<(), Failure> {
        let text = Object::new()
            .text("run", &self.identity.run)
            .text("uid", &self.identity.uid)
            .text("container", &self.identity.container)
            .number("incarnation", self.incarnation)
            .number("lines", self.written)
            .close();
        // In place and in one write: the count only grows, so the new text covers the old one, and a kill can't tear it.
        self.count.write_all_at(text.as_bytes(), 0).map_err(Failure::unseen("write", &self.count_path))
    }
}
