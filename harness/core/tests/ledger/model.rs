//! The ledger against the plain way: one arrival after the other, in a list.

use proptest::prelude::*;
use rstest::rstest;
use sidecheck_core::{
    evidence::line::{compose, pieces},
    ledger::{Arrivals, Count, Ledger},
    trace::{Delivered, Tag},
};

/// How a line may come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Whole,
    Changed,
    Head,
    Tail,
}

/// What is known of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Absent,
    Whole,
    Changed,
    Open(Kind),
}

fn tag() -> Tag {
    Tag::of("r1", "u", "app", 0)
}

fn message(seq: u64, kind: Kind) -> String {
    let mut line = Vec::new();
    compose(&mut line, tag(), seq, 300, true);
    let line = String::from_utf8(line).expect("must be ASCII");
    match kind {
        Kind::Whole => line,
        Kind::Changed => format!("{}#{}", &line[..150], &line[151..]),
        Kind::Head => line[..170].to_owned(),
        Kind::Tail => line[170..].to_owned(),
    }
}

/// The ledger, by hand.
fn naive(Count { written: counted, begun }: Count, arrivals: &[(u64, Kind)]) -> Ledger {
    let mut lines = [State::Absent; 100];
    let mut highest = 0;
    let (mut duplicated, mut reordered, mut split) = (0, 0, 0);
    for (seq, kind) in arrivals {
        let line = &mut lines[*seq as usize];
        if *line == State::Absent {
            reordered += u64::from(*seq < highest);
            highest = highest.max(*seq);
        } else {
            // Its beginning has come before.
            duplicated += u64::from(match kind {
                Kind::Whole | Kind::Changed => true,
                Kind::Head => *line != State::Open(Kind::Tail),
                Kind::Tail => false,
            });
        }
        *line = match (*line, *kind) {
            (State::Whole, _) | (_, Kind::Whole) => State::Whole,
            (State::Changed, _) | (_, Kind::Changed) => State::Changed,
            (State::Open(had), now) if had != now => {
                split += 1;
                State::Whole
            }
            (_, now) => State::Open(now),
        };
    }
    let numbers = |wanted: &dyn Fn(&State) -> bool, limit: u64| -> Vec<u64> {
        (1..=limit).filter(|n| lines.get(*n as usize).is_some_and(wanted)).collect()
    };
    let here = |line: &State| *line != State::Absent;
    let written = counted.max(numbers(&here, begun.max(counted)).into_iter().max().unwrap_or(0));
    let arrived = numbers(&here, written);
    let last = arrived.last().copied().unwrap_or(0);
    let truncated = numbers(&|line| matches!(line, State::Open(_)), counted);
    Ledger {
        written,
        in_flight: begun.max(written) - written,
        arrived: arrived.len() as u64,
        lost_tail: written - last,
        gaps: runs(&(1..last).filter(|n| lines[*n as usize] == State::Absent).collect::<Vec<_>>()),
        duplicated,
        reordered,
        truncated: runs(&truncated),
        split,
        damaged: lines.iter().filter(|line| **line == State::Changed).count() as u64,
        uncounted: lines.iter().skip(written as usize + 1).filter(|line| here(line)).count() as u64,
    }
}

fn runs(numbers: &[u64]) -> Vec<(u64, u64)> {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for n in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *n => *last = *n,
            _ => runs.push((*n, *n)),
        }
    }
    runs
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![6 => Just(Kind::Whole), 1 => Just(Kind::Changed), 2 => Just(Kind::Head), 2 => Just(Kind::Tail)]
}

proptest! {
    #[test]
    fn pieces_are_balanced_as_by_hand(
        written in 0_u64..40, arrivals in proptest::collection::vec((1_u64..50, kind()), 0..80),
    ) {
        let mut sum = Arrivals::default();
        for (seq, kind) in &arrivals {
            pieces(&message(*seq, *kind)).for_each(|piece| sum.add(&piece));
        }
        let count = Count::of(written);
        let ledger = Ledger::balance(count, &sum.delivered(tag()));
        prop_assert_eq!(&ledger, &naive(count, &arrivals));
        prop_assert_eq!(ledger.arrived + ledger.lost(), written);
        prop_assert_eq!(ledger.is_whole(), ledger.lost() == 0 && ledger.told(None).contains("arrived"));
    }

    /// A producer that was killed while it wrote.
    #[test]
    fn lines_in_flight_are_neither_lost_nor_uncounted(
        written in 0_u64..40, more in 0_u64..10, seqs in proptest::collection::vec(1_u64..50, 0..60),
    ) {
        let arrivals: Vec<(u64, Kind)> = seqs.iter().map(|seq| (*seq, Kind::Whole)).collect();
        let delivered = Delivered { runs: seqs.iter().map(|seq| (*seq, *seq)).collect(), ..Delivered::default() };
        let count = Count { written, begun: written + more };
        // In the order of arrival, as traces of rules 2 have them.
        prop_assert_eq!(Ledger::balance(count, &delivered), naive(count, &arrivals));
    }
}

#[rstest]
#[case(10, &[(1, 10)], (10, 0, 0, 0, 0))]
#[case(10, &[(4, 6), (1, 3), (5, 10)], (10, 0, 2, 3, 0))]
#[case(10, &[(1, 2), (9, 9)], (3, 1, 0, 0, 0))]
#[case(10, &[(9, 12)], (2, 0, 0, 0, 2))]
#[case(0, &[], (0, 0, 0, 0, 0))]
#[case(3, &[(0, 3)], (3, 0, 0, 0, 1))]
#[case::damaged_trace(3, &[(2, u64::MAX), (9, 4)], (2, 0, 0, 0, (1 << 40) - 3))]
fn runs_are_balanced(#[case] written: u64, #[case] runs: &[(u64, u64)], #[case] sums: (u64, u64, u64, u64, u64)) {
    let ledger = Ledger::balance(Count::of(written), &Delivered { runs: runs.to_vec(), ..Delivered::default() });
    let Ledger { arrived, lost_tail, duplicated, reordered, uncounted, .. } = ledger.clone();
    assert_eq!((arrived, lost_tail, duplicated, reordered, uncounted), sums, "{ledger:?}");
    assert_eq!(ledger.arrived + ledger.lost(), written);
}

#[test]
fn a_line_that_its_writer_died_in_is_no_fault_of_the_agent() {
    let delivered = Delivered { runs: vec![(1, 11)], truncated: vec![(11, 11)], ..Delivered::default() };
    let ledger = Ledger::balance(Count { written: 10, begun: 20 }, &delivered);
    assert!(ledger.is_whole() && ledger.in_flight == 9, "{ledger:?}");
    assert!(!Ledger::balance(Count::of(11), &delivered).is_whole());
}
