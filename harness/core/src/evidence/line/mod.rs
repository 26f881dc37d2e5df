//! The lines that producers write, and what is found of them in messages. This is the one description of their format; the
//! witness program writes it, and `tests/samples/lines/` has samples that both are tested with.
//!
//! ```text
//! sc2 <tag> <seq> <size> |<tag>-<seq>-<index>|<tag>-<seq>-<index>|<tag>-<se.
//! ```
//! - `tag`: the producer, see [`Tag`]: 6 digits in base 32 (digits and small letters without i, l, o and u).
//! - `seq`: the line's number, in decimal, from 1.
//! - `size`: its length in bytes from `sc2` to the full stop, in decimal. With the line feed that ends it, and whatever stands
//!   before `sc2`, it is the size that a scenario asks for; never less than 60, since a line has one whole cell at least.
//! - Then the payload: cells of 20 bytes, in which `seq` has 7 and `index`, from 0, has 4 digits in base 32. The last one is cut
//!   where the size demands it, and a full stop follows, the only one of the line.
//!
//! A piece of a line that has no header tells by any whole cell of its own which line it is a piece of, and which one: 39 bytes
//! are enough (59 in lines that are no UTF-8). Each byte is known in advance, so that a line which lost its end, came in pieces or was changed can be told
//! from a whole one, and no count depends on what arrived.
//!
//! Variants: a line of a stack trace but the first has `\tat ` before `sc2`, and is numbered like all others, so that an agent
//! which joins the lines of a trace to one message, and one which doesn't, are held to the same count. In lines that are no
//! UTF-8, the `|` of every third cell, beginning with the first, is the byte 0xFF. What agents and the sink make of it, U+FFFD
//! or its JSON escape, is taken for it.
//!
//! Agents may put something before and behind a line or a piece, escape it for JSON, and leave its line feed on: none of the
//! characters of a line needs an escape. A changed byte at the very end of a line, or in its header,
//! can't always be told from a missing end, or a missing header: the line counts as truncated, where damaged would be right.

mod cells;
mod compose;
mod read;

pub use compose::compose;
pub use read::{Piece, Pieces, pieces};

#[cfg(doc)]
use crate::trace::Tag;

/// What a line begins with.
const MAGIC: &[u8] = b"sc2 ";
/// What ends a line.
const STOP: u8 = b'.';
/// In place of a cell's first byte in lines that are no UTF-8, in every so many cells.
const INVALID: (u8, usize) = (0xff, 3);
