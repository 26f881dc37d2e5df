//! Exact Kubernetes releases and ranges of them.

use std::{fmt, str::FromStr};

use semver::{Version, VersionReq};
use serde_with::{DeserializeFromStr, SerializeDisplay};

/// One exact Kubernetes release, such as `1.28.15`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, SerializeDisplay, DeserializeFromStr)]
pub struct Release(Version);

impl Release {
    /// The minor version: 28 for `1.28.15`.
    pub fn minor(&self) -> u64 {
        self.0.minor
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Release {
    type Err = String;

    /// Takes `1.28.15` and `v1.28.15`, as servers report it.
    fn from_str(text: &str) -> Result<Self, String> {
        Version::parse(text.strip_prefix('v').unwrap_or(text))
            .map(Self)
            .map_err(|_| format!("`{text}` is not an exact release such as 1.29.14"))
    }
}

/// The minor release from which a promise holds, such as `1.29`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, SerializeDisplay, DeserializeFromStr)]
pub struct Minor(pub u64);

impl Minor {
    /// Whether `release` is this minor or a later one.
    pub fn reached_by(self, release: &Release) -> bool {
        release.minor() >= self.0
    }
}

impl fmt::Display for Minor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "1.{}", self.0)
    }
}

impl FromStr for Minor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.strip_prefix("1.")
            .and_then(|minor| minor.parse().ok())
            .map(Self)
            .ok_or_else(|| format!("`{text}` is not a minor release such as 1.29"))
    }
}

/// A range of releases in Cargo's notation, such as `>=1.28.0, <1.29.0`.
#[derive(Debug, Clone, PartialEq, Eq, SerializeDisplay, DeserializeFromStr)]
pub struct ReleaseRange(VersionReq);

impl ReleaseRange {
    /// All releases.
    pub fn all() -> Self {
        Self(VersionReq::STAR)
    }

    /// Whether `release` lies in the range; pre-releases count as their release.
    pub fn contains(&self, release: &Release) -> bool {
        self.0.matches(&Version::new(release.0.major, release.0.minor, release.0.patch))
    }
}

impl fmt::Display for ReleaseRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for ReleaseRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        VersionReq::parse(text).map(Self).map_err(|_| format!("`{text}` is not a range of releases such as `>=1.28.0, <1.29.0`"))
    }
}
