//! The judge on traces made from facts: what truly happened, as each witness would have recorded it.

mod answers;
mod before;
mod chance;
mod counts;
mod exits;
mod files;
mod kubelet;
mod lines;
mod lives;
mod loading;
mod model;
mod order;
mod parsers;
mod published;
mod recordings;
mod refused;
mod render;
mod rollout;
mod scenarios;
mod story;
mod takes;
mod totals;
mod waits;
mod witnesses;
mod writes;
