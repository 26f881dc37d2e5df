//! Where evidence lies on a node.

/// The folder with the evidence of all scenarios.
pub const EVIDENCE_ROOT: &str = "/var/lib/sidecheck/evidence";

/// The folder in which the pods of one scenario leave theirs.
pub fn evidence_folder(key: &str) -> String {
    format!("{EVIDENCE_ROOT}/{key}")
}
