//! Many lines in random order.

use std::collections::BTreeSet;

use proptest::prelude::*;
use sidecheck_core::{evidence::Piece, ledger::Arrivals, trace::Tag};

fn whole(tag: Tag, seq: u64) -> Piece {
    Piece { tag, seq, from: 0, to: 100, length: Some(100), headed: true, damaged: false }
}

proptest! {
    /// Runs over the borders of words and pages of the set.
    #[test]
    fn runs_are_those_of_a_set(begins in proptest::collection::vec((1_u64..20_000, 1_u64..5_000), 0..12)) {
        let tag = Tag::of("r1", "u", "app", 0);
        let mut arrivals = Arrivals::default();
        let mut set = BTreeSet::new();
        let mut again = 0;
        for seq in begins.iter().flat_map(|(begin, count)| *begin..begin + count) {
            arrivals.add(&whole(tag, seq));
            again += u64::from(!set.insert(seq));
        }
        let delivered = arrivals.delivered(tag);
        prop_assert_eq!(delivered.duplicated, again);
        let numbers: Vec<u64> = delivered.runs.iter().flat_map(|(first, last)| *first..=*last).collect();
        prop_assert!(numbers.iter().eq(&set));
        prop_assert!(delivered.runs.windows(2).all(|pair| pair[0].1 + 1 < pair[1].0));
    }
}
