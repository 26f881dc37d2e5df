//! Moments of containers as each witness saw them.

use super::ask::{final_exit, first_pass, first_start, missing, terms};
use crate::{
    case::Case,
    lives::{Life, Mark, Moment},
    order::Side,
    scenario::{Point, PointMoment},
    trace::{PodId, Stamp, Witness},
};

/// The witnesses that can see that kind of moment.
pub(super) fn witnesses(points: &[&Point]) -> Vec<Witness> {
    // A status has neither signals nor the instants of probes and hooks.
    let in_status = points.iter().all(|point| matches!(point.moment, PointMoment::Start | PointMoment::Exit));
    let mut all = vec![Witness::Program, Witness::Runtime];
    if in_status {
        all.push(Witness::Kubelet);
    }
    all
}

/// The marks of a moment; where the record has none, a word about what is missing.
pub(super) fn sides(case: &Case<'_>, witness: Witness, pod: &PodId, point: &Point) -> Vec<Side> {
    let container = point.container.as_str();
    match (point.moment, point.incarnation) {
        (PointMoment::Start, None) => vec![first_start(case, witness, pod, container)],
        (PointMoment::Exit, None) => final_exit(case, witness, pod, container),
        (PointMoment::Term, None) => terms(case, witness, pod, container),
        (PointMoment::Pass, None) => vec![first_pass(case, witness, pod, container)],
        (moment, incarnation) => {
            let lives = case.lives(witness, pod, container);
            let mut wanted = lives.into_iter().filter(|life| incarnation.is_none_or(|number| life.number == number));
            let mark = wanted.find_map(|life| mark(case, witness, life, moment));
            vec![mark.ok_or_else(|| missing(case, &moment.to_string(), pod, container))]
        }
    }
}

/// The marks of a moment that is to come after something else. The last sign of life of a container whose exit is not recorded
/// is none of them: its exit came later than that, nobody knows how much.
pub(super) fn sides_to_come(case: &Case<'_>, witness: Witness, pod: &PodId, point: &Point) -> Vec<Side> {
    let mut sides = sides(case, witness, pod, point);
    if point.moment == PointMoment::Exit {
        sides.retain(|side| side.as_ref().map_or(true, |mark| matches!(mark.moment, Moment::Exiting | Moment::Exited)));
    }
    sides
}

/// The moment in one life.
fn mark(case: &Case<'_>, witness: Witness, life: &Life, moment: PointMoment) -> Option<Mark> {
    let probe = |ok: bool| life.probes.iter().find(|probe| probe.ok == ok).map(|probe| probe.mark.clone());
    let hook = |name: &str, ended: bool| {
        let hooks = life.hooks.iter().find(|one| one.hook == name && one.ended == ended);
        hooks.map(|one| one.mark.clone())
    };
    let runtime = witness == Witness::Runtime;
    match moment {
        PointMoment::Start => life.started.clone(),
        PointMoment::Exit => life.ended.clone(),
        PointMoment::Term => life.terms.first().cloned(),
        PointMoment::Pass => probe(true),
        PointMoment::Fail => probe(false),
        // The hook is the only command of that container: loading made sure of it.
        PointMoment::PostStartBegin | PointMoment::PreStopBegin if runtime => life.execs.first().cloned(),
        PointMoment::PostStartEnd | PointMoment::PreStopEnd if runtime => life.probes.first().map(|exec| ended(case, &exec.mark)),
        PointMoment::PostStartBegin => hook("post_start", false),
        PointMoment::PostStartEnd => hook("post_start", true),
        PointMoment::PreStopBegin => hook("pre_stop", false),
        PointMoment::PreStopEnd => hook("pre_stop", true),
    }
}

/// The end of a command that the runtime ran, from a mark that spans all of it.
fn ended(case: &Case<'_>, exec: &Mark) -> Mark {
    let at = exec.at.map(|at| Stamp { earliest: at.earliest.max(case.earlier(at.latest)), latest: at.latest });
    Mark { at, moment: Moment::HookEnded, ..exec.clone() }
}
