//! Calling somebody over HTTP: once, as a test of whether it is still served, or all the time.

use std::sync::Arc;
use std::thread;
use std::time::Instant;

use crate::acts::Act;
use crate::args::Calls;
use crate::complain;
use crate::failure::Failure;
use crate::helper;
use crate::journal::Journal;
use crate::pace::Pace;
use crate::target::Target;

/// Exit code 0 when the answer is a success, else 1.
pub(crate) fn call(target: &Target) -> u8 {
    let outcome = target.get();
    match &outcome {
        Ok(status) if is_success(*status) => return 0,
        Ok(status) => complain(&format!("the answer is {status}")),
        Err(error) => complain(&format!("no answer: {error}")),
    }
    1
}

/// Calls from now on and until the process ends, also while it stops, and records each call when it is over.
pub(crate) fn keep_calling(journal: &Arc<Journal>, calls: &Calls) -> Result<(), Failure> {
    let (journal, Calls { to, every }) = (Arc::clone(journal), calls.clone());
    let work = move || {
        let mut pace = Pace::new(every, Instant::now());
        loop {
            let ok = to.get().is_ok_and(is_success);
            journal.record(Act::Called { ok, path: to.path() })?;
            pace.taken(Instant::now());
            thread::sleep(pace.next().saturating_duration_since(Instant::now()));
        }
    };
    helper::start("calls", work)
}

fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}
