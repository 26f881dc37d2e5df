//! The container under test: becomes ready, writes lines, ends by itself or when it is told to.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::acts::Act;
use crate::args::{RunOptions, StopOptions};
use crate::call;
use crate::ending::Ending;
use crate::failure::Failure;
use crate::identity::Identity;
use crate::lines::Producer;
use crate::others;
use crate::pace::Pace;
use crate::readiness::Readiness;
use crate::report::Report;
use crate::server::Server;
use crate::signals::Terms;

/// The distance of signs of life while the container stops: how exactly the instant of a kill can be told.
const ALIVE: Duration = Duration::from_millis(250);
/// A stop that takes no longer than this gives none: there is nothing to tell that its other records don't.
const SHORT_STOP: Duration = Duration::from_millis(500);

/// Runs until SIGTERM or its own end.
pub(crate) fn run(options: &RunOptions) -> Outcome {
    // Before the first act: whoever sees `started` may signal, tell something and connect.
    let mut terms = Terms::catch().map_err(waiting)?;
    let begin = Instant::now();
    let mut report = Report::begin(Identity::of(&options.name)?)?;
    let mut ending = Ending::begin(report.journal(), options.exits.as_ref(), begin)?;
    let server = options.serves.map(Server::open).transpose()?;
    report.act(Act::Started)?;

    let mut readiness = Readiness::begin(report.journal().identity(), &options.ready, begin)?;
    if let Some(server) = server {
        server.start(report.journal())?;
    }
    if let Some(calls) = &options.calls {
        call::keep_calling(report.journal(), calls)?;
    }
    let mut producer = match &options.writes {
        Some(writes) => Some(Producer::open(&report, writes, Instant::now())?),
        None => None,
    };
    let mut writing = producer.is_some();
    loop {
        let now = Instant::now();
        readiness.turn(now, &mut report)?;
        if let Some(lines) = producer.as_mut().filter(|_| writing) {
            match lines.due(now) {
                Some(due) if due <= now => lines.write(now, &report)?,
                Some(_) => {}
                None => {
                    lines.report(&mut report)?;
                    writing = false;
                    if let Some(ending) = &mut ending {
                        ending.not_before(Instant::now());
                    }
                }
            }
        }
        if let Some(ending) = &mut ending {
            ending.turn(now, report.journal())?;
        }
        let exit = ending.as_ref().filter(|_| !writing).and_then(|ending| Some((ending.at()?, ending.code())));
        if let Some((at, code)) = exit
            && at <= Instant::now()
        {
            if let Some(lines) = &mut producer {
                lines.exit(&mut report)?;
            }
            report.act(Act::Exiting { code })?;
            if ending.as_ref().is_some_and(Ending::ends_others) {
                others::end()?;
            }
            return Ok(code);
        }
        let due = producer.as_ref().filter(|_| writing).map(|lines| lines.due(now).unwrap_or(now));
        let look = ending.as_ref().and_then(Ending::next_look);
        let next = [readiness.next(), due, exit.map(|(at, _)| at), look].into_iter().flatten().min();
        if terms.wait(next).map_err(waiting)? {
            report.act(Act::Term)?;
            return stop(&options.stop, &mut report, &mut terms, &mut readiness, producer);
        }
    }
}

/// What comes after SIGTERM.
fn stop(
    options: &StopOptions,
    report: &mut Report,
    terms: &mut Terms,
    readiness: &mut Readiness,
    mut producer: Option<Producer<'_>>,
) -> Outcome {
    let begin = Instant::now();
    if options.unready {
        readiness.set(false, report)?;
    }
    if let Some(lines) = &mut producer {
        lines.term(begin, report)?;
    }
    let endless = producer.as_ref().is_some_and(Producer::is_endless);
    let end = (!endless).then(|| begin + options.takes);
    let mut alive = (endless || options.takes > SHORT_STOP).then(|| Pace::new(ALIVE, begin + ALIVE));
    loop {
        let due = producer.as_ref().and_then(|lines| lines.due(Instant::now()));
        let next = [alive.as_ref().map(Pace::next), due, end].into_iter().flatten().min();
        if terms.wait(next).map_err(waiting)? {
            report.act(Act::Term)?;
            continue;
        }
        let now = Instant::now();
        if end.is_some_and(|end| end <= now) {
            break;
        }
        if let Some(lines) = &mut producer
            && lines.due(now).is_some_and(|due| due <= now)
        {
            lines.write(now, report)?;
        }
        if let Some(pace) = &mut alive
            && pace.next() <= now
        {
            // Not in the digest, where it would drive out the acts that say more.
            report.journal().record(Act::Alive)?;
            pace.taken(now);
        }
    }
    if let Some(lines) = &mut producer {
        lines.exit(report)?;
    }
    report.act(Act::Exiting { code: options.code })?;
    Ok(options.code)
}

fn waiting(error: io::Error) -> Failure {
    Failure::unseen("wait for signals in", Path::new("this process"))(error)
}
