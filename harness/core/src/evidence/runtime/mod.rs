//! containerd's two records: its event stream, and its journal.
//!
//! What the stamps bound, and why the judge may lean on them:
//! - **Exit.** `exited_at` is taken when the exit is noticed: the exit was not later. It was not earlier than that by more
//!   than the environment's resolution (100 ms unless measured otherwise).
//! - **TERM.** The line `Stop container .. with signal` is written before the signal is sent: TERM was not earlier.
//!   So "A exited before B got TERM" is proven by these stamps without a margin, and the opposite only beyond the resolution.
//!   The program's record has the opposite bias (see [`super::program`]), which is why the two complement each other.
//! - **Start.** `StartContainer for` is written when the call comes in, the start event when the process runs.
//! - **Exec.** A command in the container, which here means a probe: between its start event and its `exited_at`. The runtime
//!   does not know what it was for.

mod events;
mod journal;
mod names;

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};

use self::{
    events::{Happened, Topic},
    journal::{Entry, Said},
    names::{Named, Names},
};
use super::{about, event, missing};
use crate::trace::{Act, Event, Stamp, Witness};

/// Reads both records of one node, for the containers in sandboxes of `namespace`; the sandboxes' own (pause) containers are
/// no containers of a pod and are left out. `resolution_ms`: how much later than the fact a stamp may be.
pub fn parse(node: &str, namespace: &str, events: &str, journal: &str, resolution_ms: u64) -> Vec<Event> {
    let lag = SignedDuration::from_millis(resolution_ms.cast_signed());
    let (entries, damaged_entries) = split(journal.lines().map(journal::entry));
    let (happened, damaged_events) = split(events.lines().map(events::happened));
    let names = Names::of(&entries, namespace, &started(&entries, &happened));
    let reader = Reader { node, lag, names, entries: &entries, happened: &happened };
    let mut read = reader.signals();
    read.extend(reader.tasks());
    read.extend(reader.lost_starts());
    let holes = [("journal", damaged_entries), ("event stream", damaged_events)];
    read.extend(holes.into_iter().flat_map(|(record, lines)| {
        lines.into_iter().map(move |(number, why)| {
            missing(Witness::Runtime, node, format!("line {number} of containerd's {record} is damaged: {why}"))
        })
    }));
    read
}

/// The ids of containers that were started, by either record.
fn started<'a>(entries: &'a [Entry], happened: &'a [Happened]) -> BTreeSet<&'a str> {
    let returned = entries.iter().filter_map(|entry| match &entry.said {
        Said::StartReturned { id } => Some(id.as_str()),
        _ => None,
    });
    let told = happened.iter().filter(|one| one.topic == Topic::Start).map(|one| one.container.as_str());
    returned.chain(told).collect()
}

/// What could be read, and the numbers of the lines that could not. Lines of no interest are `Ok(None)`.
fn split<T>(lines: impl Iterator<Item = Result<Option<T>, String>>) -> (Vec<T>, Vec<(usize, String)>) {
    let (mut read, mut damaged) = (Vec::new(), Vec::new());
    for (number, line) in lines.enumerate() {
        match line {
            Ok(Some(line)) => read.push(line),
            Ok(None) => {}
            Err(why) => damaged.push((number, why)),
        }
    }
    (read, damaged)
}

/// A record is text from elsewhere: a time at the end of the calendar must not end the judge.
fn earlier(at: Timestamp, by: SignedDuration) -> Timestamp {
    at.checked_sub(by).unwrap_or(at)
}

fn later(at: Timestamp, by: SignedDuration) -> Timestamp {
    at.checked_add(by).unwrap_or(at)
}

struct Reader<'a> {
    node: &'a str,
    lag: SignedDuration,
    names: Names,
    entries: &'a [Entry],
    happened: &'a [Happened],
}

impl Reader<'_> {
    fn event(&self, named: &Named, at: Stamp, act: Act) -> Event {
        about(event(Witness::Runtime, self.node, Some(at), act), &named.pod, &named.container, named.incarnation)
    }

    /// Stop and kill signals, from the journal.
    fn signals(&self) -> Vec<Event> {
        let signal = |entry: &Entry| {
            let (id, act) = match &entry.said {
                Said::StopSignal { id } => (id, Act::Term),
                Said::Kill { id } => (id, Act::Kill),
                _ => return None,
            };
            Some(self.event(self.names.get(id)?, Stamp { earliest: entry.at, latest: later(entry.at, self.lag) }, act))
        };
        self.entries.iter().filter_map(signal).collect()
    }

    /// Starts, exits and execs, from the event stream.
    fn tasks(&self) -> Vec<Event> {
        let mut exec_starts: BTreeMap<(&str, &str), Timestamp> = BTreeMap::new();
        let mut exited: BTreeSet<&str> = BTreeSet::new();
        let mut events = Vec::new();
        for Happened { at, container, topic } in self.happened {
            let Some(named) = self.names.get(container) else { continue };
            match topic {
                Topic::Start => {
                    let earliest = self.called(container).filter(|called| called <= at).unwrap_or(earlier(*at, self.lag));
                    events.push(self.event(named, Stamp { earliest, latest: *at }, Act::Started));
                }
                Topic::ExecStarted { exec } => {
                    exec_starts.insert((container, exec), *at);
                    events.push(self.event(named, Stamp { earliest: earlier(*at, self.lag), latest: *at }, Act::ExecBegan));
                }
                // containerd tells it again, with 137, when it cleans up after a shim that is gone: the first one is the exit.
                Topic::Exit { id, .. } if id == container && !exited.insert(container) => {}
                Topic::Exit { id, status, exited_at } if id == container => {
                    let stamp = Stamp { earliest: earlier(*exited_at, self.lag), latest: *exited_at };
                    events.push(self.event(named, stamp, Act::Exited { code: *status }));
                }
                Topic::Exit { id, status, exited_at } => {
                    let began = exec_starts.get(&(container.as_str(), id.as_str())).copied();
                    // A short command may be over before its start has been told.
                    let earliest = began.unwrap_or(earlier(*exited_at, self.lag)).min(*exited_at);
                    let act = Act::Probed { kind: None, ok: *status == 0 };
                    events.push(self.event(named, Stamp { earliest, latest: *exited_at }, act));
                }
            }
        }
        events
    }

    /// When the call that starts the container came in.
    fn called(&self, container: &str) -> Option<Timestamp> {
        self.entries.iter().find_map(|entry| match &entry.said {
            Said::StartCalled { id } if id == container => Some(entry.at),
            _ => None,
        })
    }

    /// Containers that the journal says were started, and of whose start the event stream has nothing. Their start lies between
    /// the call and its return. Where the stream goes on after that, it lost events, and may have lost more.
    fn lost_starts(&self) -> Vec<Event> {
        let told = |id: &str| self.happened.iter().any(|one| one.container == id && matches!(one.topic, Topic::Start));
        let last_told = self.happened.iter().map(|one| one.at).max();
        let lost = |entry: &Entry| {
            let Said::StartReturned { id } = &entry.said else { return None };
            let named = self.names.get(id).filter(|_| !told(id))?;
            let started = self.called(id).filter(|called| *called <= entry.at);
            let started = started.map(|earliest| self.event(named, Stamp { earliest, latest: entry.at }, Act::Started));
            let what = format!("containerd's event stream has no start of {}, which its journal has", named.container);
            let goes_on = last_told > Some(later(entry.at, self.lag));
            let hole = goes_on.then(|| Event { pod: Some(named.pod.clone()), ..missing(Witness::Runtime, self.node, what) });
            Some(started.into_iter().chain(hole))
        };
        self.entries.iter().filter_map(lost).flatten().collect()
    }
}
