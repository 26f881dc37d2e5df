//! The accounts of a producer's incarnations: what the trace has about their lines.

use std::collections::BTreeMap;

use crate::{
    case::Case,
    trace::{Act, Delivered, Event, LineMark, PodId, Witness},
};

/// One incarnation of a producer, and the events about its lines.
#[derive(Default)]
pub(super) struct Account<'a> {
    /// The last count, and its event.
    pub(super) wrote: Option<(&'a Event, u64)>,
    /// The last line that it began to write, where that differs.
    pub(super) begun: Option<u64>,
    /// When it wrote which lines.
    pub(super) marks: Vec<LineMark>,
    pub(super) delivered: Vec<(&'a Event, &'a Delivered)>,
}

impl<'a> Account<'a> {
    /// The count only grows: the largest is the last, from whichever file it comes.
    fn count(&mut self, event: &'a Event, lines: u64) {
        if self.wrote.is_none_or(|(_, so_far)| so_far < lines) {
            self.wrote = Some((event, lines));
        }
    }
}

/// Every incarnation that started, counted or had lines delivered.
pub(super) fn accounts<'a>(case: &Case<'a>, producer: &str) -> BTreeMap<(PodId, u32), Account<'a>> {
    let mut accounts: BTreeMap<(PodId, u32), Account<'_>> = BTreeMap::new();
    for event in case.trace.events.iter().filter(|event| event.container.as_deref() == Some(producer)) {
        let Some(pod) = &event.pod else { continue };
        let key = (pod.clone(), event.incarnation.unwrap_or(0));
        match (event.witness, &event.act) {
            (Witness::Program, Act::Started) => {
                accounts.entry(key).or_default();
            }
            (Witness::Program, Act::Wrote { lines, begun, marks }) => {
                let account = accounts.entry(key).or_default();
                account.count(event, *lines);
                account.begun = account.begun.max(*begun);
                account.marks.extend(marks);
            }
            (Witness::Sink, Act::Delivered(delivered)) => accounts.entry(key).or_default().delivered.push((event, delivered)),
            _ => {}
        }
    }
    accounts
}

/// Messages and lines that arrived and that no producer of this run wrote.
pub(super) fn nobodys(case: &Case<'_>) -> u64 {
    let lines = case.trace.events.iter().map(|event| match &event.act {
        Act::Foreign { lines } => *lines,
        Act::Delivered(delivered) if event.pod.is_none() => delivered.lines(),
        _ => 0,
    });
    lines.sum()
}
