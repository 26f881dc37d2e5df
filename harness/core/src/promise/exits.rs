//! Exit codes.
//!
//! Promised: the code of a process that ended is published as it was; 137 is a KILL. Not promised: that a container which was
//! asked to stop ends with 0, which is its own matter. Source: Kubernetes documentation, "Pod Lifecycle".

use super::ask::of_each_pod;
use crate::{
    case::{Case, INDEPENDENT},
    lives::Life,
    order::{cannot_say, name},
    quorum::Ruling,
    scenario::Exits,
    trace::{PodId, Witness},
    verdict::Testimony,
};

/// The container exits with the code in each pod.
pub(super) fn exits(case: &Case<'_>, exits: &Exits) -> Ruling {
    of_each_pod(case, &INDEPENDENT, &[&exits.container], |witness, pod| testify(case, witness, pod, exits))
}

fn testify(case: &Case<'_>, witness: Witness, pod: &PodId, exits: &Exits) -> Testimony {
    let lives = case.lives(witness, pod, &exits.container);
    let life: Option<&Life> = match exits.incarnation {
        Some(number) => lives.into_iter().find(|life| life.number == number),
        None => lives.last().copied(),
    };
    let Some((code, mark)) = life.and_then(|life| life.code.zip(life.ended.as_ref())) else {
        return cannot_say(witness, format!("its record has no exit of {}", case.label(pod, &exits.container)));
    };
    let because = format!("{} with {code}", name(case, mark));
    Testimony { witness, says: Some(code == exits.code), because, gap_ms: None, events: vec![mark.seq] }
}
