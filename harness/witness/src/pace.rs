//! Doing something at a steady pace.

use std::time::{Duration, Instant};

/// A series of instants with a fixed distance. Late ones are skipped rather than made up for in a burst.
#[derive(Debug)]
pub(crate) struct Pace {
    every: Duration,
    next: Instant,
}

impl Pace {
    /// The first instant is `now`.
    pub(crate) fn new(every: Duration, now: Instant) -> Self {
        Pace { every, next: now }
    }

    /// When the next turn is.
    pub(crate) fn next(&self) -> Instant {
        self.next
    }

    /// The turn was taken at `now`.
    pub(crate) fn taken(&mut self, now: Instant) {
        self.next = (self.next + self.every).max(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_its_distance_and_makes_no_bursts() {
        let start = Instant::now();
        let ms = Duration::from_millis;
        let mut pace = Pace::new(ms(10), start);
        pace.taken(start + ms(3));
        assert_eq!(pace.next(), start + ms(10));
        pace.taken(start + ms(95));
        assert_eq!(pace.next(), start + ms(95));
    }
}
