//! The promises: one file per check or family of checks, each with what Kubernetes does and does not promise.

mod ask;
mod delivers;
mod dropped;
mod never_starts;
mod restarts;
mod rollout;
mod runs_once;
mod starts;
mod stops;
mod waits;

pub(crate) use waits::{stays, waited};

use crate::{case::Case, quorum::Ruling, scenario::Check};

/// Puts one check to the witnesses.
pub(crate) fn put(case: &Case<'_>, check: &Check) -> Ruling {
    match check {
        Check::StartsAfter { first, then } => starts::after_start(case, first, then),
        Check::StartsAfterProbe { gate, then } => starts::after_probe(case, gate, then),
        Check::StopsAfter { first, then } => stops::after_exit(case, first, then),
        Check::RestartsDuring { container, during } => restarts::during(case, container, during),
        Check::RunsOnce { container } => runs_once::runs_once(case, container),
        Check::NeverStarts { container } => never_starts::never_starts(case, container),
        Check::RestartPolicyDropped { container } => dropped::restart_policy_dropped(case, container),
        Check::DeliversEveryLine { producer } => delivers::every_line(case, producer),
        Check::ReplacesHighestOrdinalFirst => rollout::highest_first(case),
        Check::ReplacesOneAtATime => rollout::one_at_a_time(case),
        Check::WaitsForReadyAbove { container } => rollout::waits_for_ready_above(case, container),
        Check::OldGoneBeforeNewStarts { container } => rollout::old_gone_before_new_starts(case, container),
    }
}
