//! The short name of a producer, which every piece of its lines carries.

use std::{fmt, str::FromStr};

use serde_with::{DeserializeFromStr, SerializeDisplay};

use crate::evidence::base32;

/// Digits of a tag.
const TAG_DIGITS: usize = 6;

/// One incarnation of a producer in one run, in 30 bits: among a hundred producers two share a tag once in 200 000 runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, SerializeDisplay, DeserializeFromStr)]
pub struct Tag(pub(crate) u32);

impl Tag {
    /// The tag of a producer: FNV-1a in 64 bits over `<run>/<uid>/<container>/<incarnation>`, folded to 30.
    pub fn of(run: &str, uid: &str, container: &str, incarnation: u32) -> Self {
        let name = format!("{run}/{uid}/{container}/{incarnation}");
        let hash =
            name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Self(((hash ^ (hash >> 30) ^ (hash >> 60)) & 0x3fff_ffff) as u32)
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [0; TAG_DIGITS];
        base32::write(u64::from(self.0), &mut digits);
        digits.iter().try_for_each(|digit| write!(f, "{}", char::from(*digit)))
    }
}

impl FromStr for Tag {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = <[u8; TAG_DIGITS]>::try_from(text.as_bytes()).ok();
        let number = digits.and_then(|digits| base32::read(&digits));
        number.map(|number| Self(number as u32)).ok_or_else(|| format!("`{text}` is no tag of a producer"))
    }
}
