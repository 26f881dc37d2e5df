//! The payload of a line: cells that say which line they belong to, and where.

use super::{INVALID, STOP};
use crate::{evidence::base32, trace::Tag};

/// The length of a cell, `|tttttt-sssssss-iiii`.
pub(super) const CELL: usize = 20;
/// What all cells of a line have in common, from their first byte on.
const COMMON: usize = 16;
/// A payload that its four digits of an index reach.
pub(super) const LONGEST: usize = CELL << 20;
/// What stands for a byte that is no UTF-8. JSON allows both cases.
const FORMS: [&[u8]; 3] = ["\u{fffd}".as_bytes(), br"\ufffd", br"\uFFFD"];

/// The cells of one line.
pub(super) struct Cells([u8; CELL]);

/// How far a text agrees with a payload.
pub(super) struct Walk {
    /// Bytes of the text that were read.
    pub(super) read: usize,
    /// The place in the payload that was reached.
    pub(super) to: usize,
    /// Whether that is the payload's end.
    pub(super) ended: bool,
}

impl Cells {
    pub(super) fn of(tag: Tag, seq: u64) -> Self {
        let mut cell = *b"|tttttt-sssssss-iiii";
        base32::write(u64::from(tag.0), &mut cell[1..7]);
        base32::write(seq, &mut cell[8..15]);
        Self(cell)
    }

    pub(super) fn at(&mut self, index: usize) -> &[u8; CELL] {
        base32::write(index as u64, &mut self.0[COMMON..]);
        &self.0
    }

    /// How far the text agrees with the payload from a place on; `length`, where it is known, is the whole payload's.
    pub(super) fn follow(&mut self, text: &[u8], from: usize, length: Option<usize>) -> Walk {
        let stop = length.map_or(LONGEST, |length| length - 1);
        let (mut to, mut read, mut valid) = (from, 0, None);
        while to < stop {
            let (index, within) = (to / CELL, to % CELL);
            let have = &text[read..];
            if within == 0 && index.is_multiple_of(INVALID.1) && !have.is_empty() {
                let width = if have[0] == b'|' { None } else { replacement(have, <[u8]>::starts_with) };
                // All such cells of a line begin in the same way.
                if *valid.get_or_insert(width.is_none()) != width.is_none() {
                    break;
                }
                if let Some(width) = width {
                    (to, read) = (to + 1, read + width);
                    continue;
                }
            }
            let want = &self.at(index)[within..CELL.min(within + stop - to)];
            let same = if have.starts_with(want) { want.len() } else { alike(want, have) };
            (to, read) = (to + same, read + same);
            if same < want.len() {
                break;
            }
        }
        let ended = text.get(read) == Some(&STOP) && length.is_none_or(|_| to == stop);
        Walk { read: read + usize::from(ended), to: to + usize::from(ended), ended }
    }

    /// How many bytes of the payload stand at the text's end that come before a place.
    pub(super) fn precede(&mut self, mut text: &[u8], place: usize) -> usize {
        let mut before = 0;
        while before < place {
            let at = place - before - 1;
            let width = if text.last() == Some(&self.at(at / CELL)[at % CELL]) {
                1
            } else if let (0, Some(width)) = (at % (CELL * INVALID.1), replacement(text, <[u8]>::ends_with)) {
                width
            } else {
                break;
            };
            text = &text[..text.len() - width];
            before += 1;
        }
        before
    }

    /// Where the last whole cell of this line ends in a text.
    pub(super) fn last_end(&self, text: &[u8]) -> Option<usize> {
        let whole = |at: usize| read(text.get(at..at + CELL)?).map(|_| at + CELL);
        memchr::memmem::rfind_iter(text, &self.0[..COMMON]).find_map(whole)
    }
}

/// The line and the place in it that a cell tells.
pub(super) fn read(cell: &[u8]) -> Option<(Tag, u64, usize)> {
    if cell[7] != b'-' || cell[15] != b'-' {
        return None;
    }
    let (tag, seq, index) = (base32::read(&cell[1..7])?, base32::read(&cell[8..15])?, base32::read(&cell[16..])?);
    Some((Tag(tag as u32), seq, index as usize))
}

/// The width of what stands for a byte that is no UTF-8, where the text begins or ends with it.
fn replacement(text: &[u8], has: fn(&[u8], &[u8]) -> bool) -> Option<usize> {
    FORMS.into_iter().find(|form| has(text, form)).map(<[u8]>::len)
}

fn alike(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
