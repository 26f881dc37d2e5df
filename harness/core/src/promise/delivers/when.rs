//! When faulty lines were written, by the events of the containers around them.

use jiff::{SignedDuration, Timestamp};

use super::Producer;
use crate::{
    case::Case,
    ledger::Ledger,
    lives::{Life, Mark, Moment},
    trace::{LineMark, Stamp, Witness},
};

/// Whose word on the containers' events is taken, where several have one: the finest stamps first.
const BEST: [Witness; 3] = [Witness::Runtime, Witness::Program, Witness::Kubelet];

/// Events in the middle of the lines that are told.
const TOLD: usize = 3;

/// When lines were written, in words, and the events that tell it.
pub(super) struct When {
    pub(super) words: String,
    pub(super) events: Vec<u64>,
}

/// An event of a container near the lines.
struct Near {
    name: String,
    mark: Mark,
    at: Stamp,
    /// That of the lines' own container: it writes between its start and its exit, whatever the stamps say.
    own: bool,
}

/// When the lost lines of a producer were written, or else the truncated ones. `None` where the producer made no marks.
pub(super) fn written(case: &Case<'_>, producer: &Producer<'_>, marks: &[LineMark], ledger: &Ledger) -> Option<When> {
    let losses: Vec<(u64, u64)> = ledger.losses().collect();
    let faulty = if losses.is_empty() { &ledger.truncated } else { &losses };
    let (first, last) = (*faulty.first()?, *faulty.last()?);
    let near = near(case, producer);
    let all = Around::of(&near, marks, (first.0, last.1))?;
    let several = first.0 < last.1;
    if faulty.len() > 1 && !all.meanwhile.is_empty() {
        let first = Around::of(&near, marks, first)?;
        return first.when("the first of them written");
    }
    all.when(if several { "all written" } else { "written" })
}

/// The events around the time in which some lines were written.
struct Around<'a> {
    span: (Timestamp, Timestamp),
    before: Option<&'a Near>,
    after: Option<&'a Near>,
    meanwhile: Vec<&'a Near>,
}

impl<'a> Around<'a> {
    /// `None` where the marks don't enclose the lines.
    fn of(near: &'a [Near], marks: &[LineMark], (first, last): (u64, u64)) -> Option<Self> {
        let from = marks.iter().filter(|mark| mark.lines < first).map(|mark| mark.at).max()?;
        // The last lines of a producer that was killed may be under no mark: then its exit is the bound.
        let exit = || near.iter().find(|one| one.own && one.ends()).map_or(Timestamp::MAX, |exit| exit.at.latest);
        let to = marks.iter().filter(|mark| mark.lines >= last).map(|mark| mark.at).min().unwrap_or_else(exit);
        let (mut before, mut after, mut meanwhile) = (None::<&Near>, None::<&Near>, Vec::new());
        for one in near {
            let starts = one.mark.moment == Moment::Started;
            if one.at.latest <= from || (one.own && starts) {
                before = before.filter(|other| other.at.latest >= one.at.latest).or(Some(one));
            } else if one.at.earliest >= to || (one.own && one.ends()) {
                after = after.filter(|other| other.at.earliest <= one.at.earliest).or(Some(one));
            } else {
                meanwhile.push(one);
            }
        }
        Some(Self { span: (from, to), before, after, meanwhile })
    }

    fn when(&self, verb: &str) -> Option<When> {
        let before = self.before.map(|near| format!("after {}", near.name));
        let after = self.after.map(|near| {
            let distance = near.mark.shown().unwrap_or(near.at.latest).duration_since(self.span.1);
            let distance = if distance.is_positive() { format!("{} ", told(distance)) } else { String::new() };
            format!("{distance}before {}", near.name)
        });
        let meanwhile = (!self.meanwhile.is_empty()).then(|| {
            let names: Vec<&str> = self.meanwhile.iter().take(TOLD).map(|near| near.name.as_str()).collect();
            format!("about the time of {}", names.join(" and "))
        });
        let parts: Vec<String> = [before, meanwhile, after].into_iter().flatten().collect();
        let events = self.before.iter().chain(&self.meanwhile).chain(&self.after).map(|near| near.mark.seq).collect();
        (!parts.is_empty()).then(|| When { words: format!("{verb} {}", parts.join(", ")), events })
    }
}

impl Near {
    fn ends(&self) -> bool {
        matches!(self.mark.moment, Moment::Exited | Moment::Exiting)
    }
}

/// All starts, stop and kill signals, and exits of the containers in the producer's pod.
fn near(case: &Case<'_>, producer: &Producer<'_>) -> Vec<Near> {
    let mut all = Vec::new();
    for container in case.scenario().workload().pod().containers() {
        let lives = BEST.map(|witness| case.lives(witness, producer.pod, &container.name));
        let Some(lives) = lives.into_iter().find(|lives| !lives.is_empty()) else { continue };
        for life in lives {
            let own = container.name == producer.container && life.number == producer.incarnation;
            let label = case.label(producer.pod, &container.name);
            all.extend(marks(life).filter_map(|mark| {
                let at = mark.at?;
                Some(Near { name: name(mark.moment, &label, life.number)?, mark: mark.clone(), at, own })
            }));
        }
    }
    all
}

fn marks(life: &Life) -> impl Iterator<Item = &Mark> {
    life.started.iter().chain(life.terms.first()).chain(life.kills.first()).chain(&life.ended)
}

fn name(moment: Moment, label: &str, incarnation: u32) -> Option<String> {
    let what = match moment {
        Moment::Started => "the start of",
        Moment::Term => "TERM to",
        Moment::Killed => "KILL to",
        Moment::Exiting | Moment::Exited => "the exit of",
        _ => return None,
    };
    let number = if incarnation > 0 { format!(" (incarnation {incarnation})") } else { String::new() };
    Some(format!("{what} {label}{number}"))
}

/// A distance as people say it: `0.4 s`, or `12 ms`.
fn told(distance: SignedDuration) -> String {
    match distance.as_millis() {
        ms @ ..100 => format!("{ms} ms"),
        ms => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
    }
}
