//! What the API server shows while a scenario runs: every state of every object, in order, and a board of the newest ones.

mod board;
mod kinds;
mod watch;

pub(crate) use board::Board;
pub(crate) use kinds::{Kind, kinds};
pub(crate) use watch::Observer;
