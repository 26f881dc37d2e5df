//! The lines that a witness container writes.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_with::SerializeDisplay;

use super::Span;

/// Numbered lines, written to a file on the volume that the pod's agents read, to stdout, or both. All options together number
/// their lines one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Writes {
    /// How many from the start on.
    #[serde(default)]
    pub lines: u64,
    /// Pause between two lines; none writes them as one burst.
    #[serde(default)]
    pub every: Span,
    /// How long a line is, with its line feed; 120 bytes where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<LineSize>,
    /// So many more as one burst, as soon as TERM has come. What was not written before, is not written any more.
    #[serde(default, skip_serializing_if = "is_none")]
    pub burst_at_term: u64,
    /// Writes on after TERM, at its pace, until it is killed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub until_kill: bool,
    /// So many more right before it exits.
    #[serde(default, skip_serializing_if = "is_none")]
    pub at_exit: u64,
    /// The last line has no line feed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_final_newline: bool,
    /// Each so many lines are one stack trace: all but the first begin with a tab.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack_traces: Option<u64>,
    /// Each line has bytes that are no UTF-8.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub invalid_utf8: bool,
    /// Puts the file aside again and again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotate: Option<Rotate>,
    /// Where to.
    #[serde(default, skip_serializing_if = "LogTarget::is_file")]
    pub to: LogTarget,
}

/// Where lines are written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogTarget {
    /// The container's file on the shared volume, with the lines of all its incarnations.
    #[default]
    File,
    /// The container's stdout, between the witness's own records.
    Stdout,
    /// Both, each line to both.
    Both,
}

/// A log that is put aside before the next line when it has so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rotate {
    /// How.
    pub by: RotateBy,
    /// After how many lines.
    pub every: u64,
    /// How many older files are kept, as `NAME.log.1`, the newest, and so on.
    pub keep: u32,
}

/// How a log is put aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RotateBy {
    /// The file gets another name, and a new one its name.
    Rename,
    /// The file is copied and then emptied, as logrotate's `copytruncate` does it.
    Truncate,
}

/// The length of lines in bytes, with the line feed: one, or a range through which they go by doubling, again and again.
/// Written as `120`, `16KiB`, `1MiB`, `60-1MiB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SerializeDisplay)]
pub struct LineSize {
    /// The shortest.
    pub from: u64,
    /// The longest.
    pub to: u64,
}

/// Less has no room for a header and a cell.
const SMALLEST: u64 = 60;
const LARGEST: u64 = 1 << 20;

impl FromStr for LineSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a size of lines such as 120, 16KiB or 60-1MiB, from {SMALLEST} bytes to 1MiB");
        let (from, to) = text.split_once('-').unwrap_or((text, text));
        let (from, to) = (bytes(from).ok_or_else(wrong)?, bytes(to).ok_or_else(wrong)?);
        if SMALLEST <= from && from <= to && to <= LARGEST { Ok(Self { from, to }) } else { Err(wrong()) }
    }
}

fn bytes(text: &str) -> Option<u64> {
    let (number, unit) = [("KiB", 1 << 10), ("MiB", 1 << 20)]
        .into_iter()
        .find_map(|(suffix, unit)| Some((text.strip_suffix(suffix)?, unit)))
        .unwrap_or((text, 1));
    number.parse::<u64>().ok()?.checked_mul(unit)
}

impl fmt::Display for LineSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.from)?;
        if self.to == self.from { Ok(()) } else { write!(f, "-{}", self.to) }
    }
}

impl<'de> Deserialize<'de> for LineSize {
    /// A number or a text: `size: 120` is a number in YAML.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Size;

        impl de::Visitor<'_> for Size {
            type Value = LineSize;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a size of lines such as 120, 16KiB or 60-1MiB")
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<LineSize, E> {
                self.visit_str(&number.to_string())
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<LineSize, E> {
                self.visit_str(&number.to_string())
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<LineSize, E> {
                text.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_any(Size)
    }
}

impl LogTarget {
    /// Whether the file on the shared volume has the lines.
    pub fn has_file(self) -> bool {
        self != Self::Stdout
    }

    /// Whether stdout has them.
    pub fn has_stdout(self) -> bool {
        self != Self::File
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    fn is_file(&self) -> bool {
        *self == Self::File
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_none(number: &u64) -> bool {
    *number == 0
}
