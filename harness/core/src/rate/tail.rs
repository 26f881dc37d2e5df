//! The tails of the binomial distribution, summed term by term: exact enough for the thousands of runs that there may be.

/// The probability that at most so many of the runs go wrong, each with that rate.
pub(super) fn at_most(wrong: u64, runs: u64, rate: f64) -> f64 {
    terms(runs, rate).take(wrong as usize + 1).sum()
}

/// The probability that at least so many of the runs go wrong, each with that rate.
pub(super) fn at_least(wrong: u64, runs: u64, rate: f64) -> f64 {
    // From the other end, so that a small tail is no small difference of large sums.
    at_most(runs.saturating_sub(wrong), runs, 1.0 - rate)
}

/// The probabilities of 0, 1, 2, ... runs that go wrong. In logarithms: the factors are too large and too small for a double.
fn terms(runs: u64, rate: f64) -> impl Iterator<Item = f64> {
    let (wrong, right) = (rate.ln(), (-rate).ln_1p());
    let ways = (0..=runs).scan(0.0, move |ways: &mut f64, number| {
        if number > 0 {
            *ways += ((runs - number + 1) as f64 / number as f64).ln();
        }
        Some((number as f64, *ways))
    });
    ways.map(move |(number, ways)| (ways + number * wrong + (runs as f64 - number) * right).exp())
}
