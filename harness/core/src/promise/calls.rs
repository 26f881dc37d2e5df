//! A sidecar that serves as long as it is needed.
//!
//! Promised from 1.29: a sidecar runs until every main has ended, so that what it serves can be had until then. Not promised:
//! that its application answers. The caller counts, as a client would; one witness is enough for its own calls.
//! Source: KEP-753, "Motivation".

use std::collections::BTreeMap;

use crate::{
    case::Case,
    order::cannot_say,
    quorum::Ruling,
    trace::{Act, Event, PodId, Witness},
    verdict::Testimony,
};

/// From the first call that was answered on, every call of the container was answered.
pub(super) fn are_answered(case: &Case<'_>, container: &str) -> Ruling {
    let witness = Witness::Program;
    if let Some(why) = case.pods.iter().find_map(|pod| case.silence(witness, &pod.id)) {
        return Ruling::by_one(cannot_say(witness, why));
    }
    let mut pods: BTreeMap<Option<&PodId>, Vec<(&Event, bool)>> = BTreeMap::new();
    for event in &case.trace.events {
        if let Act::Called { ok } = event.act
            && event.container.as_deref() == Some(container)
        {
            pods.entry(event.pod.as_ref()).or_default().push((event, ok));
        }
    }
    // Each pod has a first answer of its own.
    let counted: Vec<Vec<(&Event, bool)>> =
        pods.into_values().map(|calls| calls.into_iter().skip_while(|(_, ok)| !ok).collect()).collect();
    let all = counted.concat();
    let Some(((first, _), (last, _))) = all.first().zip(all.last()) else {
        return Ruling::by_one(cannot_say(witness, format!("no call of {container} was ever answered")));
    };
    let testimony = match all.iter().find(|(_, ok)| !ok) {
        Some((unanswered, _)) => {
            let missed = all.iter().filter(|(_, ok)| !ok).count();
            let because = format!("{missed} of {} calls of {container} were not answered", all.len());
            Testimony { witness, says: Some(false), because, gap_ms: None, events: vec![first.seq, unanswered.seq] }
        }
        None if counted.iter().any(Vec::is_empty) => {
            cannot_say(witness, format!("in one of {} pods no call of {container} was ever answered", counted.len()))
        }
        None => {
            let because = format!("{container} made {} calls, and each was answered", all.len());
            Testimony { witness, says: Some(true), because, gap_ms: None, events: vec![first.seq, last.seq] }
        }
    };
    Ruling::by_one(testimony)
}
