//! What a line looks like. The format is described, and read, in `harness/core/src/evidence/line/`; the samples there are the
//! tests of both.

use std::io::Write as _;

use crate::args::Shape;
use crate::identity::Identity;

const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// `|tttttt-sssssss-iiii`.
const CELL: usize = 20;
/// In lines that are no UTF-8, every so many cells begin with this.
const INVALID: (u8, usize) = (0xff, 3);
/// Before the lines of a stack trace but its first.
const INDENT: &[u8] = b"\tat ";

/// Composes the lines of one incarnation.
#[derive(Debug)]
pub(super) struct Format {
    tag: [u8; 6],
    shape: Shape,
    /// How many sizes there are, each twice the one before.
    sizes: u64,
}

impl Format {
    pub(super) fn of(identity: &Identity, incarnation: u64, shape: Shape) -> Self {
        let name = format!("{}/{}/{}/{incarnation}", identity.run, identity.uid, identity.container);
        // FNV-1a, folded to 30 bits.
        let hash =
            name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let mut tag = [0; 6];
        base32(hash ^ (hash >> 30) ^ (hash >> 60), &mut tag);
        let sizes = (0..64).take_while(|n| shape.size.0 << n < shape.size.1).count() as u64 + 1;
        Format { tag, shape, sizes }
    }

    pub(super) fn tag(&self) -> String {
        self.tag.iter().map(|digit| char::from(*digit)).collect()
    }

    /// Lines that belong together.
    pub(super) fn record(&self) -> u64 {
        self.shape.stack_traces.unwrap_or(1)
    }

    /// Appends a line with its line feed.
    pub(super) fn line(&self, out: &mut Vec<u8>, seq: u64) {
        let indent = if (seq - 1).is_multiple_of(self.record()) { &[] } else { INDENT };
        let size = (self.shape.size.0 << ((seq - 1) % self.sizes)).min(self.shape.size.1) as usize;
        out.extend_from_slice(indent);
        let begin = out.len();
        // The smallest size has room for the longest header and a cell.
        let size = size - indent.len() - 1;
        // A vector takes everything.
        let _ = write!(out, "sc2 {} {seq} {size} ", self.tag());
        self.payload(out, seq, begin + size - 1);
        out.extend_from_slice(b".\n");
    }

    /// Cells up to a length of the whole text.
    fn payload(&self, out: &mut Vec<u8>, seq: u64, end: usize) {
        let mut cell = *b"|tttttt-sssssss-iiii";
        cell[1..7].copy_from_slice(&self.tag);
        base32(seq, &mut cell[8..15]);
        for index in 0_usize.. {
            let left = end.saturating_sub(out.len());
            if left == 0 {
                return;
            }
            base32(index as u64, &mut cell[16..]);
            cell[0] = if self.shape.invalid_utf8 && index.is_multiple_of(INVALID.1) { INVALID.0 } else { b'|' };
            out.extend_from_slice(&cell[..left.min(CELL)]);
        }
    }
}

fn base32(mut number: u64, digits: &mut [u8]) {
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(number & 31) as usize];
        number >>= 5;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(shape: Shape, seqs: impl IntoIterator<Item = u64>) -> Vec<u8> {
        let identity = Identity {
            pod: "web-0".to_owned(),
            uid: "4f3c7a52-6d0b-4f6e-a7c4-0f7f0e5f3f0a".to_owned(),
            container: "app".to_owned(),
            run: "20261130-193000-4f2a".to_owned(),
            evidence: "/sidecheck".into(),
        };
        let format = Format::of(&identity, 2, shape);
        let mut text = Vec::new();
        for seq in seqs {
            format.line(&mut text, seq);
        }
        text
    }

    /// The samples that core reads, made by neither of the two.
    #[test]
    fn lines_are_those_of_the_samples() {
        let sizes = Shape { size: (60, 1000), ..Shape::default() };
        assert_eq!(lines(sizes, 1..=8), include_bytes!("../../../core/tests/samples/lines/sizes.txt"));
        let large = [34_359_738_367, 123_456_789];
        assert_eq!(lines(Shape::default(), large), include_bytes!("../../../core/tests/samples/lines/numbers.txt"));
        let invalid = Shape { invalid_utf8: true, ..Shape::default() };
        assert_eq!(lines(invalid, 1..=3), include_bytes!("../../../core/tests/samples/lines/invalid-utf8.txt"));
        let traces = Shape { stack_traces: Some(3), ..Shape::default() };
        assert_eq!(lines(traces, 1..=6), include_bytes!("../../../core/tests/samples/lines/stack-traces.txt"));
    }

    #[test]
    fn a_line_has_the_size_that_was_asked_for() {
        for size in [60, 61, 79, 120, 16 << 10, 1 << 20] {
            for shape in [Shape::default(), Shape { stack_traces: Some(2), ..Shape::default() }] {
                assert_eq!(lines(Shape { size: (size, size), ..shape }, [2]).len() as u64, size);
            }
        }
    }
}
