//! When the container ends by itself.

use std::time::{Instant, SystemTime};

use crate::args::Exits;
use crate::failure::Failure;
use crate::journal::Journal;
use crate::pace::Pace;
use crate::tell::{LOOK_AGAIN, Tell};

/// What is still awaited before the time to the end runs.
#[derive(Debug)]
pub(crate) struct Ending<'a> {
    exits: &'a Exits,
    /// From when the time runs, as far as it is known.
    since: Instant,
    once: Option<&'a str>,
    told: Option<Told>,
    look: Pace,
}

/// Being told to end.
#[derive(Debug)]
struct Told {
    tell: Tell,
    /// What was told already when this incarnation began, which is not meant for it.
    before: Option<SystemTime>,
}

impl<'a> Ending<'a> {
    /// None for an incarnation that does not end by itself. To be made before this one is seen: what is told later counts.
    pub(crate) fn begin(journal: &Journal, exits: Option<&'a Exits>, begin: Instant) -> Result<Option<Self>, Failure> {
        let Some(exits) = exits.filter(|exits| exits.first.is_none_or(|n| journal.incarnation() < n)) else {
            return Ok(None);
        };
        let told = if exits.told {
            let tell = Tell::of(journal.identity(), &format!("{}.exit", journal.identity().container));
            // Where the number of incarnations that obey is bounded anyway, they may be told in advance, and all at once.
            let before = if exits.first.is_none() { tell.at()? } else { None };
            Some(Told { tell, before })
        } else {
            None
        };
        Ok(Some(Ending { exits, since: begin, once: exits.once.as_deref(), told, look: Pace::new(LOOK_AGAIN, begin) }))
    }

    /// Something that must be over first was over at `at`.
    pub(crate) fn not_before(&mut self, at: Instant) {
        self.since = self.since.max(at);
    }

    /// Looks for what is awaited, when that is due.
    pub(crate) fn turn(&mut self, now: Instant, journal: &Journal) -> Result<(), Failure> {
        if !self.waits() || now < self.look.next() {
            return Ok(());
        }
        self.look.taken(now);
        if let Some(other) = self.once
            && journal.has_started(other)?
        {
            self.once = None;
            self.not_before(Instant::now());
        }
        if let Some(told) = &self.told
            && told.tell.at()? > told.before
        {
            self.told = None;
            self.not_before(Instant::now());
        }
        Ok(())
    }

    /// When the container ends; none while something is awaited.
    pub(crate) fn at(&self) -> Option<Instant> {
        (!self.waits()).then(|| self.since + self.exits.after)
    }

    /// When the next look is due.
    pub(crate) fn next_look(&self) -> Option<Instant> {
        self.waits().then(|| self.look.next())
    }

    pub(crate) fn code(&self) -> u8 {
        self.exits.code
    }

    /// Whether the other processes are to end with it.
    pub(crate) fn ends_others(&self) -> bool {
        self.exits.others
    }

    fn waits(&self) -> bool {
        self.once.is_some() || self.told.is_some()
    }
}
