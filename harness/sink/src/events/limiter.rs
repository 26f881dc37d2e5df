//! How often a sender is reported: at once when it begins, then with counts.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use super::Trouble;
use crate::protocol::{Origin, Protocol};

/// Within this time after a report the same is only counted.
const WINDOW: Duration = Duration::from_secs(10);
/// Kinds of trouble by sender that are told apart; the addresses of more senders than that are left out.
const TOLD_APART: usize = 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    from: IpAddr,
    protocol: Protocol,
    trouble: Trouble,
}

#[derive(Debug)]
struct Seen {
    reported: Instant,
    /// Since then.
    held: u64,
    /// The last one.
    from: SocketAddr,
    what: String,
}

/// What is to be reported now.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Report {
    pub(super) protocol: Protocol,
    pub(super) from: SocketAddr,
    pub(super) trouble: Trouble,
    pub(super) what: String,
    pub(super) count: u64,
}

#[derive(Debug, Default)]
pub(super) struct Limiter(HashMap<Key, Seen>);

impl Limiter {
    /// One more; a report when it is the first in its window.
    pub(super) fn add(&mut self, origin: Origin, trouble: Trouble, what: String, now: Instant) -> Option<Report> {
        let Origin { protocol, mut from } = origin;
        let mut key = Key { from: from.ip(), protocol, trouble };
        if self.0.len() >= TOLD_APART && !self.0.contains_key(&key) {
            from = (Ipv4Addr::UNSPECIFIED, 0).into();
            key.from = from.ip();
        }
        if let Some(seen) = self.0.get_mut(&key) {
            *seen = Seen { reported: seen.reported, held: seen.held + 1, from, what };
            return None;
        }
        self.0.insert(key, Seen { reported: now, held: 0, from, what: what.clone() });
        Some(Report { protocol, from, trouble, what, count: 1 })
    }

    /// What has been counted in windows that are over.
    pub(super) fn due(&mut self, now: Instant) -> Vec<Report> {
        let mut reports = Vec::new();
        self.0.retain(|key, seen| {
            if now.saturating_duration_since(seen.reported) < WINDOW {
                return true;
            }
            let again = seen.held > 0;
            reports.extend(seen.report(*key));
            seen.reported = now;
            again
        });
        reports
    }

    /// What has been counted and not reported.
    pub(super) fn rest(&mut self) -> Vec<Report> {
        self.0.drain().filter_map(|(key, mut seen)| seen.report(key)).collect()
    }
}

impl Seen {
    fn report(&mut self, Key { protocol, trouble, .. }: Key) -> Option<Report> {
        let count = std::mem::take(&mut self.held);
        (count > 0).then(|| Report { protocol, from: self.from, trouble, what: self.what.clone(), count })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(host: u16) -> Origin {
        let [high, low] = host.to_be_bytes();
        Origin { protocol: Protocol::SyslogTcp, from: ([10, 0, high, low], 9).into() }
    }

    #[test]
    fn the_first_is_reported_and_the_others_are_counted() {
        let mut limiter = Limiter::default();
        let begin = Instant::now();
        let add = |limiter: &mut Limiter, trouble| limiter.add(from(1), trouble, "x".to_owned(), begin).map(|it| it.count);
        assert_eq!(add(&mut limiter, Trouble::TooLong), Some(1));
        assert_eq!(add(&mut limiter, Trouble::TooLong), None);
        assert_eq!(add(&mut limiter, Trouble::Malformed), Some(1));
        assert_eq!(add(&mut limiter, Trouble::TooLong), None);
        assert_eq!(limiter.due(begin + WINDOW / 2), []);
        let due = limiter.due(begin + WINDOW);
        assert_eq!(due.iter().map(|it| (it.trouble, it.count)).collect::<Vec<_>>(), [(Trouble::TooLong, 2)]);
        assert_eq!(limiter.due(begin + 2 * WINDOW), []);
        assert_eq!(add(&mut limiter, Trouble::TooLong), Some(1), "after a quiet window it is news again");
    }

    #[test]
    fn what_was_held_back_is_not_forgotten() {
        let mut limiter = Limiter::default();
        for _ in 0..5 {
            limiter.add(from(1), Trouble::Stalled, "x".to_owned(), Instant::now());
        }
        assert_eq!(limiter.rest().iter().map(|it| it.count).collect::<Vec<_>>(), [4]);
        assert_eq!(limiter.rest(), []);
    }

    #[test]
    fn many_senders_take_no_more_room() {
        let mut limiter = Limiter::default();
        let reports = (0..3000).filter_map(|host| limiter.add(from(host), Trouble::Malformed, "x".to_owned(), Instant::now()));
        let last = reports.last().expect("the first of them at least");
        assert!(last.from.ip().is_unspecified());
        assert_eq!(limiter.0.len(), TOLD_APART + 1);
    }
}
