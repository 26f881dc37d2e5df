//! Rolling updates of StatefulSets.
//!
//! Promised (podManagementPolicy OrderedReady): pods are replaced from the highest ordinal to the lowest, one at a time; the
//! controller waits until a replaced pod is Running and Ready before it goes to the next lower ordinal; a new pod of an
//! ordinal is created only after the old one is gone, its sidecars included. Source: Kubernetes documentation,
//! "StatefulSets", "Rolling Updates".
//!
//! Old and new are told apart by uid, in the order of creation. A promise is kept only if it is kept for every ordinal.

use super::ask::{About, ask_order, final_exit, first_pass, first_start, terms};
use crate::{
    case::{Case, INDEPENDENT},
    order::{Side, cannot_say},
    quorum::{Question, Ruling, rule},
    scenario::Workload,
    trace::{PodId, Witness},
};

/// TERM is in no status: the kubelet is asked only about starts and exits.
const SEE_TERM: [Witness; 2] = [Witness::Program, Witness::Runtime];

/// All of the old pod above has exited before the old pod below gets its first TERM.
pub(super) fn highest_first(case: &Case<'_>) -> Ruling {
    let all = names(case);
    neighbours(case, |what, above, below| {
        let about = About { pods: vec![&above.old, &below.old], containers: all.clone(), what };
        let gone = |witness| all.iter().flat_map(|one| final_exit(case, witness, &above.old, one)).collect();
        ask_order(case, &SEE_TERM, &about, gone, |witness| all_terms(case, witness, &below.old, &all))
    })
}

/// The new pod above has started before the old pod below gets its first TERM.
pub(super) fn one_at_a_time(case: &Case<'_>) -> Ruling {
    let all = names(case);
    neighbours(case, |what, above, below| {
        let about = About { pods: vec![&above.new, &below.old], containers: all.clone(), what };
        let back = |witness| all.iter().map(|one| first_start(case, witness, &above.new, one)).collect();
        ask_order(case, &SEE_TERM, &about, back, |witness| all_terms(case, witness, &below.old, &all))
    })
}

/// `container` of the new pod above has passed its readiness probe before the old pod below gets its first TERM.
pub(super) fn waits_for_ready_above(case: &Case<'_>, container: &str) -> Ruling {
    let all = names(case);
    neighbours(case, |what, above, below| {
        let about = About { pods: vec![&above.new, &below.old], containers: all.clone(), what };
        let ready = |witness| vec![first_pass(case, witness, &above.new, container)];
        ask_order(case, &SEE_TERM, &about, ready, |witness| all_terms(case, witness, &below.old, &all))
    })
}

/// `container` of the old pod has exited before anything starts in the new one.
pub(super) fn old_gone_before_new_starts(case: &Case<'_>, container: &str) -> Ruling {
    let pod = case.scenario().workload().pod();
    let everything: Vec<&str> = pod.containers().map(|one| one.name.as_str()).collect();
    let questions = (0..replicas(case)).rev().map(|ordinal| match replaced(case, ordinal) {
        Ok(pair) => {
            let about = About { pods: vec![&pair.old, &pair.new], containers: everything.clone(), what: pair.old.name.clone() };
            let gone = |witness| final_exit(case, witness, &pair.old, container);
            let starts = |witness| everything.iter().map(|one| first_start(case, witness, &pair.new, one)).collect();
            ask_order(case, &INDEPENDENT, &about, gone, starts)
        }
        Err(why) => unseen(format!("{}-{ordinal}", case.scenario().workload().name()), why),
    });
    rule(questions.collect())
}

/// The two pods of one ordinal.
struct Replaced {
    old: PodId,
    new: PodId,
}

/// One question for each pair of neighbours, from the highest down: n - 1 of them, and none may be missing.
fn neighbours(case: &Case<'_>, ask: impl Fn(String, &Replaced, &Replaced) -> Question) -> Ruling {
    let questions = (1..replicas(case)).rev().map(|ordinal| {
        let name = case.scenario().workload().name();
        let what = format!("{name}-{ordinal} and {name}-{}", ordinal - 1);
        match (replaced(case, ordinal), replaced(case, ordinal - 1)) {
            (Ok(above), Ok(below)) => ask(what, &above, &below),
            (Err(why), _) | (_, Err(why)) => unseen(what, why),
        }
    });
    rule(questions.collect())
}

fn unseen(what: String, why: String) -> Question {
    Question { about: what, testimonies: vec![cannot_say(Witness::Api, why)], foreign: vec![] }
}

fn replaced(case: &Case<'_>, ordinal: u32) -> Result<Replaced, String> {
    let name = format!("{}-{ordinal}", case.scenario().workload().name());
    let pods: Vec<_> = case.pods.iter().filter(|pod| pod.id.name == name).collect();
    match pods.as_slice() {
        [old, new] => Ok(Replaced { old: old.id.clone(), new: new.id.clone() }),
        [] => Err(format!("the watch showed no pod {name}")),
        [_] => Err(format!("{name} was not seen to be replaced")),
        more => Err(format!("{name} was created {} times: which one is old and which new can't be told", more.len())),
    }
}

fn replicas(case: &Case<'_>) -> u32 {
    match case.scenario().workload() {
        Workload::StatefulSet(set) => set.replicas,
        _ => 0,
    }
}

/// Sidecars and mains.
fn names<'a>(case: &Case<'a>) -> Vec<&'a str> {
    case.running().map(|container| container.name.as_str()).collect()
}

fn all_terms(case: &Case<'_>, witness: Witness, pod: &PodId, containers: &[&str]) -> Vec<Side> {
    containers.iter().flat_map(|one| terms(case, witness, pod, one)).collect()
}
