//! The MSG part of a syslog message.

use syslog_loose::Variant;

use crate::record;

/// What is kept of a message.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Message {
    /// The MSG part; the whole message if it has no header that can be read. White space around MSG is not kept, which is
    /// the parser's way.
    pub(super) text: String,
    /// Bytes had to be replaced.
    pub(super) lossy: bool,
    pub(super) has_header: bool,
}

pub(super) fn read(frame: &[u8]) -> Message {
    let (text, lossy) = record::text(frame);
    let parsed = syslog_loose::parse_message(&text, Variant::Either);
    Message { text: parsed.msg.to_owned(), lossy, has_header: parsed.facility.is_some() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(frame: &str) -> (String, bool) {
        let message = read(frame.as_bytes());
        assert!(!message.lossy);
        (message.text, message.has_header)
    }

    #[test]
    fn headers_of_both_kinds_are_taken_off() {
        let with_header = |text: &str| (text.to_owned(), true);
        assert_eq!(plain("<133>1 2024-05-01T10:00:00.5Z web-0 app - - - sc1 r u c 0 1 abc."), with_header("sc1 r u c 0 1 abc."));
        assert_eq!(plain(r#"<133>1 2024-05-01T10:00:00Z h a 1 id [x@1 k="v ]"] sc1 r"#), with_header("sc1 r"));
        assert_eq!(plain("<13>May  1 10:00:00 host app[12]: sc1 r u"), with_header("sc1 r u"));
    }

    #[test]
    fn what_is_no_syslog_is_kept_as_it_is() {
        for text in ["no header at all", "<999>1 broken", ""] {
            assert_eq!(plain(text), (text.to_owned(), false));
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_flagged() {
        let message = read(b"<13>1 - h a - - - one \xff two");
        assert_eq!(message, Message { text: "one \u{fffd} two".to_owned(), lossy: true, has_header: true });
    }
}
