//! Runs one scenario on one cluster as a test.

mod case;
mod place;

pub use case::{check, verdicts_of};
