//! Start order.
//!
//! Promised: init containers and sidecars start in their order, each after the one before has ended (plain init) or has
//! started (sidecar): its process was started by the runtime, its postStart hook returned, its startup probe succeeded,
//! where it has them. Mains start after all of them, and are not ordered among themselves in a way that one could rely on.
//! Source: KEP-753; Kubernetes documentation, "Sidecar Containers".
//!
//! Not promised: that the process of one does something before the next starts. Without a startup probe the kubelet goes on
//! as soon as the runtime says that the process runs. Readiness gates nothing.

use super::ask::{About, ask, ask_order, first_pass, first_start};
use crate::{
    case::{Case, INDEPENDENT},
    order::{START_LAG_MS, all_before},
    quorum::{Ruling, rule},
    trace::Witness,
    verdict::Testimony,
};

/// `then` starts only after the runtime has started `first`.
pub(super) fn after_start(case: &Case<'_>, first: &str, then: &str) -> Ruling {
    let questions = case.pods.iter().map(|pod| {
        let about = About { pods: vec![&pod.id], containers: vec![first, then], what: pod.id.name.clone() };
        let start = |witness, container| [first_start(case, witness, &pod.id, container)];
        ask(case, &INDEPENDENT, &about, |witness| {
            doubt_swapped_turns(all_before(case, witness, &start(witness, first), &start(witness, then)))
        })
    });
    rule(questions.collect())
}

/// First instructions that came in the wrong order, but close together, say nothing about the calls that started them.
pub(super) fn doubt_swapped_turns(testimony: Testimony) -> Testimony {
    let swapped = testimony.witness == Witness::Program && testimony.says == Some(false);
    if !swapped || testimony.gap_ms.is_some_and(|gap| gap.abs() > START_LAG_MS) {
        return testimony;
    }
    let because = format!("too close: {}, and first instructions may be late by {START_LAG_MS} ms", testimony.because);
    Testimony { says: None, because, ..testimony }
}

/// `then` starts only after the first success of `gate`'s startup probe.
pub(super) fn after_probe(case: &Case<'_>, gate: &str, then: &str) -> Ruling {
    // A status says that a container has started, but not when its probe succeeded: the kubelet is not asked.
    let witnesses = [Witness::Program, Witness::Runtime];
    let questions = case.pods.iter().map(|pod| {
        let about = About { pods: vec![&pod.id], containers: vec![gate, then], what: pod.id.name.clone() };
        let passed = |witness| vec![first_pass(case, witness, &pod.id, gate)];
        ask_order(case, &witnesses, &about, passed, |witness| vec![first_start(case, witness, &pod.id, then)])
    });
    rule(questions.collect())
}
