//! Time between two moments.
//!
//! Promised: a container has the pod's grace period to end after its TERM, sidecars what the mains left of it, and none less
//! than 2 s, before it is killed; startup and readiness probes begin after their initial delay. Not promised: that anything
//! happens at once. Bounds from above in scenarios are therefore wide, and say with what they were measured.
//! Source: Kubernetes documentation, "Pod Lifecycle"; KEP-753.

use jiff::SignedDuration;

use super::{
    ask::{last_sign, of_each_pod},
    points::{sides, sides_to_come, witnesses},
};
use crate::{
    case::Case,
    lives::{Mark, Moment},
    order::{START_LAG_MS, cannot_say, name},
    quorum::Ruling,
    scenario::{Point, PointMoment, Span, Takes},
    trace::{PodId, Witness},
    verdict::Testimony,
};

/// The time is within its bounds in each pod.
pub(super) fn takes(case: &Case<'_>, takes: &Takes) -> Ruling {
    let (from, to) = (&takes.from, &takes.to);
    let containers = [from.container.as_str(), to.container.as_str()];
    of_each_pod(case, &witnesses(&[from, to]), &containers, |witness, pod| testify(case, witness, pod, takes))
}

/// From the first of several TERMs, to the last: what was promised began with the first.
fn testify(case: &Case<'_>, witness: Witness, pod: &PodId, takes: &Takes) -> Testimony {
    let from: Result<Vec<Mark>, String> = sides(case, witness, pod, &takes.from).into_iter().collect();
    let from = match from.map(|marks| marks.into_iter().next()) {
        Ok(Some(mark)) => mark,
        Ok(None) => return cannot_say(witness, "there is nothing to measure".to_owned()),
        Err(why) => return cannot_say(witness, why),
    };
    let to = sides_to_come(case, witness, pod, &takes.to).into_iter().next_back();
    match (to, alive(case, witness, pod, &takes.to)) {
        (Some(Ok(to)), _) => measured(case, witness, takes, &from, &to),
        // A program that is killed leaves no last word, but its last sign of life is a bound from below.
        (_, Some(sign)) => lived(case, witness, takes, &from, &sign),
        _ => cannot_say(witness, format!("its record has no {}", takes.to)),
    }
}

/// The last sign of life of a container whose exit is asked about, in the incarnation that is asked about.
fn alive(case: &Case<'_>, witness: Witness, pod: &PodId, exit: &Point) -> Option<Mark> {
    let mut lives = case.lives(witness, pod, &exit.container).into_iter();
    let life = match exit.incarnation {
        Some(number) => lives.find(|life| life.number == number),
        None => lives.next_back(),
    };
    life.filter(|_| exit.moment == PointMoment::Exit).and_then(last_sign)
}

fn lived(case: &Case<'_>, witness: Witness, takes: &Takes, from: &Mark, sign: &Mark) -> Testimony {
    let unknown = || cannot_say(witness, format!("its record has no {}", takes.to));
    let Some((a, b)) = from.at.zip(sign.at).filter(|_| from.node == sign.node) else { return unknown() };
    // The last word of a program comes before its exit, and what a probe or hook says before its end.
    let is_early = matches!(from.moment, Moment::Exiting | Moment::Passed | Moment::Failed | Moment::HookEnded);
    let slack = if witness == Witness::Program && is_early { START_LAG_MS } else { 0 };
    let ms = millis(b.earliest.duration_since(a.latest)) - slack;
    let is_over = |span: Option<Span>, by: i64| span.is_some_and(|span| ms >= span.millis().cast_signed() + by);
    let says = match takes.at_most {
        Some(_) if is_over(takes.at_most, 1) => false,
        None if is_over(takes.at_least, 0) => true,
        _ => return unknown(),
    };
    let because = format!("{}, and {} was alive {ms} ms later", name(case, from), case.label(&sign.pod, &sign.container));
    Testimony { witness, says: Some(says), because, gap_ms: Some(ms), events: vec![from.seq, sign.seq] }
}

fn measured(case: &Case<'_>, witness: Witness, takes: &Takes, from: &Mark, to: &Mark) -> Testimony {
    if from.node != to.node {
        return cannot_say(witness, "the two moments were on different nodes, whose clocks are not compared".to_owned());
    }
    let Some((a, b)) = from.at.zip(to.at) else { return cannot_say(witness, "the moments have no stamps".to_owned()) };
    // A program's marks come late by its turn on the processor; the bounds of the others say what they are worth.
    let slack = if witness == Witness::Program { START_LAG_MS } else { 0 };
    let (shortest, longest) = (millis(b.earliest.duration_since(a.latest)), millis(b.latest.duration_since(a.earliest)));
    let is_reversed = longest + slack < 0;
    // A bound from above is about how far apart they are: what came in the other order may be no further apart than that.
    let (nearest, farthest) = (shortest.max(-longest).max(0), longest.max(-shortest));
    let at_least = takes.at_least.map(|span| bound(shortest, longest, slack, span.millis().cast_signed(), true));
    let at_most = takes.at_most.map(|span| bound(nearest, farthest, slack, span.millis().cast_signed(), false));
    let bounds = [at_least, at_most].into_iter().flatten();
    let says = if bounds.clone().any(|kept| kept == Some(false)) {
        Some(false)
    } else {
        bounds.collect::<Option<Vec<bool>>>().map(|_| true)
    };
    let shown = from.shown().zip(to.shown()).map_or(shortest, |(from, to)| millis(to.duration_since(from)));
    let because = format!("{}, and {} {shown} ms later", name(case, from), name(case, to));
    let because = match says {
        _ if is_reversed => format!("in the other order: {}, and {} {} ms later", name(case, to), name(case, from), -shown),
        None => format!("too close to the bound: {because}"),
        Some(_) => because,
    };
    Testimony { witness, says, because, gap_ms: Some(shown), events: vec![from.seq, to.seq] }
}

/// Whether a time that is known to lie between two lengths keeps to a bound; `None` where it can't be told.
fn bound(shortest: i64, longest: i64, slack: i64, limit: i64, from_below: bool) -> Option<bool> {
    let (kept, broken) =
        if from_below { (shortest >= limit, longest + slack < limit) } else { (longest <= limit, shortest - slack > limit) };
    match (kept, broken) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

fn millis(span: SignedDuration) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(i64::MAX)
}
