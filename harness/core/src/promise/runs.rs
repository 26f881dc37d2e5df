//! A container that is not restarted.
//!
//! Promised: with restartPolicy Never or OnFailure a main that ended with 0 stays ended, and the restart of a sidecar leaves
//! the mains alone. Source: Kubernetes documentation, "Pod Lifecycle", "Sidecar Containers".

use super::ask::{About, ask};
use crate::{
    case::{Case, INDEPENDENT},
    order::{cannot_say, name},
    quorum::{Ruling, rule},
    trace::Witness,
    verdict::Testimony,
};

/// The container has one incarnation.
pub(super) fn runs_once(case: &Case<'_>, container: &str) -> Ruling {
    let questions = case.pods.iter().map(|pod| {
        let about = About { pods: vec![&pod.id], containers: vec![container], what: pod.id.name.clone() };
        ask(case, &INDEPENDENT, &about, |witness| count(case, witness, &about))
    });
    rule(questions.collect())
}

fn count(case: &Case<'_>, witness: Witness, about: &About<'_>) -> Testimony {
    let (pod, container) = (about.pods[0], about.containers[0]);
    let lives = case.lives(witness, pod, container);
    let starts: Vec<_> = lives.iter().filter_map(|life| life.started.as_ref()).collect();
    let events = starts.iter().map(|mark| mark.seq).collect();
    // The kubelet may publish a second incarnation without ever having published the first.
    let restarted = lives.last().is_some_and(|life| life.number > 0);
    match starts.as_slice() {
        [] => cannot_say(witness, format!("its record has no start of {}", case.label(pod, container))),
        [once] if !restarted => {
            Testimony { witness, says: Some(true), because: format!("{}, once", name(case, once)), gap_ms: None, events }
        }
        [.., again] => {
            let because = format!("{} as incarnation {}", name(case, again), lives.last().map_or(0, |life| life.number));
            Testimony { witness, says: Some(false), because, gap_ms: None, events }
        }
    }
}
