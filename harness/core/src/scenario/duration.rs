//! Lengths of time in scenario files, such as `500ms`, `3s` or `2m`.

use std::{fmt, str::FromStr, time::Duration};

use serde_with::{DeserializeFromStr, SerializeDisplay};

/// A length of time with millisecond resolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, SerializeDisplay, DeserializeFromStr)]
pub struct Span(Duration);

impl Span {
    /// A span of whole seconds.
    pub const fn seconds(seconds: u64) -> Self {
        Self(Duration::from_secs(seconds))
    }

    /// The span as std knows it.
    pub const fn duration(self) -> Duration {
        self.0
    }

    /// The span in milliseconds.
    pub fn millis(self) -> u64 {
        self.0.as_millis() as u64
    }
}

impl std::ops::Add for Span {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a length of time such as 500ms, 3s or 2m");
        let digits = text.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
        let (number, unit) = text.split_at(digits);
        let number: u64 = number.parse().map_err(|_| wrong())?;
        let factor = match unit {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            _ => return Err(wrong()),
        };
        number.checked_mul(factor).map(|millis| Self(Duration::from_millis(millis))).ok_or_else(wrong)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.millis() {
            millis if millis % 1_000 == 0 => write!(f, "{}s", millis / 1_000),
            millis => write!(f, "{millis}ms"),
        }
    }
}
