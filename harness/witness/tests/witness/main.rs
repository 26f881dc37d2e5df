//! The witness as real processes, with a temporary folder as their node.
#![expect(clippy::unwrap_used, reason = "a test that can't go on may panic")]

mod container;
mod hooks;
mod http;
mod producer;
mod stopping;
mod support;
mod told;
