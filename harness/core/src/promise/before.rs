//! Order of moments.
//!
//! Promised at start: init containers and sidecars start in their order, each after the one before has ended (plain init) or
//! has started (sidecar: its process was started, its postStart hook returned, its startup probe succeeded), mains after all of
//! them. Promised at the stop, from 1.29: a sidecar is asked to stop only after every main has ended, and sidecars one by
//! one, the last started first; before that, its preStop hook has ended. What is promised of a moment is said in its scenario
//! with its source; this check only compares.
//!
//! Not promised: the order of what does not wait for each other, such as two mains, or hooks of one pod's containers.
//! Source: KEP-753; kubernetes#120620; Kubernetes documentation, "Sidecar Containers", "Container Lifecycle Hooks".

use serde_json::Value;

use super::{
    ask::{About, ask},
    points::{sides, sides_to_come, witnesses},
};
use crate::{
    case::Case,
    lives::{Mark, status::statuses},
    order::{START_LAG_MS, all_before, name},
    pods::SeenPod,
    quorum::{Question, Ruling, rule},
    scenario::{Point, PointMoment},
    trace::{Act, PodId, Witness},
    verdict::Testimony,
};

/// Each moment comes before the next.
pub(super) fn in_this_order(case: &Case<'_>, points: &[Point]) -> Ruling {
    let pairs: Vec<(&Point, &Point)> = points.windows(2).map(|pair| (&pair[0], &pair[1])).collect();
    let several = pairs.len() > 1;
    let questions = case.pods.iter().flat_map(|pod| {
        pairs.iter().map(move |(first, then)| {
            let what = if several { format!("{}, {first} before {then}", pod.id.name) } else { pod.id.name.clone() };
            question(case, pod, first, then, what)
        })
    });
    rule(questions.collect())
}

/// Each of the containers starts before any of the others has exited for good.
pub(super) fn together(case: &Case<'_>, containers: &[String]) -> Ruling {
    let others = |one: &'_ String| containers.iter().filter(move |other| *other != one).cloned().collect::<Vec<_>>();
    let questions = case.pods.iter().flat_map(|pod| {
        containers.iter().flat_map(move |one| {
            others(one).into_iter().map(move |other| {
                let (start, exit) = (Point::new(PointMoment::Start, one), Point::new(PointMoment::Exit, &other));
                question(case, pod, &start, &exit, format!("{}, {one} with {other}", pod.id.name))
            })
        })
    });
    rule(questions.collect())
}

/// The question whether one moment came before another in a pod; `what` tells it apart from others of the same check.
pub(super) fn question(case: &Case<'_>, pod: &SeenPod, first: &Point, then: &Point, what: String) -> Question {
    let containers = vec![first.container.as_str(), then.container.as_str()];
    let about = About { pods: vec![&pod.id], containers, what };
    ask(case, &witnesses(&[first, then]), &about, |witness| {
        let (firsts, thens) = (sides(case, witness, &pod.id, first), sides_to_come(case, witness, &pod.id, then));
        // What has not happened yet when the evidence ends is after everything that has.
        let to_come = then.moment == PointMoment::Exit
            && then.incarnation.is_none()
            && firsts.iter().all(Result::is_ok)
            && still_runs(case, witness, pod, &then.container);
        if let (Some(Ok(first)), true) = (firsts.first(), to_come) {
            let because = format!("{}, and {} had not exited when the evidence ended", name(case, first), then.container);
            return Testimony { witness, says: Some(true), because, gap_ms: None, events: vec![first.seq] };
        }
        let word = all_before(case, witness, &firsts, &thens);
        // First instructions are late by their turn on the processor, the calls that start containers are what is ordered. It
        // is the mark of `first` that this makes worthless: that of `then` comes late in any case, which only makes it sure.
        if first.moment == PointMoment::Start { doubt_swapped_turns(word) } else { word }
    })
}

/// First instructions that came in the wrong order, but close together, say nothing about the calls that started them.
fn doubt_swapped_turns(testimony: Testimony) -> Testimony {
    let swapped = testimony.witness == Witness::Program && testimony.says == Some(false);
    if !swapped || testimony.gap_ms.is_some_and(|gap| gap.abs() > START_LAG_MS) {
        return testimony;
    }
    let because = format!("too close: {}, and first instructions may be late by {START_LAG_MS} ms", testimony.because);
    Testimony { says: None, because, ..testimony }
}

/// Whether the container's last incarnation was started, and nothing tells of its end.
fn still_runs(case: &Case<'_>, witness: Witness, pod: &SeenPod, container: &str) -> bool {
    let lives = case.lives(witness, &pod.id, container);
    let Some(life) = lives.last().filter(|_| !pod.deleting) else { return false };
    let Some(started) = &life.started else { return false };
    let untouched = life.ended.is_none() && life.terms.is_empty() && life.kills.is_empty();
    // A status is one look at all containers of the pod: what it shows running outlived all that was published up to then.
    let seen = if witness == Witness::Kubelet {
        runs_in_last_status(case, &pod.id, container, life.number)
    } else {
        !is_rebooted_after(case, started)
    };
    untouched && seen
}

fn runs_in_last_status(case: &Case<'_>, pod: &PodId, container: &str, number: u32) -> bool {
    let last = case.trace.events.iter().rev().find_map(|event| match &event.act {
        Act::Seen { object, .. } if PodId::of(object).as_ref() == Some(pod) => Some(object),
        _ => None,
    });
    last.into_iter().flat_map(statuses).any(|status| {
        status.get("name").and_then(Value::as_str) == Some(container)
            && status.pointer("/state/running").is_some()
            && status.get("restartCount").and_then(Value::as_u64).unwrap_or(0) == u64::from(number)
    })
}

/// Whether the node was started anew since, which ends everything on it without a record of the end. Its recorder tells: it
/// is started anew only then, or else the runtime may not testify at all.
fn is_rebooted_after(case: &Case<'_>, started: &Mark) -> bool {
    case.trace.events.iter().any(|event| {
        event.act == Act::RecorderStarted
            && (event.node.is_none() || event.node == started.node)
            && event.at.zip(started.at).is_none_or(|(again, started)| again.latest >= started.earliest)
    })
}
