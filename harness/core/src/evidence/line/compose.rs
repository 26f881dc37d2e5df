//! Lines as the witness program writes them, for tests and benchmarks.

use std::io::Write as _;

use super::{INVALID, MAGIC, STOP, cells::CELL};
use crate::{evidence::line::cells::Cells, trace::Tag};

/// Appends a line without its line feed, `size` bytes from `sc2` to its full stop, or as long as its header and one cell are.
pub fn compose(out: &mut Vec<u8>, tag: Tag, seq: u64, size: usize, valid: bool) {
    let begin = out.len();
    let size = size.max(MAGIC.len() + format!("{tag} {seq} {size} ").len() + CELL + 1);
    out.extend_from_slice(MAGIC);
    // A vector takes everything.
    let _ = write!(out, "{tag} {seq} {size} ");
    let end = begin + size - 1;
    let mut cells = Cells::of(tag, seq);
    for index in 0.. {
        let left = end - out.len();
        if left == 0 {
            break;
        }
        let at = out.len();
        out.extend_from_slice(&cells.at(index)[..left.min(CELL)]);
        if !valid && index % INVALID.1 == 0 {
            out[at] = INVALID.0;
        }
    }
    out.push(STOP);
}
