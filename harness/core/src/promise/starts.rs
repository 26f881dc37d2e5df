//! Start order.
//!
//! Promised: init containers and sidecars start in their order, each after the one before has ended (plain init) or has
//! started (sidecar): its process was started by the runtime, its postStart hook returned, its startup probe succeeded,
//! where it has them. Mains start after all of them, and are not ordered among themselves in a way that one could rely on.
//! Source: KEP-753; Kubernetes documentation, "Sidecar Containers".
//!
//! Not promised: that the process of one does something before the next starts. Without a startup probe the kubelet goes on
//! as soon as the runtime says that the process runs. Readiness gates nothing.

use super::before::in_this_order;
use crate::{
    case::Case,
    quorum::Ruling,
    scenario::{Point, PointMoment},
};

/// `then` starts only after the runtime has started `first`.
pub(super) fn after_start(case: &Case<'_>, first: &str, then: &str) -> Ruling {
    in_this_order(case, &[Point::new(PointMoment::Start, first), Point::new(PointMoment::Start, then)])
}

/// `then` starts only after the first success of `gate`'s startup probe.
pub(super) fn after_probe(case: &Case<'_>, gate: &str, then: &str) -> Ruling {
    in_this_order(case, &[Point::new(PointMoment::Pass, gate), Point::new(PointMoment::Start, then)])
}
