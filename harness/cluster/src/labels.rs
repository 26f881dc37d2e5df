//! The marks on what a run makes in a cluster, by which its leftovers are found.

/// Label of a namespace: the run that made it.
pub const RUN: &str = "sidecheck.dev/run";
/// Label of a namespace: when it was made, in seconds since 1970.
pub const CREATED: &str = "sidecheck.dev/created";
/// Finalizer that keeps a deleted pod readable until its evidence is collected.
pub const EVIDENCE: &str = "sidecheck.dev/evidence";
/// The namespace of what belongs to the cluster and not to a run.
pub const SYSTEM_NAMESPACE: &str = "sidecheck-system";
