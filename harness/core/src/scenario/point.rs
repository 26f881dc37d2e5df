//! A moment in the life of a container, as scenarios name it: `exit of app`, `start of s1@1`.

use std::{fmt, str::FromStr};

use serde_with::{DeserializeFromStr, SerializeDisplay};

use crate::trace::{Act, Event};

/// A moment in the life of one container.
#[derive(Debug, Clone, PartialEq, Eq, SerializeDisplay, DeserializeFromStr)]
pub struct Point {
    /// What happens.
    pub moment: PointMoment,
    /// The container's name.
    pub container: String,
    /// In which of its incarnations, from 0. Without one, it is the first in which it happens; for `exit`, the last one, after
    /// which the container did not run again; for `term`, each.
    pub incarnation: Option<u32>,
}

/// What can be named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointMoment {
    /// The runtime starts it.
    Start,
    /// It has exited.
    Exit,
    /// It gets its stop signal.
    Term,
    /// Its only exec probe succeeds for the first time.
    Pass,
    /// Its only exec probe fails for the first time.
    Fail,
    /// Its postStart hook begins.
    PostStartBegin,
    /// Its postStart hook has ended.
    PostStartEnd,
    /// Its preStop hook begins.
    PreStopBegin,
    /// Its preStop hook has ended.
    PreStopEnd,
}

/// The words for each moment, in scenarios and in sentences.
const WORDS: [(PointMoment, &str); 9] = [
    (PointMoment::Start, "start"),
    (PointMoment::Exit, "exit"),
    (PointMoment::Term, "term"),
    (PointMoment::Pass, "pass"),
    (PointMoment::Fail, "fail"),
    (PointMoment::PostStartBegin, "postStart begin"),
    (PointMoment::PostStartEnd, "postStart end"),
    (PointMoment::PreStopBegin, "preStop begin"),
    (PointMoment::PreStopEnd, "preStop end"),
];

impl Point {
    /// A moment without an incarnation.
    pub fn new(moment: PointMoment, container: &str) -> Self {
        Self { moment, container: container.to_owned(), incarnation: None }
    }
}

impl Point {
    /// Whether an event of the program's record is this moment.
    pub fn is_seen_in(&self, event: &Event) -> bool {
        let hook = |wanted: &str, has_ended: bool| matches!(&event.act, Act::Hooked { hook, ended } if hook == wanted && ended.is_some() == has_ended);
        event.container.as_deref() == Some(&self.container)
            && self.incarnation.is_none_or(|number| event.incarnation == Some(number))
            && match self.moment {
                PointMoment::Start => event.act == Act::Started,
                PointMoment::Exit => matches!(event.act, Act::Exiting { .. }),
                PointMoment::Term => event.act == Act::Term,
                PointMoment::Pass => matches!(event.act, Act::Probed { ok: true, .. }),
                PointMoment::Fail => matches!(event.act, Act::Probed { ok: false, .. }),
                PointMoment::PostStartBegin => hook("post_start", false),
                PointMoment::PostStartEnd => hook("post_start", true),
                PointMoment::PreStopBegin => hook("pre_stop", false),
                PointMoment::PreStopEnd => hook("pre_stop", true),
            }
    }
}

impl FromStr for Point {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            let words: Vec<&str> = WORDS.iter().map(|(_, word)| *word).collect();
            format!("`{text}` is no moment such as `exit of app` or `start of s1@1`; there are {}", words.join(", "))
        };
        let (word, rest) = text.split_once(" of ").ok_or_else(wrong)?;
        let (moment, _) = WORDS.iter().find(|(_, known)| *known == word.trim()).ok_or_else(wrong)?;
        let (container, incarnation) = match rest.split_once('@') {
            Some((container, number)) => (container, Some(number.trim().parse().map_err(|_| wrong())?)),
            None => (rest, None),
        };
        let container = container.trim();
        if container.is_empty() || container.contains(' ') {
            return Err(wrong());
        }
        Ok(Self { moment: *moment, container: container.to_owned(), incarnation })
    }
}

impl fmt::Display for PointMoment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(WORDS.iter().find(|(one, _)| one == self).map_or("", |(_, word)| word))
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.moment, self.container)?;
        self.incarnation.map_or(Ok(()), |number| write!(f, "@{number}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_read_as_it_is_written() {
        for text in ["exit of app", "start of s1@1", "preStop begin of s2", "postStart end of s1"] {
            assert_eq!(text.parse::<Point>().expect("a moment").to_string(), text);
        }
    }

    #[test]
    fn what_is_none_is_refused_with_all_that_there_are() {
        for text in ["exit", "exit of ", "leave of app", "start of s1@x", "start of s1 s2"] {
            let said = text.parse::<Point>().expect_err("no moment");
            assert!(said.contains("preStop begin"), "{said}");
        }
    }
}
