//! The ledger and the format of lines: samples, pieces, and a naive model.

mod model;
mod numbers;
mod pieces;
mod samples;
mod store;
