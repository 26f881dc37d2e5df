//! Lines and pieces of lines in a message.

use super::{
    MAGIC, STOP,
    cells::{self, CELL, Cells, LONGEST},
};
use crate::{evidence::base32, trace::Tag};

/// So much of a message may hold a line's header.
const SHORTEST: usize = 15;
/// So much of the first cell bears a header out: it has the tag.
const BORNE_OUT: usize = 8;

/// What is found of one line in one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// The producer.
    pub tag: Tag,
    /// The line's number.
    pub seq: u64,
    /// The first byte of the payload that is there.
    pub from: u32,
    /// The byte behind the last one that is there.
    pub to: u32,
    /// The length of the line's payload, where the piece tells it: by the header, or by the end of the line.
    pub length: Option<u32>,
    /// Whether it begins with the line's header.
    pub headed: bool,
    /// Whether bytes in the middle were changed.
    pub damaged: bool,
}

impl Piece {
    /// Whether it is a whole line, each byte as it was written.
    pub fn is_whole(&self) -> bool {
        self.headed && !self.damaged && self.length == Some(self.to)
    }
}

/// The lines, and pieces of lines, in a message; see [`pieces`].
#[derive(Debug)]
pub struct Pieces<'a>(&'a [u8]);

/// Finds the lines in a message: as a rule one, several where an agent joined them, none where it is something else.
pub fn pieces(message: &str) -> Pieces<'_> {
    Pieces(message.as_bytes())
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        while self.0.len() >= SHORTEST {
            let (before, line) = self.0.split_at(next_header(self.0));
            if let Some((piece, used)) = headless(before) {
                self.0 = &self.0[used..];
                return Some(piece);
            }
            if let Some((piece, used)) = headed(line) {
                self.0 = &line[used..];
                return Some(piece);
            }
            self.0 = line.get(MAGIC.len()..)?;
        }
        None
    }
}

/// Where the next header begins; the text's length where there is none.
fn next_header(text: &[u8]) -> usize {
    if text.starts_with(MAGIC) { 0 } else { memchr::memmem::find(text, MAGIC).unwrap_or(text.len()) }
}

/// The line that the text begins with, and how many bytes belong to it.
fn headed(text: &[u8]) -> Option<(Piece, usize)> {
    let Header { tag, seq, size, width } = Header::read(text)?;
    let length = size.checked_sub(width).filter(|length| *length > 0)?;
    let payload = &text[width..];
    let mut cells = Cells::of(tag, seq);
    let walk = cells.follow(payload, 0, Some(length));
    let piece = Piece { tag, seq, from: 0, to: walk.to as u32, length: Some(length as u32), headed: true, damaged: false };
    if walk.ended {
        return Some((piece, width + walk.read));
    }
    let rest = &payload[walk.read..];
    let rest = &rest[..next_header(rest)];
    if rest.is_empty() {
        return Some((piece, width + walk.read));
    }
    if walk.to < CELL {
        // The header, or the first cell: what the others say.
        if let Some((other, used)) = headless(&payload[..walk.read + rest.len()]) {
            return Some((Piece { headed: true, damaged: true, ..other }, width + used));
        }
        if walk.to < BORNE_OUT {
            return None;
        }
    }
    let left = length - walk.to;
    // A character that stands for a byte is two bytes longer.
    let stop = [left, left + 2].into_iter().find(|end| rest.get(end - 1) == Some(&STOP));
    let damaged = cells.last_end(rest).or(stop);
    Some((Piece { damaged: damaged.is_some(), ..piece }, width + walk.read + damaged.unwrap_or(0)))
}

/// The first piece without a header in a text that has none, and how many bytes go up to its end.
fn headless(text: &[u8]) -> Option<(Piece, usize)> {
    let cell = |at: usize| Some((at, cells::read(text.get(at..at + CELL)?)?));
    let (at, (tag, seq, index)) = memchr::memchr_iter(b'|', text).find_map(cell)?;
    let mut cells = Cells::of(tag, seq);
    let place = index * CELL;
    let from = place - cells.precede(&text[..at], place);
    let walk = cells.follow(&text[at..], place, None);
    let used = at + walk.read;
    // More of the line behind something that is not.
    let more = cells.last_end(&text[used..]);
    let length = walk.ended.then_some(walk.to as u32);
    let piece = Piece { tag, seq, from: from as u32, to: walk.to as u32, length, headed: false, damaged: more.is_some() };
    Some((piece, used + more.unwrap_or(0)))
}

struct Header {
    tag: Tag,
    seq: u64,
    size: usize,
    /// Its own length, with the space at its end.
    width: usize,
}

impl Header {
    fn read(text: &[u8]) -> Option<Self> {
        let rest = text.strip_prefix(MAGIC)?;
        let tag = base32::read(rest.get(..6)?)?;
        let rest = rest[6..].strip_prefix(b" ")?;
        let (seq, rest) = decimal(rest)?;
        let (size, rest) = decimal(rest)?;
        let size = usize::try_from(size).ok().filter(|size| *size < LONGEST)?;
        Some(Self { tag: Tag(tag as u32), seq, size, width: text.len() - rest.len() })
    }
}

/// The number that the text begins with, and what follows the space behind it.
fn decimal(text: &[u8]) -> Option<(u64, &[u8])> {
    let digits = text.iter().take(12).take_while(|byte| byte.is_ascii_digit()).count();
    let number = text[..digits].iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0'));
    (digits > 0 && number > 0).then_some((number, text[digits..].strip_prefix(b" ")?))
}
