//! A sidecar that ends by itself comes back.
//!
//! Promised: a sidecar is restarted whenever it exits, with any code and under any restart policy of the pod, while the pod
//! runs; the first time at once, then with the kubelet's back-off (10 s, 20 s, ... up to 5 min). Not promised: a restart once
//! the pod terminates. Source: KEP-753; Kubernetes documentation, "Sidecar Containers".

use jiff::SignedDuration;
use serde_json::Value;

use super::ask::of_each_pod;
use crate::{
    case::{Case, INDEPENDENT},
    lives::{Life, Mark, clock, status::statuses},
    order::{all_before, cannot_say, name},
    quorum::Ruling,
    trace::{Act, PodId, Witness},
    verdict::Testimony,
};

/// After this time without a restart it will not come: the first restart needs none, the second 10 s of back-off.
const PATIENCE: SignedDuration = SignedDuration::from_secs(30);

/// The container exits while `during` runs, and starts again before `during` exits.
pub(super) fn during(case: &Case<'_>, container: &str, during: &str) -> Ruling {
    of_each_pod(case, &INDEPENDENT, &[container, during], |witness, pod| testify(&View { case, witness, pod, container, during }))
}

struct View<'a> {
    case: &'a Case<'a>,
    witness: Witness,
    pod: &'a PodId,
    container: &'a str,
    during: &'a str,
}

fn testify(view: &View<'_>) -> Testimony {
    let lives = view.case.lives(view.witness, view.pod, view.container);
    let Some(frame) = view.case.lives(view.witness, view.pod, view.during).first().copied() else {
        return cannot_say(view.witness, format!("its record has nothing of {}", view.during));
    };
    let mut last_word = None;
    for (index, life) in lives.iter().enumerate() {
        // An exit that was asked for is no exit by itself.
        let Some(exit) = life.ended.as_ref().filter(|_| life.terms.is_empty()) else { continue };
        let word = match lives.get(index + 1).and_then(|next| next.started.as_ref()) {
            Some(again) => came_back(view, frame, exit, again),
            None => stayed_away(view, frame, exit),
        };
        if word.says == Some(true) {
            return word;
        }
        last_word = Some(word);
    }
    last_word.unwrap_or_else(|| cannot_say(view.witness, format!("{} did not exit by itself", view.container)))
}

fn came_back(view: &View<'_>, frame: &Life, exit: &Mark, again: &Mark) -> Testimony {
    let View { case, witness, .. } = *view;
    let frame_start = frame.started.clone().ok_or_else(|| format!("its record has no start of {}", view.during));
    let ran = all_before(case, witness, &[frame_start], &[Ok(exit.clone())]);
    if ran.says != Some(true) {
        let because = format!("{} is not known to have run when {}: {}", view.during, name(case, exit), ran.because);
        return Testimony { says: None, because, ..ran };
    }
    let restart = format!("{}, and started again at {}", name(case, exit), again.shown().map_or_else(String::new, clock));
    let in_time = match &frame.ended {
        None => None,
        Some(_) if witness == Witness::Kubelet && seen_together(view) => None,
        Some(end) => Some(all_before(case, witness, &[Ok(again.clone())], &[Ok(end.clone())])),
    };
    match in_time {
        None => {
            let because = format!("{restart}, while {} ran", view.during);
            Testimony { witness, says: Some(true), because, gap_ms: None, events: vec![exit.seq, again.seq] }
        }
        Some(word) => {
            let because = format!("{}; {}", name(case, exit), word.because);
            let events = [exit.seq].into_iter().chain(word.events).collect();
            Testimony { because, events, ..word }
        }
    }
}

fn stayed_away(view: &View<'_>, frame: &Life, exit: &Mark) -> Testimony {
    let View { case, witness, .. } = *view;
    if witness == Witness::Kubelet {
        // Its last statuses may be from before the restart, and it does not tell an exit by itself from one that was asked for.
        return cannot_say(witness, format!("it published no second incarnation of {}", view.container));
    }
    if let Some(end) = &frame.ended {
        let word = all_before(case, witness, &[Ok(exit.clone())], &[Ok(end.clone())]);
        return match word.says {
            Some(true) => {
                Testimony { says: Some(false), because: format!("{}, and it was not started again", word.because), ..word }
            }
            _ => Testimony {
                says: None,
                because: format!("{} did not exit while {} ran: {}", view.container, view.during, word.because),
                ..word
            },
        };
    }
    let left = case.window().zip(exit.at).map(|((_, end), exit)| (end, end.duration_since(exit.latest)));
    match left {
        Some((end, left)) if left >= PATIENCE => {
            let because =
                format!("{}, and was not started again up to {}, while {} ran", name(case, exit), clock(end), view.during);
            Testimony { witness, says: Some(false), because, gap_ms: None, events: vec![exit.seq] }
        }
        _ => cannot_say(witness, format!("{}, and the record ends too soon to say that it does not come back", name(case, exit))),
    }
}

/// Whether one published status has the container restarted and running, and `during` running in its first incarnation.
fn seen_together(view: &View<'_>) -> bool {
    let runs = |object: &Value, name: &str, restarted: bool| {
        statuses(object).any(|status| {
            let count = status.get("restartCount").and_then(Value::as_u64).unwrap_or(0);
            status.get("name").and_then(Value::as_str) == Some(name)
                && status.pointer("/state/running").is_some()
                && (count > 0) == restarted
        })
    };
    view.case.trace.events.iter().any(|event| match &event.act {
        Act::Seen { object, .. } => {
            PodId::of(object).as_ref() == Some(view.pod) && runs(object, view.container, true) && runs(object, view.during, false)
        }
        _ => false,
    })
}
