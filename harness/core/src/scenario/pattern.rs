//! A regular expression in a scenario.

use std::{fmt, str::FromStr};

use regex::{Regex, RegexBuilder};
use serde_with::{DeserializeFromStr, SerializeDisplay};

/// A regular expression; `^` and `$` are the ends of lines.
#[derive(Debug, Clone, SerializeDisplay, DeserializeFromStr)]
pub struct Pattern(Regex);

impl Pattern {
    /// Whether the text has a match.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

impl FromStr for Pattern {
    type Err = regex::Error;

    fn from_str(text: &str) -> Result<Self, regex::Error> {
        RegexBuilder::new(text).multi_line(true).build().map(Self)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str())
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Eq for Pattern {}
