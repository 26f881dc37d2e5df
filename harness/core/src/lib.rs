//! The pure part of sidecheck: what a scenario says, what a trace holds, what a promise means, and the judge between them.
//!
//! Nothing here reads a clock, a file, the environment or the network: times come in as values, texts come in as strings.
//! `judge` is a function from a trace to verdicts, so anyone can derive a verdict again from the recorded run alone.

pub mod agent;
mod case;
pub mod catalogue;
pub mod deviation;
pub mod environment;
pub mod evidence;
pub mod expectation;
mod judge;
pub mod ledger;
pub mod lives;
pub mod matrix;
mod order;
mod pods;
mod promise;
mod pulse;
mod quorum;
pub mod rate;
mod refused;
pub mod release;
pub mod scenario;
mod steps;
pub mod trace;
mod unseen;
pub mod verdict;
mod wrong;
pub mod yaml;

pub use judge::{expectations, judge, not_applicable};
