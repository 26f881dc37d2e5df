//! Every line arrives.
//!
//! Promised by Kubernetes: the sidecar outlives the mains and is asked to stop only after them, so that it can read what they
//! wrote last. Not promised: that it does. Whether the lines arrive depends on the agent, its configuration and the grace
//! period, and that is what the ledger shows. Counts need one witness: the producer's own, kept outside the log path.

use std::collections::BTreeMap;

use crate::{
    case::Case,
    ledger::Ledger,
    order::cannot_say,
    quorum::Ruling,
    trace::{Act, Event, PodId, Witness},
    verdict::{Outcome, Testimony},
};

/// One incarnation of a producer, and the events about its lines.
#[derive(Default)]
struct Account<'a> {
    wrote: Option<(&'a Event, u64)>,
    delivered: Vec<&'a Event>,
}

impl<'a> Account<'a> {
    /// The count only grows: the largest is the last, from whichever file it comes.
    fn count(&mut self, event: &'a Event, lines: u64) {
        if self.wrote.is_none_or(|(_, so_far)| so_far < lines) {
            self.wrote = Some((event, lines));
        }
    }
}

/// Each line that the producer counted arrived once, whole and in order.
pub(super) fn every_line(case: &Case<'_>, producer: &str) -> Ruling {
    let missing = case.trace.events.iter().find_map(|event| match &event.act {
        Act::EvidenceMissing { what } if event.witness == Witness::Sink => Some(what.clone()),
        _ => None,
    });
    if let Some(what) = missing {
        return Ruling::by_one(cannot_say(Witness::Sink, what));
    }
    if !case.trace.events.iter().any(|event| event.witness == Witness::Sink) {
        return Ruling::by_one(cannot_say(Witness::Sink, "the trace has nothing from the sink".to_owned()));
    }
    let accounts = accounts(case, producer);
    if accounts.is_empty() {
        return Ruling::by_one(cannot_say(Witness::Program, format!("its record has nothing of {producer}")));
    }
    combine(accounts.iter().map(|((pod, incarnation), account)| settle(case, pod, producer, *incarnation, account)).collect())
}

/// Every incarnation that started, counted or had lines delivered.
fn accounts<'a>(case: &Case<'a>, producer: &str) -> BTreeMap<(PodId, u32), Account<'a>> {
    let mut accounts: BTreeMap<(PodId, u32), Account<'_>> = BTreeMap::new();
    for event in case.trace.events.iter().filter(|event| event.container.as_deref() == Some(producer)) {
        let Some(pod) = &event.pod else { continue };
        let key = (pod.clone(), event.incarnation.unwrap_or(0));
        match (event.witness, &event.act) {
            (Witness::Program, Act::Started) => {
                accounts.entry(key).or_default();
            }
            (Witness::Program, Act::Wrote { lines }) => accounts.entry(key).or_default().count(event, *lines),
            (Witness::Sink, Act::Delivered { .. }) => accounts.entry(key).or_default().delivered.push(event),
            _ => {}
        }
    }
    accounts
}

fn settle(case: &Case<'_>, pod: &PodId, producer: &str, incarnation: u32, account: &Account<'_>) -> Testimony {
    let label = format!("{} ({}, incarnation {incarnation})", case.label(pod, producer), pod.name);
    if let Some(why) = case.silence(Witness::Program, pod) {
        return cannot_say(Witness::Program, why);
    }
    let Some((wrote, written)) = account.wrote else {
        return cannot_say(Witness::Program, format!("{label} left no count of the lines that it wrote"));
    };
    let mut runs = Vec::new();
    let mut damaged = 0;
    for event in &account.delivered {
        if let Act::Delivered { runs: more, damaged: worse } = &event.act {
            runs.extend(more);
            damaged += worse;
        }
    }
    let events = [wrote.seq].into_iter().chain(account.delivered.iter().map(|event| event.seq)).collect();
    let ledger = Ledger::balance(written, &runs, damaged);
    let testimony = |says, because| Testimony { witness: Witness::Sink, says, because, gap_ms: None, events };
    if ledger.uncounted > 0 {
        return testimony(
            None,
            format!("{label} counted {written} lines, but {} more arrived: its count is no ground truth", ledger.uncounted),
        );
    }
    testimony(Some(ledger.is_clean()), format!("{label}: {ledger}"))
}

/// One incarnation with a loss is enough; all must be clean.
fn combine(testimonies: Vec<Testimony>) -> Ruling {
    let said = |says| testimonies.iter().find(|one: &&Testimony| one.says == says);
    let (outcome, decisive) = match (said(Some(false)), said(None), said(Some(true))) {
        (Some(broken), _, _) => (Outcome::Violated, broken),
        (None, Some(unclear), _) => (Outcome::Undecidable, unclear),
        (None, None, Some(kept)) => (Outcome::Held, kept),
        (None, None, None) => return Ruling::without_word(Outcome::Undecidable, "there is no producer"),
    };
    Ruling { outcome, reason: decisive.because.clone(), testimonies }
}
