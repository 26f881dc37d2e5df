//! What was published of objects.
//!
//! Promised: phases, conditions and statuses of containers as the documentation and the KEP define them. A status is published a
//! moment after the fact, and statuses in between may never be: this check is about what was published, and about nothing else.
//! Source: Kubernetes documentation, "Pod Lifecycle"; KEP-753, "Pod status".

use std::collections::BTreeMap;

use jiff::SignedDuration;
use serde_json::Value;

use super::runs::doubt_early_end;
use crate::{
    case::Case,
    order::cannot_say,
    quorum::Ruling,
    scenario::{Fact, Shows, When},
    trace::{Act, Event, PodId, Witness},
    verdict::Testimony,
};

/// The kind that stands for the workload as it was returned when it was created.
const CREATED: &str = "created";

/// A watch that was interrupted looks again after half a second, and tells of another gap where it can't.
const CATCHES_UP: SignedDuration = SignedDuration::from_secs(2);

/// A state that is considered.
type State<'a> = (&'a Event, &'a Value);

/// The fact is true in those of the considered states that the scenario says.
pub(super) fn shows(case: &Case<'_>, shows: &Shows) -> Ruling {
    let Some((when, fact)) = shows.what() else {
        return Ruling::by_one(cannot_say(Witness::Api, "the promise does not say when the fact is true".to_owned()));
    };
    let considered = |(_, object): &State<'_>| shows.given.iter().all(|given| given.holds(object));
    let published = states(case, &shows.of);
    if published.is_empty() {
        // Not even what is never so can be told of what nobody saw.
        return Ruling::by_one(cannot_say(Witness::Api, format!("no {} was published", shows.of)));
    }
    let states: Vec<State<'_>> = published.iter().copied().filter(considered).collect();
    let (yes, no): (Vec<State<'_>>, Vec<State<'_>>) = states.iter().partition(|(_, object)| fact.holds(object));
    let told = |says: bool, because: String, events: Vec<u64>| Testimony {
        witness: Witness::Api,
        says: Some(says),
        because,
        gap_ms: None,
        events,
    };
    let testimony = match when {
        When::Always => match (no.first(), states.len()) {
            (Some(state), _) => told(false, describe(fact, state), vec![state.0.seq]),
            (None, 0) => nothing_seen(shows),
            (None, count) => told(true, format!("in each of {count} published states"), seqs(&yes)),
        },
        When::Ever => match yes.first() {
            Some(state) => told(true, describe(fact, state), vec![state.0.seq]),
            None if states.is_empty() => told(false, format!("no {} was published of which it could be true", shows.of), vec![]),
            None => told(false, format!("in none of {} published states", states.len()), seqs(&no)),
        },
        When::Never => match yes.first() {
            Some(state) => told(false, describe(fact, state), vec![state.0.seq]),
            None => told(true, format!("in none of {} published states", states.len()), seqs(&no)),
        },
        When::Finally => finally(fact, &states).unwrap_or_else(|| nothing_seen(shows)),
    };
    // What was returned when it was created is one answer, of which nothing can be missing.
    if shows.of == CREATED {
        return Ruling::by_one(testimony);
    }
    let (hides, not_yet) = match when {
        When::Always | When::Never => (testimony.says == Some(true), testimony.says == Some(true)),
        When::Ever => (testimony.says == Some(false), testimony.says == Some(false)),
        When::Finally => (hides_last(case, &shows.of, &published, &states), true),
    };
    let word = if hides { doubt_gaps(case, &shows.of, testimony) } else { testimony };
    Ruling::by_one(if not_yet { doubt_early_end(case, word) } else { word })
}

fn finally(fact: &Fact, states: &[State<'_>]) -> Option<Testimony> {
    let last = last_of_each(states);
    let decisive = last.values().find(|(_, object)| !fact.holds(object)).or_else(|| last.values().next())?;
    Some(Testimony {
        witness: Witness::Api,
        says: Some(fact.holds(decisive.1)),
        because: describe(fact, decisive),
        gap_ms: None,
        events: last.values().map(|(event, _)| event.seq).collect(),
    })
}

fn last_of_each<'a>(states: &[State<'a>]) -> BTreeMap<&'a str, State<'a>> {
    states.iter().map(|state| (uid(state.1), *state)).collect()
}

/// States that were missed while the watch was interrupted can break what should always or never be so, and can be the one
/// that should be seen once, or the last.
fn doubt_gaps(case: &Case<'_>, of: &str, testimony: Testimony) -> Testimony {
    match (gaps(case, of).next(), testimony.says) {
        (Some((_, why)), Some(_)) => {
            let because = format!("{}, but the watch was interrupted ({why}): states are missing", testimony.because);
            Testimony { says: None, because, ..testimony }
        }
        _ => testimony,
    }
}

/// When the watch was interrupted, and why. What was caught up with before anything was created hides nothing.
fn gaps<'a>(case: &Case<'a>, of: &'a str) -> impl Iterator<Item = (u64, &'a str)> {
    let begin = case.window().and_then(|(begin, _)| begin.checked_sub(CATCHES_UP).ok());
    let counts = move |event: &&Event| event.at.zip(begin).is_none_or(|(at, begin)| at.latest >= begin);
    case.trace.events.iter().filter(counts).filter_map(|event| match &event.act {
        Act::WatchGap { kind, cause } => {
            kind.as_ref().is_none_or(|kind| kind.eq_ignore_ascii_case(of)).then_some((event.seq, cause.as_str()))
        }
        Act::EvidenceMissing { what } if event.witness == Witness::Api => Some((event.seq, what.as_str())),
        _ => None,
    })
}

/// Whether the watch may have missed the last of the considered states of an object. After a gap it shows each object as it is
/// then, and of one that is gone only what was known before.
fn hides_last(case: &Case<'_>, of: &str, published: &[State<'_>], considered: &[State<'_>]) -> bool {
    last_of_each(considered).values().any(|last| {
        let is_gone = matches!(&last.0.act, Act::Seen { change, .. } if change == "deleted");
        let known = if is_gone {
            let mut before = published.iter().rev().skip_while(|(event, _)| event.seq >= last.0.seq);
            let same = |(_, object): &&State<'_>| uid(object) == uid(last.1);
            before.find(same).map_or(0, |(event, _)| event.seq)
        } else {
            last.0.seq
        };
        gaps(case, of).any(|(seq, _)| seq > known && !(is_gone && seq > last.0.seq))
    })
}

fn uid(object: &Value) -> &str {
    object.pointer("/metadata/uid").and_then(Value::as_str).unwrap_or_default()
}

/// All states of the objects of a kind, in the order in which they came.
fn states<'a>(case: &Case<'a>, of: &str) -> Vec<State<'a>> {
    let tested = |object: &Value| PodId::of(object).is_some_and(|id| case.pods.iter().any(|pod| pod.id == id));
    let workload = case.scenario().workload().kind();
    // Its Service was created, too.
    let is_workload = |object: &Value| object.get("kind").is_none_or(|kind| kind == workload);
    let states = case.trace.events.iter().filter_map(|event| match &event.act {
        Act::ReadBack { object } if of == CREATED => is_workload(object).then_some((event, object)),
        Act::Seen { object, .. } if of == "pod" => tested(object).then_some((event, object)),
        Act::Seen { object, .. } => {
            let kind = object.get("kind").and_then(Value::as_str)?;
            kind.eq_ignore_ascii_case(of).then_some((event, object))
        }
        _ => None,
    });
    states.collect()
}

fn nothing_seen(shows: &Shows) -> Testimony {
    let given: Vec<String> = shows.given.iter().map(ToString::to_string).collect();
    let given = if given.is_empty() { String::new() } else { format!(" of which {}", given.join(" and ")) };
    cannot_say(Witness::Api, format!("no {} was published{given}", shows.of))
}

/// The first states are enough to look at.
fn seqs(states: &[State<'_>]) -> Vec<u64> {
    states.iter().take(3).map(|(event, _)| event.seq).collect()
}

fn describe(fact: &Fact, (event, object): &State<'_>) -> String {
    let name = object.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
    let at = event.at.map_or_else(String::new, |at| format!(" at {}", crate::lives::clock(at.latest)));
    format!("{} in {name}{at}", fact.seen(object))
}
