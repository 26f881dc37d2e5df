//! The run's folder on disk: what a reader finds, and what `sidecheck judge` reads again.

mod case_dir;
mod run_dir;

pub use case_dir::CaseDir;
pub(crate) use case_dir::{TRACE, verdicts_text};
pub use run_dir::{RunDir, case_name};
