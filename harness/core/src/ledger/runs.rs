//! Runs of line numbers: first and last of each, both included.

use std::{borrow::Cow, collections::BTreeMap};

/// Larger numbers are no lines of a producer, and sums must not overflow on a damaged one.
const LARGEST: u64 = 1 << 40;

/// Runs in ascending order, none touching the next, and what their order of arrival told.
pub(super) struct Tidy<'a> {
    pub(super) runs: Cow<'a, [(u64, u64)]>,
    /// Numbers that came again.
    pub(super) duplicated: u64,
    /// Numbers that came for the first time after a larger one.
    pub(super) reordered: u64,
}

/// Tidies runs that may come in any order. Those that are tidy already are only looked at.
pub(super) fn tidy(runs: &[(u64, u64)]) -> Tidy<'_> {
    let in_bounds = |(first, last): &(u64, u64)| first <= last && *last <= LARGEST;
    if runs.iter().all(in_bounds) && runs.windows(2).all(|pair| pair[0].1 + 1 < pair[1].0) {
        return Tidy { runs: Cow::Borrowed(runs), duplicated: 0, reordered: 0 };
    }
    let mut seen = Seen::default();
    let (mut duplicated, mut reordered, mut highest) = (0, 0, 0);
    for (first, last) in runs.iter().map(|(first, last)| (*first, (*last).min(LARGEST))).filter(|(first, last)| first <= last) {
        let new = seen.add(first, last);
        duplicated += (last - first + 1) - new.iter().map(count).sum::<u64>();
        let late = |&(first, last): &(u64, u64)| if first < highest { last.min(highest - 1) - first + 1 } else { 0 };
        reordered += new.iter().map(late).sum::<u64>();
        highest = highest.max(last);
    }
    Tidy { runs: Cow::Owned(seen.0.into_iter().collect()), duplicated, reordered }
}

/// How many numbers a run has.
pub(super) fn count((first, last): &(u64, u64)) -> u64 {
    last - first + 1
}

/// The part of a run that is not above a number.
pub(super) fn up_to(limit: u64) -> impl Fn(&(u64, u64)) -> Option<(u64, u64)> {
    move |(first, last)| (*first <= limit).then_some((*first, (*last).min(limit)))
}

/// Numbers seen so far, as disjoint intervals: first to last.
#[derive(Default)]
struct Seen(BTreeMap<u64, u64>);

impl Seen {
    /// Adds an interval and returns the parts of it that are new.
    fn add(&mut self, first: u64, last: u64) -> Vec<(u64, u64)> {
        let mut known = Vec::new();
        let (mut from, mut to) = (first, last);
        let mut next = first;
        // All intervals that touch or overlap the added one are joined with it.
        while let Some((&start, &end)) =
            self.0.range(..=last.saturating_add(1)).next_back().filter(|(_, end)| end.saturating_add(1) >= first)
        {
            self.0.remove(&start);
            from = from.min(start);
            to = to.max(end);
            known.push((start, end));
        }
        let mut fresh = Vec::new();
        for (start, end) in known.into_iter().rev() {
            if start > next {
                fresh.push((next, start - 1));
            }
            next = next.max(end.saturating_add(1));
        }
        if next <= last {
            fresh.push((next, last));
        }
        self.0.insert(from, to);
        fresh
    }
}
