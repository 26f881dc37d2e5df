//! Putting one question to several witnesses, and the moments that the questions are about.

use crate::{
    case::Case,
    lives::{Life, Mark},
    order::{Side, all_before, cannot_say},
    quorum::{Question, Ruling, rule},
    trace::{PodId, Witness},
    verdict::Testimony,
};

/// A question about containers of some pods.
pub(super) struct About<'a> {
    /// The pods whose evidence must be whole.
    pub(super) pods: Vec<&'a PodId>,
    /// The containers whose lives are asked about.
    pub(super) containers: Vec<&'a str>,
    /// How the question is told apart from others of the same check.
    pub(super) what: String,
}

/// Puts the question to each of the witnesses; one whose evidence has a hole says so and is not asked.
pub(super) fn ask(case: &Case<'_>, witnesses: &[Witness], about: &About<'_>, answer: impl Fn(Witness) -> Testimony) -> Question {
    let foreign: Vec<String> = about.containers.iter().filter(|one| case.is_foreign(one)).map(|one| (*one).to_owned()).collect();
    let can_see = |witness: &&Witness| **witness != Witness::Program || foreign.is_empty();
    let testimonies = witnesses.iter().filter(can_see).map(|witness| {
        let silence = about.pods.iter().find_map(|pod| case.silence(*witness, pod));
        silence.map_or_else(|| answer(*witness), |why| cannot_say(*witness, why))
    });
    Question { about: about.what.clone(), testimonies: testimonies.collect(), foreign }
}

/// Puts the question to each of the witnesses once for each pod, and rules on the answers.
pub(super) fn of_each_pod(
    case: &Case<'_>,
    witnesses: &[Witness],
    containers: &[&str],
    answer: impl Fn(Witness, &PodId) -> Testimony,
) -> Ruling {
    let questions = case.pods.iter().map(|pod| {
        let about = About { pods: vec![&pod.id], containers: containers.to_vec(), what: pod.id.name.clone() };
        ask(case, witnesses, &about, |witness| answer(witness, &pod.id))
    });
    rule(questions.collect())
}

/// The question whether all of the first came before all of the others, each side a function of the witness.
pub(super) fn ask_order(
    case: &Case<'_>,
    witnesses: &[Witness],
    about: &About<'_>,
    first: impl Fn(Witness) -> Vec<Side>,
    then: impl Fn(Witness) -> Vec<Side>,
) -> Question {
    ask(case, witnesses, about, |witness| all_before(case, witness, &first(witness), &then(witness)))
}

/// The start of the first incarnation.
pub(super) fn first_start(case: &Case<'_>, witness: Witness, pod: &PodId, container: &str) -> Side {
    let lives = case.lives(witness, pod, container);
    let first = lives.first().filter(|life| life.number == 0).and_then(|life| life.started.clone());
    first.ok_or_else(|| missing(case, "start", pod, container))
}

/// The first success of the container's only exec probe.
pub(super) fn first_pass(case: &Case<'_>, witness: Witness, pod: &PodId, container: &str) -> Side {
    let lives = case.lives(witness, pod, container);
    let mut probes = lives.iter().flat_map(|life| &life.probes);
    let pass = probes.find(|probe| probe.ok);
    pass.map(|probe| probe.mark.clone()).ok_or_else(|| missing(case, "successful probe", pod, container))
}

/// Each stop signal of the container.
pub(super) fn terms(case: &Case<'_>, witness: Witness, pod: &PodId, container: &str) -> Vec<Side> {
    let lives = case.lives(witness, pod, container);
    let terms: Vec<Side> = lives.iter().flat_map(|life| life.terms.iter().cloned().map(Ok)).collect();
    if terms.is_empty() { vec![Err(missing(case, "TERM", pod, container))] } else { terms }
}

/// The exit after which the container did not run again. Where the record has none, the last sign of life stands beside the
/// gap: it can show that the container was still alive, and no more.
pub(super) fn final_exit(case: &Case<'_>, witness: Witness, pod: &PodId, container: &str) -> Vec<Side> {
    let lives = case.lives(witness, pod, container);
    let Some(last) = lives.last() else { return vec![Err(missing(case, "exit", pod, container))] };
    if let Some(exit) = &last.ended {
        return vec![Ok(exit.clone())];
    }
    let alive: Option<Side> = last_sign(last).map(Ok);
    alive.into_iter().chain([Err(missing(case, "exit", pod, container))]).collect()
}

pub(super) fn last_sign(life: &Life) -> Option<Mark> {
    life.last.clone()
}

pub(super) fn missing(case: &Case<'_>, what: &str, pod: &PodId, container: &str) -> String {
    format!("its record has no {what} of {}", case.label(pod, container))
}
