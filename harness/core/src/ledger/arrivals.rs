//! What has arrived of one producer's lines, piece by piece.

use std::collections::BTreeMap;

use super::{numbers::Numbers, parts::Parts};
use crate::{
    evidence::Piece,
    trace::{Delivered, Tag},
};

/// Lines of one producer that may be incomplete at the same time. Of more the oldest is taken for truncated, so that an agent
/// which truncates every line does not fill the memory.
const OPEN: usize = 1024;

/// What has arrived of one producer's lines: bounded by their number, at a bit or two for each, in whatever order they come.
#[derive(Debug, Default)]
pub struct Arrivals {
    /// All lines of which anything came.
    seen: Numbers,
    /// Those of which a part is missing so far.
    open: BTreeMap<u64, Parts>,
    truncated: Numbers,
    damaged: Numbers,
    highest: u64,
    duplicated: u64,
    reordered: u64,
    split: u64,
}

impl Arrivals {
    /// Takes the next piece that came.
    pub fn add(&mut self, piece: &Piece) {
        let seq = piece.seq;
        let new = self.seen.insert(seq);
        if new {
            self.reordered += u64::from(seq < self.highest);
            self.highest = self.highest.max(seq);
        }
        if piece.is_whole() {
            if !new {
                self.duplicated += 1;
                self.is_whole(seq);
            }
        } else if new || self.is_faulty(seq) {
            self.add_part(piece, new);
        } else {
            // A part of a line that is there already.
            self.duplicated += u64::from(piece.headed);
        }
    }

    /// The sum of it all.
    pub fn delivered(mut self, producer: Tag) -> Delivered {
        for seq in self.open.keys() {
            self.truncated.insert(*seq);
        }
        Delivered {
            producer: Some(producer),
            runs: self.seen.runs(),
            damaged: self.damaged.len(),
            duplicated: self.duplicated,
            reordered: self.reordered,
            split: self.split,
            truncated: self.truncated.runs(),
        }
    }

    fn add_part(&mut self, piece: &Piece, new: bool) {
        let seq = piece.seq;
        if piece.damaged {
            self.duplicated += u64::from(!new && piece.headed);
            self.open.remove(&seq);
            self.truncated.remove(seq);
            self.damaged.insert(seq);
            return;
        }
        if self.damaged.contains(seq) || self.truncated.contains(seq) {
            self.duplicated += u64::from(piece.headed);
            return;
        }
        let parts = self.open.entry(seq).or_default();
        self.duplicated += u64::from(parts.add(piece));
        if parts.is_whole() {
            self.open.remove(&seq);
            self.split += 1;
        } else if self.open.len() > OPEN
            && let Some((oldest, _)) = self.open.pop_first()
        {
            self.truncated.insert(oldest);
        }
    }

    fn is_faulty(&self, seq: u64) -> bool {
        self.open.contains_key(&seq) || self.damaged.contains(seq) || self.truncated.contains(seq)
    }

    /// Whatever came of it before, now all of it is there.
    fn is_whole(&mut self, seq: u64) {
        self.open.remove(&seq);
        self.damaged.remove(seq);
        self.truncated.remove(seq);
    }
}
