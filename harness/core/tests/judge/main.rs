//! The judge on traces made from facts: what truly happened, as each witness would have recorded it.

mod exits;
mod files;
mod kubelet;
mod lines;
mod lives;
mod model;
mod order;
mod parsers;
mod recordings;
mod render;
mod rollout;
mod scenarios;
mod story;
mod waits;
mod witnesses;
