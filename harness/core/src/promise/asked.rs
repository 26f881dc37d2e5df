//! Answers of the API server.
//!
//! Promised: what validation and admission accept and refuse on each release, with the field and the reason. The texts are no
//! API, but users search for them and tools match them, so they are held to the letter. One witness is enough: the server
//! itself. Source: Kubernetes API reference; the validation code of the release.

use std::collections::BTreeSet;

use crate::{
    case::Case,
    order::cannot_say,
    quorum::Ruling,
    scenario::{Answer, Ask},
    trace::{Act, Event, Witness},
    verdict::Testimony,
};

/// The answer to the step's question is the promised one.
pub(crate) fn asked(case: &Case<'_>, step: usize, ask: &Ask) -> Ruling {
    let answer = case.trace.events.iter().find(|event| matches!(event.act, Act::Answered { step: of, .. } if of == step));
    match answer {
        Some(event) => Ruling::by_one(hold_against(event, &ask.answer)),
        None => super::waits::not_done(case, step, case.steps.get(step).outcome.as_ref()),
    }
}

fn hold_against(event: &Event, promised: &Answer) -> Testimony {
    let Act::Answered { code, causes, message, object, .. } = &event.act else { unreachable!("the caller found an answer") };
    // Not about the object: the server had no time, or somebody else changed something.
    if matches!(code, 408 | 409 | 429 | 500..) {
        return cannot_say(Witness::Api, format!("no answer to the question, but {code}: {message}"));
    }
    let (kept, seen) = match (promised, object) {
        (Answer::Accepted(facts), Some(object)) => match facts.iter().find(|fact| !fact.holds(object)) {
            None => (true, "accepted".to_owned()),
            Some(fact) => (false, format!("accepted, but {}", fact.seen(object))),
        },
        (_, Some(_)) => (false, "accepted".to_owned()),
        (Answer::Accepted(_), None) => (false, format!("refused with {code}: {message}")),
        (Answer::Invalid(wanted), None) => {
            let (wanted, found): (BTreeSet<&String>, BTreeSet<&String>) = (wanted.iter().collect(), causes.iter().collect());
            (*code == 422 && wanted == found, format!("refused with {code}: {message}"))
        }
        (Answer::InvalidWith(beginning), None) => {
            (*code == 422 && causes.iter().any(|cause| cause.starts_with(beginning)), format!("refused with {code}: {message}"))
        }
        (Answer::Forbidden(text), None) => (*code == 403 && message.contains(text), format!("refused with {code}: {message}")),
    };
    Testimony { witness: Witness::Api, says: Some(kept), because: seen, gap_ms: None, events: vec![event.seq] }
}
