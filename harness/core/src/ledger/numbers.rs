//! A set of line numbers.

use std::collections::BTreeMap;

/// Numbers on a page.
const PAGE: u64 = 4096;
const WORD: u64 = 64;

type Page = [u64; (PAGE / WORD) as usize];

/// A set of numbers, as pages of bits: exact, and one bit for each line of a producer, whatever the order in which its lines
/// come. (As intervals, lines in random order would need hundred times that.)
#[derive(Debug, Clone, Default)]
pub(super) struct Numbers(BTreeMap<u64, Box<Page>>);

/// Page, word and bit of a number.
const fn place(number: u64) -> (u64, usize, u64) {
    (number / PAGE, (number % PAGE / WORD) as usize, 1 << (number % WORD))
}

impl Numbers {
    /// Adds a number; whether it is new.
    pub(super) fn insert(&mut self, number: u64) -> bool {
        let (page, word, bit) = place(number);
        let word = &mut self.0.entry(page).or_insert_with(|| Box::new([0; _]))[word];
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    pub(super) fn remove(&mut self, number: u64) {
        let (page, word, bit) = place(number);
        if let Some(page) = self.0.get_mut(&page) {
            page[word] &= !bit;
        }
    }

    pub(super) fn contains(&self, number: u64) -> bool {
        let (page, word, bit) = place(number);
        self.0.get(&page).is_some_and(|page| page[word] & bit != 0)
    }

    pub(super) fn len(&self) -> u64 {
        self.0.values().flat_map(|page| page.iter()).map(|word| u64::from(word.count_ones())).sum()
    }

    /// The numbers as runs, first and last of each, in ascending order.
    pub(super) fn runs(&self) -> Vec<(u64, u64)> {
        let mut runs: Vec<(u64, u64)> = Vec::new();
        let words = self.0.iter().flat_map(|(page, words)| (page * PAGE..).step_by(WORD as usize).zip(words.iter()));
        for (first, word) in words {
            let mut left = *word;
            while left != 0 {
                let begin = u64::from(left.trailing_zeros());
                let count = u64::from((left >> begin).trailing_ones());
                left &= u64::MAX.checked_shl((begin + count) as u32).unwrap_or(0);
                let run = (first + begin, first + begin + count - 1);
                match runs.last_mut() {
                    Some((_, last)) if *last + 1 == run.0 => *last = run.1,
                    _ => runs.push(run),
                }
            }
        }
        runs
    }
}
