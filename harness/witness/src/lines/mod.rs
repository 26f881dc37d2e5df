//! Numbered log lines, and a count of them that does not depend on the log's way.

mod format;
mod outlet;
mod truth;

use std::time::Instant;

use crate::acts::Act;
use crate::args::Writes;
use crate::failure::Failure;
use crate::lines::format::Format;
use crate::lines::outlet::Outlet;
use crate::lines::truth::Truth;
use crate::pace::Pace;
use crate::report::Report;

/// So many bytes in one write when there is no pace: fast, and few enough that SIGTERM is seen at once.
const BATCH: usize = 128 << 10;

/// A container's log and the count of its lines.
#[derive(Debug)]
pub(crate) struct Producer<'a> {
    writes: &'a Writes,
    format: Format,
    outlet: Outlet,
    truth: Truth,
    pace: Option<Pace>,
    written: u64,
    /// The last line that is wanted so far.
    wanted: u64,
    /// Whether the last of them is the last of all.
    last: bool,
    reported: Option<u64>,
    buffer: Vec<u8>,
}

impl<'a> Producer<'a> {
    /// Opens the log for appending, and the count.
    pub(crate) fn open(report: &Report, writes: &'a Writes, now: Instant) -> Result<Self, Failure> {
        let (identity, incarnation) = (report.journal().identity(), report.journal().incarnation());
        let format = Format::of(identity, incarnation, writes.shape);
        Ok(Producer {
            outlet: Outlet::open(writes)?,
            truth: Truth::open(identity, incarnation, &format.tag())?,
            format,
            pace: (!writes.every.is_zero()).then(|| Pace::new(writes.every, now)),
            written: 0,
            wanted: writes.lines,
            last: writes.at_exit == 0,
            reported: None,
            buffer: Vec::new(),
            writes,
        })
    }

    /// When the next lines are due; none when all are written.
    pub(crate) fn due(&self, now: Instant) -> Option<Instant> {
        (self.written < self.wanted).then(|| self.pace.as_ref().map_or(now, Pace::next))
    }

    /// Writes the lines that are due in one write.
    pub(crate) fn write(&mut self, now: Instant, report: &Report) -> Result<(), Failure> {
        let most = match &mut self.pace {
            Some(pace) => {
                pace.taken(now);
                self.format.record()
            }
            None => u64::MAX,
        };
        self.batch(most, report)
    }

    /// SIGTERM has come: what was not written before is not written any more, but for what is wanted just then.
    pub(crate) fn term(&mut self, now: Instant, report: &mut Report) -> Result<(), Failure> {
        self.truth.mark(true)?;
        self.last = false;
        self.burst(self.writes.at_term, report)?;
        if self.writes.until_kill {
            self.wanted = u64::MAX;
            self.pace = Some(Pace::new(self.writes.every, now));
        }
        self.report(report)
    }

    /// Whether it goes on until it is killed.
    pub(crate) fn is_endless(&self) -> bool {
        self.writes.until_kill
    }

    /// The process is about to exit.
    pub(crate) fn exit(&mut self, report: &mut Report) -> Result<(), Failure> {
        self.last = true;
        self.burst(self.writes.at_exit, report)?;
        self.report(report)
    }

    /// Makes the count durable and reports it, when it is another one than was reported before.
    pub(crate) fn report(&mut self, report: &mut Report) -> Result<(), Failure> {
        let lines = self.truth.finish()?;
        if self.reported.replace(lines) == Some(lines) {
            return Ok(());
        }
        report.act(Act::Wrote { lines, path: self.writes.to.as_ref().and_then(|path| path.to_str()).unwrap_or("stdout") })
    }

    fn burst(&mut self, lines: u64, report: &Report) -> Result<(), Failure> {
        self.wanted = self.written + lines;
        while self.written < self.wanted {
            self.batch(u64::MAX, report)?;
        }
        Ok(())
    }

    /// Writes some lines in one write, and notes both that it is going to and that it has.
    fn batch(&mut self, most: u64, report: &Report) -> Result<(), Failure> {
        let limit = most.min(self.outlet.room()).min(self.wanted - self.written);
        self.buffer.clear();
        let mut lines = 0;
        while lines < limit && (lines == 0 || self.buffer.len() < BATCH) {
            lines += 1;
            self.format.line(&mut self.buffer, self.written + lines);
        }
        let last = self.written + lines;
        if self.writes.unfinished && self.last && last == self.wanted {
            self.buffer.pop();
            if self.writes.stdout {
                report.journal().leave_stdout();
            }
        }
        self.truth.begin(last)?;
        self.outlet.write(&self.buffer, lines)?;
        self.truth.end(last)?;
        self.written = last;
        Ok(())
    }
}
