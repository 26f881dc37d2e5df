//! How often a container runs.
//!
//! Promised: with restartPolicy Never or OnFailure a main that ended with 0 stays ended, a sidecar is restarted whatever its
//! code and the pod's policy, and the restart of one container leaves the others alone. Not promised: how soon a container that
//! crashes again is restarted (10 s of back-off, then 20 s, ... up to 5 min).
//! Source: Kubernetes documentation, "Pod Lifecycle", "Sidecar Containers".

use super::ask::of_each_pod;
use crate::{
    case::{Case, INDEPENDENT},
    order::{cannot_say, name},
    quorum::Ruling,
    scenario::Runs,
    trace::{PodId, StepOutcome, Witness},
    verdict::Testimony,
};

/// The container has that many incarnations in each pod.
pub(super) fn runs(case: &Case<'_>, runs: &Runs) -> Ruling {
    of_each_pod(case, &INDEPENDENT, &[&runs.container], |witness, pod| count(case, witness, pod, runs))
}

fn count(case: &Case<'_>, witness: Witness, pod: &PodId, runs: &Runs) -> Testimony {
    let lives = case.lives(witness, pod, &runs.container);
    let starts: Vec<_> = lives.iter().filter_map(|life| life.started.as_ref()).collect();
    let Some(last) = starts.last() else {
        return cannot_say(witness, format!("its record has no start of {}", case.label(pod, &runs.container)));
    };
    // The kubelet may publish a later incarnation without ever having published the one before: the number counts.
    let found = lives.last().map_or(0, |life| life.number + 1);
    let times = match found {
        1 => "once".to_owned(),
        more => format!("as the last of {more} incarnations"),
    };
    // It may have missed the last ones, too, where they came and went between two statuses.
    let blind = witness == Witness::Kubelet;
    let says = match (runs.exactly, runs.at_least) {
        (Some(wanted), _) | (None, Some(wanted)) if found < wanted => (!blind).then_some(false),
        (Some(wanted), _) => Some(found == wanted),
        (None, _) => Some(true),
    };
    let because = format!("{}, {times}", name(case, last));
    let word = Testimony { witness, says, because, gap_ms: None, events: starts.iter().map(|mark| mark.seq).collect() };
    match (runs.exactly, runs.at_least) {
        (Some(wanted), _) if found <= wanted => doubt_early_end(case, word),
        (None, Some(wanted)) if found < wanted => doubt_early_end(case, word),
        _ => word,
    }
}

/// What was not seen up to the end says nothing where the scenario was cut short: it might have come later.
pub(super) fn doubt_early_end(case: &Case<'_>, word: Testimony) -> Testimony {
    let steps = case.scenario().steps.len();
    let cut = (0..steps).find_map(|step| match &case.steps.get(step).outcome {
        Some(StepOutcome::Failed { cause }) => Some(format!("step {} failed: {cause}", step + 1)),
        Some(StepOutcome::Skipped) => Some(format!("step {} was not reached", step + 1)),
        None => Some(format!("the trace does not say how step {} ended", step + 1)),
        Some(StepOutcome::Done | StepOutcome::TimedOut { .. } | StepOutcome::Changed { .. }) => None,
    });
    match cut.filter(|_| word.says.is_some()) {
        Some(why) => Testimony { says: None, because: format!("{}, but {why}", word.because), ..word },
        None => word,
    }
}
