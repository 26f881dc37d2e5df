//! A producer's own count of its lines: `produced/<uid>.<container>.<incarnation>` in the evidence folder, outside the log's
//! path. Its format is described, and read, in `harness/core/src/evidence/produced.rs`.

use std::fs::{DirBuilder, File, OpenOptions};
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _, OpenOptionsExt as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::clock;
use crate::failure::Failure;
use crate::identity::Identity;
use crate::json::Object;

/// The length of the first line, and of each mark. Neither crosses a page, so a kill can't tear what is written at once.
const HEAD: usize = 1024;
const SLOT: usize = 64;
/// Marks in the file.
const MARKS: usize = 256;
/// Of these last ones none is dropped: it is about the end that people ask.
const LAST: usize = 64;
/// How old the durable count may be. What was written is there after a kill anyway: this is for a node that loses its power.
const SYNC: Duration = Duration::from_millis(100);

/// The file, and what it says.
#[derive(Debug)]
pub(super) struct Truth {
    file: File,
    path: PathBuf,
    /// The fields that never change.
    who: Object,
    written: u64,
    marks: Vec<Mark>,
    synced: Instant,
}

#[derive(Debug, Clone, Copy)]
struct Mark {
    lines: u64,
    wall_ns: u64,
    /// Where it stands in the file.
    slot: usize,
    /// It is about an event, and stays.
    kept: bool,
}

impl Truth {
    pub(super) fn open(identity: &Identity, incarnation: u64, tag: &str) -> Result<Self, Failure> {
        let folder = identity.evidence.join("produced");
        DirBuilder::new().recursive(true).mode(0o777).create(&folder).map_err(Failure::unseen("create", &folder))?;
        let path = folder.join(format!("{}.{}.{incarnation}", identity.uid, identity.container));
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o666)
            .open(&path)
            .map_err(Failure::unseen("open", &path))?;
        let who = Object::new()
            .text("run", &identity.run)
            .text("uid", &identity.uid)
            .text("container", &identity.container)
            .number("incarnation", incarnation)
            .text("tag", tag);
        let mut truth = Truth { file, path, who, written: 0, marks: Vec::new(), synced: Instant::now() };
        truth.save(0)?;
        truth.mark(true)?;
        truth.sync()?;
        Ok(truth)
    }

    /// Lines up to this number are about to be written.
    pub(super) fn begin(&mut self, last: u64) -> Result<(), Failure> {
        self.save(last)?;
        if self.synced.elapsed() < SYNC { Ok(()) } else { self.sync() }
    }

    /// They have been written.
    pub(super) fn end(&mut self, last: u64) -> Result<(), Failure> {
        self.written = last;
        self.save(last)?;
        self.mark(false)
    }

    /// Notes how many lines there are now, for good when it is about an event.
    pub(super) fn mark(&mut self, kept: bool) -> Result<(), Failure> {
        let slot = if self.marks.len() < MARKS { self.marks.len() } else { self.drop_one() };
        let mark = Mark { lines: self.written, wall_ns: clock::now().wall_ns, slot, kept };
        self.marks.push(mark);
        let text = Object::new().number("lines", mark.lines).number("wall_ns", mark.wall_ns).close();
        self.put(text, SLOT, HEAD + slot * SLOT)
    }

    /// Makes all of it durable, and returns the count.
    pub(super) fn finish(&mut self) -> Result<u64, Failure> {
        self.sync()?;
        Ok(self.written)
    }

    /// Drops the mark that is missed least, that with the closest neighbours; its place in the file.
    fn drop_one(&mut self) -> usize {
        let apart = |n: usize| self.marks[n + 1].wall_ns.saturating_sub(self.marks[n - 1].wall_ns);
        let droppable = (1..MARKS - LAST).filter(|n| !self.marks[*n].kept);
        // One of them is there: hardly any is about an event.
        let at = droppable.min_by_key(|n| apart(*n)).unwrap_or(1);
        self.marks.remove(at).slot
    }

    fn save(&self, begun: u64) -> Result<(), Failure> {
        let text = self.who.clone().number("lines", self.written).number("begun", begun).close();
        self.put(text, HEAD, 0)
    }

    /// Writes a line in place and in one write.
    fn put(&self, mut text: String, width: usize, at: usize) -> Result<(), Failure> {
        if text.len() >= width {
            return Err(Failure::Usage(format!("{}: {text} is longer than {width} bytes", self.path.display())));
        }
        text.extend(std::iter::repeat_n(' ', width - 1 - text.len()));
        text.push('\n');
        self.file.write_all_at(text.as_bytes(), at as u64).map_err(Failure::unseen("write", &self.path))
    }

    fn sync(&mut self) -> Result<(), Failure> {
        self.file.sync_data().map_err(Failure::unseen("sync", &self.path))?;
        self.synced = Instant::now();
        Ok(())
    }
}
