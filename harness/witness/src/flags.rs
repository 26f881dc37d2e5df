//! Flags of the command line, each with a value.

use std::str::FromStr;
use std::time::Duration;

use crate::args::usage;
use crate::failure::Failure;

/// Flags with a value each, taken one by one; what is left at the end is wrong.
pub(crate) struct Flags(Vec<(String, String)>);

impl Flags {
    pub(crate) fn read(mut args: impl Iterator<Item = String>) -> Result<Self, Failure> {
        let mut flags = Vec::new();
        while let Some(flag) = args.next() {
            let Some(value) = args.next() else {
                return Err(usage(&format!("{flag} needs a value")));
            };
            flags.push((flag, value));
        }
        Ok(Flags(flags))
    }

    pub(crate) fn get<T: FromStr>(&mut self, flag: &str) -> Result<Option<T>, Failure> {
        let Some(at) = self.0.iter().position(|(name, _)| name == flag) else {
            return Ok(None);
        };
        let (_, value) = self.0.remove(at);
        value.parse().map(Some).map_err(|_| usage(&format!("\"{value}\" is no value for {flag}")))
    }

    pub(crate) fn must<T: FromStr>(&mut self, flag: &str) -> Result<T, Failure> {
        self.get(flag)?.ok_or_else(|| usage(&format!("{flag} is missing")))
    }

    pub(crate) fn millis(&mut self, flag: &str) -> Result<Option<Duration>, Failure> {
        Ok(self.get(flag)?.map(Duration::from_millis))
    }

    /// The distance of things that are done again and again.
    pub(crate) fn pace(&mut self, flag: &str) -> Result<Option<Duration>, Failure> {
        match self.millis(flag)? {
            Some(every) if every.is_zero() => Err(usage(&format!("{flag} must not be 0"))),
            every => Ok(every),
        }
    }

    /// Something that is done (1) or not (0, or no such flag).
    pub(crate) fn switch(&mut self, flag: &str) -> Result<bool, Failure> {
        match self.get::<u8>(flag)? {
            None | Some(0) => Ok(false),
            Some(1) => Ok(true),
            Some(_) => Err(usage(&format!("{flag} must be 1 or 0"))),
        }
    }

    pub(crate) fn end(self) -> Result<(), Failure> {
        match self.0.first() {
            None => Ok(()),
            Some((flag, _)) => Err(usage(&format!("{flag} is unknown here, or given twice"))),
        }
    }
}
