//! The lines that producers write: `sc1 <run> <uid> <container> <incarnation> <seq> <payload>`.

/// The length of a line with its line feed, where the identity leaves room for it.
const LENGTH: usize = 120;
/// The shortest payload.
const PAYLOAD: usize = 8;

/// One line of a producer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<'a> {
    /// The run.
    pub run: &'a str,
    /// The producer's pod.
    pub uid: &'a str,
    /// The producer.
    pub container: &'a str,
    /// Its incarnation.
    pub incarnation: u32,
    /// The line's number, from 1.
    pub seq: u64,
    /// Whether the payload is what was written: letters that fill the line up to its length, and a full stop at the end.
    pub whole: bool,
}

impl<'a> Line<'a> {
    /// Finds a line in a message; agents may put something in front of it. `None` where there is none.
    pub fn find(message: &'a str) -> Option<Self> {
        let text = &message[message.find("sc1 ")?..];
        let mut fields = text.splitn(7, ' ').skip(1);
        let (run, uid, container) = (fields.next()?, fields.next()?, fields.next()?);
        let incarnation = fields.next()?.parse().ok()?;
        let seq = fields.next()?.parse().ok()?;
        // Some agents leave the line feed on.
        let payload = fields.next().map(|payload| payload.strip_suffix('\n').unwrap_or(payload));
        let whole = payload.is_some_and(|payload| {
            let header = text.len() - fields_len(text, 6);
            let room = LENGTH.saturating_sub(header + 1).max(PAYLOAD);
            payload.len() == room && payload.chars().eq(('a'..='z').cycle().take(room - 1).chain(['.']))
        });
        Some(Self { run, uid, container, incarnation, seq, whole })
    }
}

/// The length of what comes after the given number of fields and their spaces.
fn fields_len(text: &str, fields: usize) -> usize {
    text.splitn(fields + 1, ' ').nth(fields).map_or(0, str::len)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A line as the witness program writes it.
    pub(crate) fn written(run: &str, uid: &str, container: &str, incarnation: u32, seq: u64) -> String {
        let header = format!("sc1 {run} {uid} {container} {incarnation} {seq} ");
        let room = LENGTH.saturating_sub(header.len() + 1).max(PAYLOAD);
        header + &('a'..='z').cycle().take(room - 1).collect::<String>() + "."
    }

    #[test]
    fn a_line_is_found_behind_what_an_agent_puts_before_it() {
        let text = format!("tag: {}\n", written("r1", "u1", "app", 2, 17));
        let expected = Line { run: "r1", uid: "u1", container: "app", incarnation: 2, seq: 17, whole: true };
        assert_eq!(Line::find(&text), Some(expected));
        assert_eq!(written("r1", "u1", "app", 2, 17).len() + 1, LENGTH);
    }

    #[test]
    fn any_change_of_the_payload_is_seen() {
        let text = written("r1", "4f3c7a52-6d0b-4f6e-a7c4-0f7f0e5f3f0a", "app", 0, 1);
        for end in text.len() - 20..text.len() {
            assert!(!Line::find(&text[..end]).expect("must be found").whole, "cut at {end}");
        }
        assert!(!Line::find(&text.replace("abc", "abd")).expect("must be found").whole);
        assert!(!Line::find(&format!("{text} and more")).expect("must be found").whole);
        assert_eq!(Line::find("rsyslogd: start"), None);
        assert_eq!(Line::find("sc1 r1 u1 app 0 x abc."), None);
    }
}
