//! Witness programs that gave up: one that can't write its record ends at once, rather than to run on unseen. What happens to
//! its pod from then on is our doing, and no witness's word about it counts.

use crate::{
    lives::{Life, clock},
    trace::PodId,
};

/// The exit code of a witness program that could not write its record; no scenario may use it.
pub(crate) const UNSEEN: i32 = 70;

/// What to say of a container that gave up in one of its incarnations; `None` when it did not.
pub(crate) fn gave_up(pod: &PodId, container: &str, lives: &[&Life]) -> Option<String> {
    let life = lives.iter().find(|life| life.code == Some(UNSEEN))?;
    let at = life.ended.as_ref().and_then(crate::lives::Mark::shown);
    let at = at.map_or_else(String::new, |at| format!(" at {}", clock(at)));
    Some(format!("the witness program in {container} of {} gave up{at}, since it could not write its record", pod.name))
}
