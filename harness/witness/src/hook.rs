//! Exec hooks: take their time, and leave a record at both ends of it.

use std::thread;
use std::time::Instant;

use crate::Outcome;
use crate::acts::Act;
use crate::args::HookOptions;
use crate::identity::Identity;
use crate::journal::Journal;
use crate::pace::Pace;
use crate::tell::{LOOK_AGAIN, Tell};

/// Ends with the code that was asked for, once the hook's time is over and the file that it waits for is there.
pub(crate) fn hook(options: &HookOptions) -> Outcome {
    let begin = Instant::now();
    let journal = Journal::join(Identity::of(&options.name)?)?;
    let kind = options.kind;
    journal.record(Act::Hook { kind, ended: None })?;

    let end = begin + options.takes;
    let mut awaited = options.until.as_ref().map(|name| Tell::of(journal.identity(), name));
    let mut alive = options.every.map(|every| Pace::new(every, begin + every));
    loop {
        let now = Instant::now();
        if let Some(tell) = &awaited
            && tell.at()?.is_some()
        {
            awaited = None;
        }
        if awaited.is_none() && end <= now {
            break;
        }
        if let Some(pace) = &mut alive
            && pace.next() <= now
        {
            journal.record(Act::HookAlive { kind })?;
            pace.taken(now);
        }
        let look = if awaited.is_some() { now + LOOK_AGAIN } else { end };
        let next = alive.as_ref().map_or(look, |pace| pace.next().min(look));
        thread::sleep(next.saturating_duration_since(Instant::now()));
    }
    journal.record(Act::Hook { kind, ended: Some(options.code == 0) })?;
    Ok(options.code)
}
