//! Runs one scenario on one cluster as a test.

mod case;
mod disturbance;
mod place;

pub use case::{check, check_disruptions, verdicts_of, verdicts_under};
pub use disturbance::Disturbance;
