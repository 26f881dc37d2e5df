//! The promises: one file per check or family of checks, each with what Kubernetes does and does not promise.

mod ask;
mod asked;
mod before;
mod calls;
mod delivers;
mod dropped;
mod exits;
mod never_starts;
mod points;
mod restarts;
mod rollout;
mod runs;
mod shows;
mod starts;
mod stops;
mod takes;
mod waits;

pub(crate) use asked::asked;
pub(crate) use waits::{stays, waited};

use crate::{
    case::Case,
    quorum::Ruling,
    scenario::{Check, Runs},
};

/// Puts one check to the witnesses.
pub(crate) fn put(case: &Case<'_>, check: &Check) -> Ruling {
    match check {
        Check::Before(points) => before::in_this_order(case, points),
        Check::Together(containers) => before::together(case, containers),
        Check::Takes(takes) => takes::takes(case, takes),
        Check::Runs(runs) => runs::runs(case, runs),
        Check::Exits(exits) => exits::exits(case, exits),
        Check::Shows(shows) => shows::shows(case, shows),
        Check::CallsAreAnswered { container } => calls::are_answered(case, container),
        Check::StartsAfter { first, then } => starts::after_start(case, first, then),
        Check::StartsAfterProbe { gate, then } => starts::after_probe(case, gate, then),
        Check::StopsAfter { first, then } => stops::after_exit(case, first, then),
        Check::RestartsDuring { container, during } => restarts::during(case, container, during),
        Check::RunsOnce { container } => {
            runs::runs(case, &Runs { container: container.clone(), at_least: None, exactly: Some(1) })
        }
        Check::NeverStarts { container } => never_starts::never_starts(case, container),
        Check::RestartPolicyDropped { container } => dropped::restart_policy_dropped(case, container),
        Check::DeliversEveryLine { producer } => delivers::delivers(case, producer, delivers::Question::Every),
        Check::DeliversLinesOnce { producer } => delivers::delivers(case, producer, delivers::Question::Once),
        Check::DeliversLinesInOrder { producer } => delivers::delivers(case, producer, delivers::Question::InOrder),
        Check::ReplacesHighestOrdinalFirst => rollout::highest_first(case),
        Check::ReplacesOneAtATime => rollout::one_at_a_time(case),
        Check::WaitsForReadyAbove { container } => rollout::waits_for_ready_above(case, container),
        Check::OldGoneBeforeNewStarts { container } => rollout::old_gone_before_new_starts(case, container),
    }
}
