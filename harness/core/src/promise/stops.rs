//! Stop order.
//!
//! Promised from 1.29: a sidecar is asked to stop only after every main has ended, and sidecars one by one, the last started
//! first. It holds when the pod is deleted and when the mains end by themselves, within the grace period: what is left when
//! it is used up is killed without order. 1.28 keeps it when the mains end by themselves; on delete it signals all at once.
//! Source: KEP-753; kubernetes#120620.
//!
//! Not promised: the order of two TERMs whose parties don't wait for each other, and any order of `Killing` events.

use super::ask::{About, ask_order, final_exit, terms};
use crate::{
    case::Case,
    pods::SeenPod,
    quorum::{Ruling, rule},
    trace::Witness,
};

/// `then` gets TERM only after `first` has exited for good.
pub(super) fn after_exit(case: &Case<'_>, first: &str, then: &str) -> Ruling {
    // The kubelet's status has no TERM.
    let witnesses = [Witness::Program, Witness::Runtime];
    let was_stopped = |pod: &&SeenPod| {
        let signalled = |witness: &Witness| case.lives(*witness, &pod.id, then).iter().any(|life| !life.terms.is_empty());
        pod.deleting || case.pods.len() == 1 || witnesses.iter().any(signalled)
    };
    let questions = case.pods.iter().filter(was_stopped).map(|pod| {
        let about = About { pods: vec![&pod.id], containers: vec![first, then], what: pod.id.name.clone() };
        let gone = |witness| final_exit(case, witness, &pod.id, first);
        ask_order(case, &witnesses, &about, gone, |witness| terms(case, witness, &pod.id, then))
    });
    rule(questions.collect())
}
