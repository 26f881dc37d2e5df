//! From what the witnesses say to an outcome: two independent ones that agree, and none that contradicts.

use crate::{
    trace::Witness,
    verdict::{LineTotals, Outcome, Testimony},
};

/// One question to the witnesses, such as "did s2 of this pod get its TERM after app had exited?".
#[derive(Debug, Clone)]
pub(crate) struct Question {
    /// What it is about, where a check asks several: a pod, or a pair of ordinals.
    pub(crate) about: String,
    /// The answers.
    pub(crate) testimonies: Vec<Testimony>,
    /// Containers in it that are not ours: the program can't speak for them, so the runtime may decide alone.
    pub(crate) foreign: Vec<String>,
}

/// The outcome of a check, before it is held against an expectation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ruling {
    pub(crate) outcome: Outcome,
    pub(crate) reason: String,
    /// The numbers, where it is about lines.
    pub(crate) lines: Option<LineTotals>,
    pub(crate) testimonies: Vec<Testimony>,
}

impl Ruling {
    /// A ruling without a witness's word.
    pub(crate) fn without_word(outcome: Outcome, reason: impl Into<String>) -> Self {
        Self { outcome, reason: reason.into(), lines: None, testimonies: vec![] }
    }

    /// A ruling on facts of which one witness is enough: answers of the API server, and counts.
    pub(crate) fn by_one(testimony: Testimony) -> Self {
        let outcome = match testimony.says {
            Some(true) => Outcome::Held,
            Some(false) => Outcome::Violated,
            None => Outcome::Undecidable,
        };
        Self { outcome, reason: testimony.because.clone(), lines: None, testimonies: vec![testimony] }
    }
}

/// Rules on all questions of a check: one broken is enough, and it is kept only when all are.
pub(crate) fn rule(questions: Vec<Question>) -> Ruling {
    if questions.is_empty() {
        return Ruling::without_word(Outcome::Undecidable, "there is no pod to ask about");
    }
    let several = questions.len() > 1;
    let mut answers: Vec<(Outcome, String)> = questions.iter().map(answer).collect();
    if several {
        for (question, (_, reason)) in questions.iter().zip(&mut answers) {
            *reason = format!("{}: {reason}", question.about);
        }
    }
    let testimonies = questions.into_iter().flat_map(|question| {
        let about = if several { format!("{}: ", question.about) } else { String::new() };
        question.testimonies.into_iter().map(move |one| Testimony { because: format!("{about}{}", one.because), ..one })
    });
    let testimonies = testimonies.collect();
    let decisive = [Outcome::Violated, Outcome::Undecidable, Outcome::Held]
        .into_iter()
        .find_map(|outcome| answers.iter().position(|(one, _)| *one == outcome))
        .unwrap_or(0);
    let (outcome, reason) = answers.swap_remove(decisive);
    let rest = if several && outcome == Outcome::Held { "; the same everywhere else" } else { "" };
    Ruling { outcome, reason: format!("{reason}{rest}"), lines: None, testimonies }
}

/// The answer to one question, with its reason.
fn answer(question: &Question) -> (Outcome, String) {
    let of = |says: Option<bool>| question.testimonies.iter().filter(move |one| one.says == says).collect::<Vec<_>>();
    let (kept, broken, silent) = (of(Some(true)), of(Some(false)), of(None));
    let unsaid = || silent.iter().map(|one| format!("{}: {}", one.witness, one.because)).collect::<Vec<_>>().join("; ");
    let (outcome, agree) = match (kept.is_empty(), broken.is_empty()) {
        (false, false) => {
            let (yes, no) = (kept[0], broken[0]);
            let reason =
                format!("the witnesses are at odds: {} says {}; {} says {}", yes.witness, yes.because, no.witness, no.because);
            return (Outcome::Undecidable, reason);
        }
        (true, true) => return (Outcome::Undecidable, unsaid()),
        (false, true) => (Outcome::Held, kept),
        (true, false) => (Outcome::Violated, broken),
    };
    // The runtime's stamps are the ones to show.
    let shown = agree.iter().find(|one| one.witness == Witness::Runtime).unwrap_or(&agree[0]);
    let others: Vec<String> =
        agree.iter().filter(|one| one.witness != shown.witness).map(|one| one.witness.to_string()).collect();
    if !others.is_empty() {
        let agree = if others.len() == 1 { "agrees" } else { "agree" };
        return (outcome, format!("{} ({}; {} {agree})", shown.because, shown.witness, others.join(" and ")));
    }
    if shown.witness == Witness::Runtime && !question.foreign.is_empty() {
        let foreign = question.foreign.join(" and ");
        return (outcome, format!("{} (by the runtime alone: {foreign} is no witness program)", shown.because));
    }
    let rest = unsaid();
    let rest = if rest.is_empty() { "nobody else saw it".to_owned() } else { rest };
    (Outcome::Undecidable, format!("only the {} can say: {}; {rest}", shown.witness, shown.because))
}
