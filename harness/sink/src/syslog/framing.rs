//! Where a message ends on a TCP connection (RFC 6587): counted in front of it, or by a line feed.

use std::io;

use bytes::{Buf as _, Bytes, BytesMut};
use tokio_util::codec::Decoder;

/// The longest message; what is longer is cut.
const LIMIT: usize = 1 << 20;
/// A larger count is no length that anyone meant.
const LARGEST_COUNT: usize = 1 << 30;
/// The digits of the largest count, and the space after them.
const HEADER: usize = 11;

/// One message as it came, without its framing.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) bytes: Bytes,
    /// The end is missing.
    pub(super) cut: bool,
}

/// The framing of one connection.
#[derive(Debug, Default)]
pub(super) struct Framing {
    mode: Mode,
    /// What is left of a message that has been cut.
    skip: Skip,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// The first byte will tell: a digit can only begin a count.
    #[default]
    Unknown,
    Counted,
    Lines,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Skip {
    #[default]
    Nothing,
    Bytes(usize),
    Line,
}

impl Decoder for Framing {
    type Item = Frame;
    type Error = io::Error;

    fn decode(&mut self, buffer: &mut BytesMut) -> Result<Option<Frame>, io::Error> {
        if !self.skipped(buffer) {
            return Ok(None);
        }
        if self.mode == Mode::Unknown {
            match buffer.first() {
                None => return Ok(None),
                Some(b'1'..=b'9') => self.mode = Mode::Counted,
                Some(_) => self.mode = Mode::Lines,
            }
        }
        if self.mode == Mode::Counted {
            match count(buffer) {
                Count::Is { header, length } => return Ok(self.counted(buffer, header, length)),
                Count::Incomplete => return Ok(None),
                // The sender has lost count, or never counted: nothing later can be trusted to be a count.
                Count::Wrong => self.mode = Mode::Lines,
            }
        }
        Ok(self.line(buffer))
    }

    fn decode_eof(&mut self, buffer: &mut BytesMut) -> Result<Option<Frame>, io::Error> {
        if let Some(frame) = self.decode(buffer)? {
            return Ok(Some(frame));
        }
        // The connection ended inside a message. Of one that was cut before, nothing more is kept.
        if self.skip != Skip::Nothing {
            buffer.clear();
        }
        if let (Mode::Counted, Count::Is { header, .. }) = (self.mode, count(buffer)) {
            buffer.advance(header);
        }
        let bytes = buffer.split().freeze();
        Ok((!bytes.is_empty()).then_some(Frame { bytes, cut: true }))
    }
}

impl Framing {
    /// Skips the rest of a cut message; true when it is over.
    fn skipped(&mut self, buffer: &mut BytesMut) -> bool {
        match self.skip {
            Skip::Nothing => return true,
            Skip::Bytes(left) => {
                let here = left.min(buffer.len());
                buffer.advance(here);
                self.skip = if here == left { Skip::Nothing } else { Skip::Bytes(left - here) };
            }
            Skip::Line => match line_feed(buffer) {
                Some(at) => {
                    buffer.advance(at + 1);
                    self.skip = Skip::Nothing;
                }
                None => buffer.clear(),
            },
        }
        self.skip == Skip::Nothing
    }

    fn counted(&mut self, buffer: &mut BytesMut, header: usize, length: usize) -> Option<Frame> {
        let kept = length.min(LIMIT);
        if buffer.len() < header + kept {
            return None;
        }
        buffer.advance(header);
        let bytes = buffer.split_to(kept).freeze();
        if length > kept {
            self.skip = Skip::Bytes(length - kept);
        }
        Some(Frame { bytes, cut: length > kept })
    }

    fn line(&mut self, buffer: &mut BytesMut) -> Option<Frame> {
        match line_feed(buffer) {
            Some(at) if at <= LIMIT => {
                let bytes = buffer.split_to(at).freeze();
                buffer.advance(1);
                Some(Frame { bytes, cut: false })
            }
            None if buffer.len() <= LIMIT => None,
            _ => {
                self.skip = Skip::Line;
                Some(Frame { bytes: buffer.split_to(LIMIT).freeze(), cut: true })
            }
        }
    }
}

enum Count {
    Is { header: usize, length: usize },
    Incomplete,
    Wrong,
}

/// Reads `MSG-LEN SP`.
fn count(buffer: &[u8]) -> Count {
    let digits = buffer.iter().take(HEADER).take_while(|byte| byte.is_ascii_digit()).count();
    match buffer.get(digits) {
        None if digits < HEADER => Count::Incomplete,
        Some(b' ') if digits > 0 => match std::str::from_utf8(&buffer[..digits]).map(str::parse) {
            Ok(Ok(length)) if length <= LARGEST_COUNT => Count::Is { header: digits + 1, length },
            _ => Count::Wrong,
        },
        _ => Count::Wrong,
    }
}

fn line_feed(buffer: &[u8]) -> Option<usize> {
    buffer.iter().position(|byte| *byte == b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes `input` as it arrives in pieces of `piece` bytes, to the end of the connection.
    fn frames(input: &[u8], piece: usize) -> Vec<(String, bool)> {
        let mut framing = Framing::default();
        let mut buffer = BytesMut::new();
        let mut frames = Vec::new();
        let text = |frame: Frame| (String::from_utf8_lossy(&frame.bytes).into_owned(), frame.cut);
        for piece in input.chunks(piece) {
            buffer.extend_from_slice(piece);
            while let Some(frame) = framing.decode(&mut buffer).expect("framing has no errors") {
                frames.push(text(frame));
            }
        }
        while let Some(frame) = framing.decode_eof(&mut buffer).expect("framing has no errors") {
            frames.push(text(frame));
        }
        frames
    }

    fn all_pieces(input: &[u8], expected: &[(&str, bool)]) {
        for piece in 1..=input.len() {
            let got = frames(input, piece);
            let got: Vec<_> = got.iter().map(|(text, cut)| (text.as_str(), *cut)).collect();
            assert_eq!(got, expected, "in pieces of {piece}");
        }
    }

    #[test]
    fn counted_messages_may_hold_line_feeds() {
        all_pieces(b"5 <1>ab4 c\nde10 0123456789", &[("<1>ab", false), ("c\nde", false), ("0123456789", false)]);
    }

    #[test]
    fn lines_may_hold_numbers() {
        all_pieces(b"<1>a\n12 b\n\nc\n", &[("<1>a", false), ("12 b", false), ("", false), ("c", false)]);
    }

    #[test]
    fn a_message_without_its_end_is_cut() {
        all_pieces(b"<1>a\nhalf", &[("<1>a", false), ("half", true)]);
        all_pieces(b"2 ab9 half", &[("ab", false), ("half", true)]);
    }

    #[test]
    fn a_wrong_count_ends_the_trust_in_counts() {
        all_pieces(b"2 abgarbage\n3 abc\n", &[("ab", false), ("garbage", false), ("3 abc", false)]);
        all_pieces(b"99999999999999 a\nb\n", &[("99999999999999 a", false), ("b", false)]);
        all_pieces(b"2024-05-01 a\nb\n", &[("2024-05-01 a", false), ("b", false)]);
    }

    #[test]
    fn what_is_too_long_is_cut_and_the_next_message_is_whole() {
        let long = "x".repeat(LIMIT + 5);
        let kept = ("x".repeat(LIMIT), true);
        let next = ("next".to_owned(), false);
        for piece in [1000, LIMIT, 3 * LIMIT] {
            assert_eq!(frames(format!("{long}\nnext\n").as_bytes(), piece), [kept.clone(), next.clone()]);
            let counted = format!("{} {long}4 next", long.len());
            assert_eq!(frames(counted.as_bytes(), piece), [kept.clone(), next.clone()]);
        }
    }
}
