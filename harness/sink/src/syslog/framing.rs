//! Where a message ends on a TCP connection (RFC 6587): counted in front of it, or by a line feed.

use bytes::{Buf as _, Bytes, BytesMut};

use crate::record::MESSAGE_LIMIT;

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
    /// So many bytes at the front of the buffer are known to hold no line feed.
    searched: usize,
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

impl Framing {
    /// Takes the next message that is complete, or cut because it is too long.
    pub(super) fn next(&mut self, buffer: &mut BytesMut) -> Option<Frame> {
        if !self.skipped(buffer) {
            return None;
        }
        if self.mode == Mode::Unknown {
            match buffer.first() {
                None => return None,
                Some(b'1'..=b'9') => self.mode = Mode::Counted,
                Some(_) => self.mode = Mode::Lines,
            }
        }
        if self.mode == Mode::Counted {
            match count(buffer) {
                Count::Is { header, length } => return self.counted(buffer, header, length),
                Count::Incomplete => return None,
                // The sender has lost count, or never counted: nothing later can be trusted to be a count.
                Count::Wrong => self.mode = Mode::Lines,
            }
        }
        self.line(buffer)
    }

    /// What is left when the connection has ended inside a message. Of one that was cut before, nothing more is kept.
    pub(super) fn rest(&mut self, buffer: &mut BytesMut) -> Option<Frame> {
        if self.skip != Skip::Nothing {
            buffer.clear();
        }
        if let (Mode::Counted, Count::Is { header, .. }) = (self.mode, count(buffer)) {
            buffer.advance(header);
        }
        let bytes = buffer.split().freeze();
        (!bytes.is_empty()).then_some(Frame { bytes, cut: true })
    }

    /// Skips the rest of a cut message; true when it is over.
    fn skipped(&mut self, buffer: &mut BytesMut) -> bool {
        match self.skip {
            Skip::Nothing => return true,
            Skip::Bytes(left) => {
                let here = left.min(buffer.len());
                buffer.advance(here);
                self.skip = if here == left { Skip::Nothing } else { Skip::Bytes(left - here) };
            }
            Skip::Line => match memchr::memchr(b'\n', buffer) {
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
        let kept = length.min(MESSAGE_LIMIT);
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
        let searched = std::mem::take(&mut self.searched);
        match memchr::memchr(b'\n', &buffer[searched..]).map(|at| searched + at) {
            Some(at) if at <= MESSAGE_LIMIT => {
                let bytes = buffer.split_to(at).freeze();
                buffer.advance(1);
                Some(Frame { bytes, cut: false })
            }
            None if buffer.len() <= MESSAGE_LIMIT => {
                self.searched = buffer.len();
                None
            }
            _ => {
                self.skip = Skip::Line;
                Some(Frame { bytes: buffer.split_to(MESSAGE_LIMIT).freeze(), cut: true })
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

#[cfg(test)]
mod tests;
