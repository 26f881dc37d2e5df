//! When the container is ready: by its age, or as files tell it.

use std::time::Instant;

use crate::acts::Act;
use crate::args::ReadyOptions;
use crate::failure::Failure;
use crate::identity::Identity;
use crate::pace::Pace;
use crate::ready;
use crate::report::Report;
use crate::tell::{LOOK_AGAIN, Tell};

/// The readiness of this incarnation, which begins as not ready.
#[derive(Debug)]
pub(crate) struct Readiness {
    on: bool,
    /// The changes that its age brings about, the next one first.
    ready_at: Option<Instant>,
    unready_at: Option<Instant>,
    told: Option<Told>,
}

/// What may tell it.
#[derive(Debug)]
struct Told {
    ready: Tell,
    unready: Tell,
    look: Pace,
}

impl Readiness {
    /// The container's age counts from `begin`.
    pub(crate) fn begin(identity: &Identity, options: &ReadyOptions, begin: Instant) -> Result<Self, Failure> {
        // No probe may succeed by a mark that an earlier incarnation has left.
        ready::clear()?;
        let tell = |what: &str| Tell::of(identity, &format!("{}.{what}", identity.container));
        let told =
            options.told.then(|| Told { ready: tell("ready"), unready: tell("unready"), look: Pace::new(LOOK_AGAIN, begin) });
        Ok(Readiness {
            on: false,
            ready_at: Some(begin + options.after),
            unready_at: options.until.map(|until| begin + until),
            told,
        })
    }

    /// Makes the changes that are due.
    pub(crate) fn turn(&mut self, now: Instant, report: &mut Report) -> Result<(), Failure> {
        if let Some(told) = &mut self.told
            && told.look.next() <= now
        {
            told.look.taken(now);
            if let Some(on) = told.says()? {
                // Once somebody has decided, the age no longer does.
                (self.ready_at, self.unready_at) = (None, None);
                self.set(on, report)?;
            }
        }
        if self.ready_at.take_if(|at| *at <= now).is_some() {
            self.set(true, report)?;
        }
        if self.unready_at.take_if(|at| *at <= now).is_some() {
            self.set(false, report)?;
        }
        Ok(())
    }

    /// Sets or removes the mark, and then records it; nothing when it is so already.
    pub(crate) fn set(&mut self, on: bool, report: &mut Report) -> Result<(), Failure> {
        if on != self.on {
            let change = if on { ready::set } else { ready::clear };
            change()?;
            self.on = on;
            report.act(if on { Act::Ready } else { Act::Unready })?;
        }
        Ok(())
    }

    /// When the next change or look is due.
    pub(crate) fn next(&self) -> Option<Instant> {
        let look = self.told.as_ref().map(|told| told.look.next());
        [self.ready_at, self.unready_at, look].into_iter().flatten().min()
    }
}

impl Told {
    /// What the newer file says; none when there is no file. Files as old as each other say that it is not ready.
    fn says(&self) -> Result<Option<bool>, Failure> {
        let (ready, unready) = (self.ready.at()?, self.unready.at()?);
        Ok(ready.max(unready).map(|_| ready > unready))
    }
}
