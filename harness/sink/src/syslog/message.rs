//! The MSG part of a syslog message.

use syslog_loose::Variant;

use crate::record;

/// The MSG part and whether bytes of it had to be replaced. What has no header that can be read is a message as a whole.
/// White space around MSG is not kept, which is the parser's way.
pub(super) fn text(frame: &[u8]) -> (String, bool) {
    let (text, lossy) = record::text(frame);
    (syslog_loose::parse_message(&text, Variant::Either).msg.to_owned(), lossy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(frame: &str) -> String {
        let (message, lossy) = text(frame.as_bytes());
        assert!(!lossy);
        message
    }

    #[test]
    fn headers_of_both_kinds_are_taken_off() {
        assert_eq!(plain("<133>1 2024-05-01T10:00:00.5Z web-0 app - - - sc1 r u c 0 1 abc."), "sc1 r u c 0 1 abc.");
        assert_eq!(plain(r#"<133>1 2024-05-01T10:00:00Z h a 1 id [x@1 k="v ]"] sc1 r"#), "sc1 r");
        assert_eq!(plain("<13>May  1 10:00:00 host app[12]: sc1 r u"), "sc1 r u");
    }

    #[test]
    fn what_is_no_syslog_is_kept_as_it_is() {
        assert_eq!(plain("no header at all"), "no header at all");
        assert_eq!(plain("<999>1 broken"), "<999>1 broken");
        assert_eq!(plain(""), "");
    }

    #[test]
    fn bytes_that_are_no_text_are_flagged() {
        assert_eq!(text(b"<13>1 - h a - - - one \xff two"), ("one \u{fffd} two".to_owned(), true));
    }
}
