//! A line that comes in pieces.

use crate::evidence::Piece;

/// What has come of one line so far.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// Disjoint ranges of its payload, in ascending order.
    ranges: Vec<(u32, u32)>,
    length: Option<u32>,
    headed: bool,
}

impl Parts {
    /// Adds a piece; whether the header has come for a second time.
    pub(super) fn add(&mut self, piece: &Piece) -> bool {
        let again = self.headed && piece.headed;
        self.headed |= piece.headed;
        self.length = self.length.or(piece.length);
        let (mut from, mut to) = (piece.from, piece.to);
        self.ranges.retain(|range| {
            let apart = range.1 < from || range.0 > to;
            if !apart {
                (from, to) = (from.min(range.0), to.max(range.1));
            }
            apart
        });
        let at = self.ranges.partition_point(|range| range.0 < from);
        self.ranges.insert(at, (from, to));
        again
    }

    /// Whether all of the line is there.
    pub(super) fn is_whole(&self) -> bool {
        self.headed && self.length.is_some_and(|length| self.ranges == [(0, length)])
    }
}
