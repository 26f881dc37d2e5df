//! Exec probes: succeed when the container is ready, and leave a record either way.

use std::thread;

use crate::Outcome;
use crate::acts::Act;
use crate::args::ProbeOptions;
use crate::identity::Identity;
use crate::journal::Journal;
use crate::ready;

/// Exit code 0 when the container is ready, else 1.
pub(crate) fn probe(options: &ProbeOptions) -> Outcome {
    let journal = Journal::join(Identity::of(&options.name)?)?;
    thread::sleep(options.takes);
    let ok = ready::is_set();
    journal.record(Act::Probe { kind: options.kind, ok })?;
    Ok(u8::from(!ok))
}
