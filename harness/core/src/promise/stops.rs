//! Stop order.
//!
//! Promised from 1.29: a sidecar is asked to stop only after every main has ended, and sidecars one by one, the last started
//! first. It holds when the pod is deleted and when the mains end by themselves, within the grace period: what is left when
//! it is used up is killed without order. 1.28 keeps it when the mains end by themselves; on delete it signals all at once.
//! Source: KEP-753; kubernetes#120620.
//!
//! Not promised: the order of two TERMs whose parties don't wait for each other, and any order of `Killing` events.

use super::before::question;
use crate::{
    case::Case,
    pods::SeenPod,
    quorum::{Ruling, rule},
    scenario::{Point, PointMoment},
    trace::Witness,
};

/// `then` gets TERM only after `first` has exited for good.
pub(super) fn after_exit(case: &Case<'_>, first: &str, then: &str) -> Ruling {
    let (exit, term) = (Point::new(PointMoment::Exit, first), Point::new(PointMoment::Term, then));
    // The kubelet's status has no TERM.
    let witnesses = [Witness::Program, Witness::Runtime];
    let was_stopped = |pod: &&SeenPod| {
        let signalled = |witness: &Witness| case.lives(*witness, &pod.id, then).iter().any(|life| !life.terms.is_empty());
        pod.deleting || case.pods.len() == 1 || witnesses.iter().any(signalled)
    };
    let stopped = case.pods.iter().filter(was_stopped);
    rule(stopped.map(|pod| question(case, pod, &exit, &term, pod.id.name.clone())).collect())
}
