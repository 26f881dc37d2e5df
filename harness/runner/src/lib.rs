//! sidecheck: runs scenarios about Kubernetes native sidecars on real clusters, records all that is seen, and judges it.
//!
//! This crate does everything that touches the outside: the API server, the nodes, the disk, the terminal. What a trace
//! means is decided in `sidecheck-core` alone; where clusters come from is the business of `sidecheck-cluster`.

mod act;
pub mod case;
pub mod catalog;
pub mod commands;
pub mod evidence;
pub mod images;
mod manifest;
mod observe;
pub mod report;
pub mod run;
pub mod show;
