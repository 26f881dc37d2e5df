//! Runs one scenario on one cluster as a test.

mod case;

pub use case::{check, verdicts_of};
