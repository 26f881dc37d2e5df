//! Every line arrives; once; in order.
//!
//! Promised by Kubernetes: the sidecar outlives the mains and is asked to stop only after them, so that it can read what they
//! wrote last. Not promised: that it does. Whether the lines arrive depends on the agent, its configuration and the grace
//! period, and that is what the ledger shows. Agents promise "at least once" at best: so a line that is missing, incomplete or
//! changed is one thing, and one that comes twice or late is another. Counts need one witness: the producer's own, kept outside
//! the log path.

mod account;
mod when;

use crate::{
    case::Case,
    ledger::{Count, Ledger},
    order::cannot_say,
    quorum::Ruling,
    trace::{Act, Delivered, PodId, Witness},
    verdict::{LineTotals, Outcome, Testimony},
};
use account::{Account, accounts, nobodys};

/// What is asked about the lines of a producer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// Each line that the producer counted arrived, in one piece and unchanged.
    Every,
    /// No line arrived twice.
    Once,
    /// No line arrived after a later one.
    InOrder,
}

/// The question, put to each incarnation of the producer. The ruling has the numbers of all that could be balanced.
pub(super) fn delivers(case: &Case<'_>, producer: &str, question: Question) -> Ruling {
    let mut totals = LineTotals::of(producer);
    let ruling = put(case, producer, question, &mut totals);
    Ruling { lines: Some(totals), ..ruling }
}

fn put(case: &Case<'_>, producer: &str, question: Question, totals: &mut LineTotals) -> Ruling {
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
    let settled = accounts.iter().map(|((pod, incarnation), account)| {
        let label = format!("{} ({}, incarnation {incarnation})", case.label(pod, producer), pod.name);
        if let Some(why) = case.silence(Witness::Program, pod) {
            return cannot_say(Witness::Program, why);
        }
        let producer = Producer { pod, container: producer, incarnation: *incarnation, label };
        settle(case, &producer, account, question, totals)
    });
    combine(settled.collect())
}

/// One incarnation of a producer.
struct Producer<'a> {
    pod: &'a PodId,
    container: &'a str,
    incarnation: u32,
    label: String,
}

fn settle(
    case: &Case<'_>,
    producer: &Producer<'_>,
    account: &Account<'_>,
    question: Question,
    totals: &mut LineTotals,
) -> Testimony {
    let label = &producer.label;
    let Some((wrote, written)) = account.wrote else {
        return cannot_say(Witness::Program, format!("{label} left no count of the lines that it wrote"));
    };
    let count = Count { written, begun: account.begun.unwrap_or(written) };
    let delivered = account.delivered.iter().fold(Delivered::default(), |sum, (_, delivered)| sum.and(delivered));
    let ledger = Ledger::balance(count, &delivered);
    let mut events: Vec<u64> = [wrote.seq].into_iter().chain(account.delivered.iter().map(|(event, _)| event.seq)).collect();
    let mut testimony = |says, because, more: Vec<u64>| {
        events.extend(more);
        let events = std::mem::take(&mut events);
        Testimony { witness: Witness::Sink, says, because, gap_ms: None, events }
    };
    if ledger.uncounted > 0 {
        let more = ledger.uncounted;
        let because = format!("{label} counted {written} lines, but {more} more arrived: its count is no ground truth");
        return testimony(None, because, vec![]);
    }
    totals.add(&ledger);
    if question == Question::Every {
        let when = when::written(case, producer, &account.marks, &ledger);
        let (words, seen) = when.map_or((None, vec![]), |when| (Some(when.words), when.events));
        let lost_all = ledger.arrived == 0 && ledger.lost() > 0;
        let others = nobodys(case);
        let instead = if lost_all && others > 0 {
            let messages = if others == 1 { "message" } else { "messages" };
            format!("; {others} {messages} came that no producer of this run wrote")
        } else {
            String::new()
        };
        // What may or may not have been written matters only where nothing else is missing.
        let says = if ledger.in_flight > 0 && ledger.is_whole() { None } else { Some(ledger.is_whole()) };
        return testimony(says, format!("{label}: {}{instead}", ledger.told(words.as_deref())), seen);
    }
    let (number, fault) = match question {
        Question::Once => (ledger.duplicated, "came twice"),
        _ => (ledger.reordered, "came after a later one"),
    };
    let arrived = format!("of {} lines that arrived", ledger.arrived);
    match (number, ledger.arrived) {
        (0, 0) => testimony(None, format!("{label}: no line arrived"), vec![]),
        (0, _) => testimony(Some(true), format!("{label}: {arrived} none {fault}"), vec![]),
        (number, _) => testimony(Some(false), format!("{label}: {arrived} {number} {fault}"), vec![]),
    }
}

/// One incarnation with a fault is enough; all must be clean.
fn combine(testimonies: Vec<Testimony>) -> Ruling {
    let said = |says| testimonies.iter().find(|one: &&Testimony| one.says == says);
    let (outcome, decisive) = match (said(Some(false)), said(None), said(Some(true))) {
        (Some(broken), _, _) => (Outcome::Violated, broken),
        (None, Some(unclear), _) => (Outcome::Undecidable, unclear),
        (None, None, Some(kept)) => (Outcome::Held, kept),
        (None, None, None) => return Ruling::without_word(Outcome::Undecidable, "there is no producer"),
    };
    Ruling { outcome, reason: decisive.because.clone(), lines: None, testimonies }
}
