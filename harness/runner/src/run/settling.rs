//! Which cases need no more repetitions. Whether an agent loses lines is a rate: some cases lose in each run, others in one of
//! twenty. Where the runs so far tell on which side of a limit the rate lies, the rest of them is left out.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard},
};

use sidecheck_core::{
    rate::{Rate, Settled},
    verdict::Delivery,
};

use super::{CaseResult, Finished};
use crate::{case::Case, show::rate_in_words};

/// What the cases of a run came to so far. Only those about an agent are ever left out.
#[derive(Debug)]
pub struct Settling {
    /// From 0 to 1.
    limit: f64,
    repeat: u32,
    tallies: Mutex<BTreeMap<(String, String), Tally>>,
}

/// The runs of one case on one cluster.
#[derive(Debug, Default)]
struct Tally {
    /// How many have ended, decided or not.
    ended: u32,
    by_producer: BTreeMap<String, Rate>,
}

impl Settling {
    /// For a run that repeats each case so many times, with a limit in percent.
    pub fn new(repeat: u32, settle_at: f64) -> Self {
        Self { limit: settle_at / 100.0, repeat, tallies: Mutex::default() }
    }

    /// Whether nothing more is to be found out by running this case once more: to be asked right before it starts.
    pub fn leaves_out(&self, case: &Case) -> bool {
        case.listed.scenario.tested.is_some() && self.is_settled(&case.cluster.entry, &case.listed.name)
    }

    /// Whether the runs of a case so far tell on which side of the limit its rate lies, for each producer.
    fn is_settled(&self, entry: &str, scenario: &str) -> bool {
        let key = (entry.to_owned(), scenario.to_owned());
        self.tallies().get(&key).is_some_and(|tally| tally.is_settled(self.limit))
    }

    /// Counts a case that is over. A sentence, where that settles it and there are repetitions left.
    pub fn note(&self, finished: &Finished) -> Option<String> {
        finished.tested.as_ref()?;
        let verdicts = match &finished.result {
            CaseResult::Judged { verdicts, .. } => verdicts.as_slice(),
            CaseResult::Broken { .. } => &[],
            CaseResult::NotApplicable { .. } => return None,
        };
        let mut tallies = self.tallies();
        let tally = tallies.entry((finished.entry.clone(), finished.scenario.clone())).or_default();
        let before = tally.is_settled(self.limit);
        tally.ended += 1;
        for (producer, delivery) in Delivery::by_producer(verdicts) {
            if delivery != Delivery::Unknown {
                let rate = tally.by_producer.entry(producer.to_owned()).or_default();
                rate.count(matches!(delivery, Delivery::Faulty(_)));
            }
        }
        if before || !tally.is_settled(self.limit) || tally.ended >= self.repeat {
            return None;
        }
        let words = tally.by_producer.values().map(|rate| told(*rate, self.limit)).collect::<Vec<_>>().join("; ");
        let (entry, scenario, ended, repeat) = (&finished.entry, &finished.scenario, tally.ended, self.repeat);
        Some(format!("         {entry:<11} {scenario}: settled after {ended} of {repeat} runs: {words}"))
    }

    fn tallies(&self) -> MutexGuard<'_, BTreeMap<(String, String), Tally>> {
        self.tallies.lock().expect("no holder of the tallies panics")
    }
}

impl Tally {
    /// A producer that no run could decide anything about is in no rate, and more runs would not help it.
    fn is_settled(&self, limit: f64) -> bool {
        !self.by_producer.is_empty() && self.by_producer.values().all(|rate| rate.settled(limit).is_some())
    }
}

/// Such as `it loses lines (3 of 3 runs lose, 29-100 %)`.
fn told(rate: Rate, limit: f64) -> String {
    let what = match rate.settled(limit) {
        Some(Settled::Below) => "complete",
        Some(Settled::Above) | None => "it loses lines",
    };
    format!("{what} ({})", rate_in_words(rate))
}

#[cfg(test)]
mod tests;
