//! The container under test: becomes ready, writes lines, ends by itself or when it is told to.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::acts::Act;
use crate::args::RunOptions;
use crate::digest::Digest;
use crate::failure::Failure;
use crate::identity::Identity;
use crate::journal::Journal;
use crate::lines::Producer;
use crate::ready;
use crate::signals::Terms;

/// How often the journal is read while another container's start is awaited: a few lines, for a few seconds.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// Runs until SIGTERM or its own end.
pub(crate) fn run(options: &RunOptions) -> Outcome {
    // Before the first act: whoever sees `started` may signal.
    let mut terms = Terms::catch().map_err(waiting)?;
    let begin = Instant::now();
    let mut report = Report::begin(Identity::of(&options.name)?)?;
    report.act(Act::Started)?;
    ready::clear()?;

    let exits = options.exits.as_ref().filter(|exits| exits.first.is_none_or(|n| report.journal.incarnation() < n));
    let mut ready_at = Some(begin + options.ready_after);
    let mut producer = match &options.writes {
        Some(writes) => {
            let (identity, incarnation) = (report.journal.identity(), report.journal.incarnation());
            Some((Producer::open(identity, incarnation, writes, Instant::now())?, writes.to.as_str()))
        }
        None => None,
    };
    let mut idle_since = begin;
    let mut awaited = exits.and_then(|exits| exits.once.as_deref());
    loop {
        let now = Instant::now();
        if ready_at.is_some_and(|at| at <= now) {
            ready_at = None;
            ready::set()?;
            report.act(Act::Ready)?;
        }
        if let Some((lines, path)) = &mut producer {
            match lines.due(now) {
                Some(due) if due <= now => lines.write(now)?,
                Some(_) => {}
                None => {
                    report.act(Act::Wrote { lines: lines.finish()?, path })?;
                    producer = None;
                    idle_since = Instant::now();
                }
            }
        }
        if let Some(other) = awaited
            && report.journal.has_started(other)?
        {
            awaited = None;
            idle_since = idle_since.max(Instant::now());
        }
        let exit_at =
            exits.filter(|_| producer.is_none() && awaited.is_none()).map(|exits| (idle_since + exits.after, exits.code));
        if let Some((at, code)) = exit_at
            && at <= Instant::now()
        {
            report.act(Act::Exiting { code })?;
            return Ok(code);
        }
        let due = producer.as_ref().map(|(lines, _)| lines.due(now).unwrap_or(now));
        let look = awaited.map(|_| now + LOOK_AGAIN);
        let next = [ready_at, due, exit_at.map(|(at, _)| at), look].into_iter().flatten().min();
        if terms.wait(next).map_err(waiting)? {
            return stop(options, &mut report, &mut terms, producer);
        }
    }
}

fn stop(options: &RunOptions, report: &mut Report, terms: &mut Terms, producer: Option<(Producer, &str)>) -> Outcome {
    report.act(Act::Term)?;
    let end = Instant::now() + options.stop_takes;
    if let Some((lines, path)) = producer {
        report.act(Act::Wrote { lines: lines.finish()?, path })?;
    }
    while terms.wait(Some(end)).map_err(waiting)? {
        report.act(Act::Term)?;
    }
    report.act(Act::Exiting { code: 0 })?;
    Ok(0)
}

fn waiting(error: io::Error) -> Failure {
    Failure::unseen("wait for signals in", Path::new("this process"))(error)
}

/// The places where this incarnation's acts go.
struct Report {
    journal: Journal,
    digest: Digest,
}

impl Report {
    fn begin(identity: Identity) -> Result<Self, Failure> {
        let journal = Journal::begin(identity)?;
        let digest = Digest::open(journal.identity(), journal.incarnation());
        Ok(Report { journal, digest })
    }

    fn act(&mut self, act: Act<'_>) -> Result<(), Failure> {
        let at = self.journal.record(act)?;
        self.digest.add(act, at);
        Ok(())
    }
}
