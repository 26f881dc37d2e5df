//! Rates of loss against values known from tables and other programs.

use rstest::rstest;
use sidecheck_core::rate::{Rate, Settled};

const TENTH: f64 = 0.1;

fn rate(wrong: u64, runs: u64) -> Rate {
    Rate { wrong, runs }
}

#[rstest]
#[case(0, 20, 0.0, 0.1684)]
#[case(5, 10, 0.1871, 0.8129)]
#[case(10, 10, 0.6915, 1.0)]
#[case(3, 10, 0.0667, 0.6525)]
#[case(1, 1, 0.025, 1.0)]
#[case(1, 100, 0.0003, 0.0545)]
#[case(0, 1000, 0.0, 0.0037)]
#[case(0, 0, 0.0, 1.0)]
fn interval_is_that_of_clopper_and_pearson(#[case] wrong: u64, #[case] runs: u64, #[case] low: f64, #[case] high: f64) {
    let interval = rate(wrong, runs).interval();
    let near = |one: f64, other: f64| (one - other).abs() < 0.000_06;
    assert!(near(interval.low, low) && near(interval.high, high), "{interval:?}");
}

#[test]
fn thirty_six_clean_runs_are_the_least_that_bound_a_tenth() {
    assert!(rate(0, 36).interval().high < TENTH);
    assert!(rate(0, 35).interval().high > TENTH);
    assert_eq!(rate(0, 20).would_settle(TENTH), Some(36));
}

#[rstest]
#[case(0, 0, None)]
#[case(0, 35, None)]
#[case(0, 36, Some(Settled::Below))]
#[case(1, 1, None)]
#[case(2, 2, Some(Settled::Above))]
#[case(3, 3, Some(Settled::Above))]
#[case(3, 20, None)]
#[case(1, 100, Some(Settled::Below))]
fn it_is_settled_when_the_whole_interval_lies_on_one_side(
    #[case] wrong: u64,
    #[case] runs: u64,
    #[case] settled: Option<Settled>,
) {
    assert_eq!(rate(wrong, runs).settled(TENTH), settled);
}

#[test]
fn the_short_way_to_settle_is_the_same_as_looking_at_the_interval() {
    for limit in [0.02, TENTH, 0.5] {
        for (runs, wrong) in (0..40).flat_map(|runs| (0..=runs).map(move |wrong| (runs, wrong))) {
            let interval = rate(wrong, runs).interval();
            let expected = match interval {
                _ if interval.low > limit => Some(Settled::Above),
                _ if interval.high < limit => Some(Settled::Below),
                _ => None,
            };
            assert_eq!(rate(wrong, runs).settled(limit), expected, "{wrong} of {runs} against {limit}: {interval:?}");
        }
    }
}

#[test]
fn advice_is_the_number_of_runs_in_all_or_none_that_anybody_could_follow() {
    assert_eq!(rate(3, 3).would_settle(TENTH), Some(3));
    assert_eq!(rate(2, 20).would_settle(TENTH), None, "exactly at the limit");
    assert_eq!(rate(0, 0).would_settle(TENTH), None);
    let needed = rate(3, 20).would_settle(TENTH).expect("half as much again as the limit can be told from it");
    assert!((100..300).contains(&needed), "{needed}");
}

/// Looking after each run, and stopping as soon as it is settled, is wrong more often than the interval alone. How often is what
/// the README says: this is the exact probability, not a sample.
#[rstest]
#[case(0.1, 20, 0.05)]
#[case(0.1, 100, 0.1)]
#[case(0.05, 100, 0.01)]
fn stopping_early_is_seldom_wrong(#[case] true_rate: f64, #[case] most: usize, #[case] bound: f64) {
    let mut open = vec![1.0];
    let mut above = 0.0;
    for runs in 1..=most {
        let mut next = vec![0.0; runs + 1];
        for (wrong, probability) in open.iter().enumerate() {
            next[wrong] += probability * (1.0 - true_rate);
            next[wrong + 1] += probability * true_rate;
        }
        for (wrong, probability) in next.iter_mut().enumerate() {
            match rate(wrong as u64, runs as u64).settled(TENTH) {
                Some(Settled::Above) => above += std::mem::take(probability),
                Some(Settled::Below) => *probability = 0.0,
                None => {}
            }
        }
        open = next;
    }
    assert!(above < bound && above > 0.0, "{above}");
}
