//! The figures of the ledger: ten million lines of a hundred producers in 10 s and 300 MB.
//!
//! `cargo bench -p sidecheck-core --bench ledger`. The store is made while it is read, line by line, and the time of that counts
//! too. Afterwards the memory that the process had at its most is printed, and must be under the limit.

use std::io::{self, BufRead, Read};

use divan::black_box;
use sidecheck_core::{
    evidence::{line::compose, sink},
    ledger::{Count, Ledger},
    trace::{Act, Tag},
};

const LINES: u64 = 10_000_000;
const PRODUCERS: u64 = 100;
const LIMIT_KB: u64 = 300_000;

fn main() {
    divan::main();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse::<u64>().ok());
    let Some(peak) = peak else { return };
    println!("peak memory: {} MB", peak / 1000);
    assert!(peak < LIMIT_KB, "more than {} MB", LIMIT_KB / 1000);
}

/// The lines of each producer in their order, those of all producers mixed, one in a hundred lost.
#[divan::bench(sample_count = 1, sample_size = 1)]
fn mixed() {
    balance(Store::new(100, |n| n));
}

/// The same, with the lines of each producer in random order.
#[divan::bench(sample_count = 1, sample_size = 1)]
fn shuffled() {
    let each = LINES / PRODUCERS;
    // A step without a common factor with the number goes through all of them.
    balance(Store::new(100, move |n| n * 38_501 % each));
}

/// Every other line is lost: as many gaps as there can be.
#[divan::bench(sample_count = 1, sample_size = 1)]
fn gaps() {
    balance(Store::new(2, |n| n));
}

fn balance<F: Fn(u64) -> u64>(store: Store<F>) {
    let lost = LINES / store.lost;
    let events = sink::read("n1", store);
    let delivered =
        events.iter().filter_map(|event| if let Act::Delivered(delivered) = &event.act { Some(delivered) } else { None });
    let ledgers: Vec<Ledger> = delivered.map(|one| Ledger::balance(Count::of(LINES / PRODUCERS), one)).collect();
    assert_eq!(ledgers.len() as u64, PRODUCERS);
    assert_eq!(ledgers.iter().map(|ledger| ledger.arrived + ledger.lost()).sum::<u64>(), LINES);
    assert_eq!(ledgers.iter().map(Ledger::lost).sum::<u64>(), lost);
    black_box(ledgers);
}

/// The text of a store, made as it is read.
struct Store<F> {
    /// One in so many lines is lost.
    lost: u64,
    order: F,
    tags: Vec<Tag>,
    next: u64,
    line: Vec<u8>,
    read: usize,
}

impl<F: Fn(u64) -> u64> Store<F> {
    fn new(lost: u64, order: F) -> Self {
        let tags = (0..PRODUCERS).map(|n| Tag::of("r1", &format!("uid-{n}"), "app", 0)).collect();
        Self { lost, order, tags, next: 0, line: Vec::new(), read: 0 }
    }

    fn fill(&mut self) {
        self.line.clear();
        self.read = 0;
        while self.next < LINES && self.line.len() < 64 << 10 {
            let (seq, producer) = ((self.order)(self.next / PRODUCERS), self.next * 37 % PRODUCERS);
            self.next += 1;
            if seq % self.lost == self.lost / 2 {
                continue;
            }
            self.line.extend_from_slice(br#"{"received_ns":1796067014756979260,"from":"10.244.0.17:41234","message":""#);
            compose(&mut self.line, self.tags[producer as usize], seq + 1, 119, true);
            self.line.extend_from_slice(b"\"}\n");
        }
    }
}

impl<F: Fn(u64) -> u64> BufRead for Store<F> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read == self.line.len() {
            self.fill();
        }
        Ok(&self.line[self.read..])
    }

    fn consume(&mut self, amount: usize) {
        self.read += amount;
    }
}

impl<F: Fn(u64) -> u64> Read for Store<F> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut have = self.fill_buf()?;
        let read = have.read(into)?;
        self.consume(read);
        Ok(read)
    }
}
