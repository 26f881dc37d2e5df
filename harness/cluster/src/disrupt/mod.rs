//! What can be done to a cluster's nodes, and how it is mended.
//!
//! Each act returns when what it does has come about, so that whoever asks for it can rely on it: a kubelet that was started
//! is one that the API server has heard of. Whoever disturbs a cluster has it alone (an exclusive [`crate::lease::Lease`]) and
//! calls [`mend`] at the end, whatever happened in between.
//!
//! What an act changes on a node is kept there, so that it can be mended by another process after a crash of this one:
//!
//! | below `/var/lib/sidecheck/disrupted` | what |
//! |---|---|
//! | `stopped/FILE` | a manifest while its static pod is stopped |
//! | `original/FILE` | a manifest or the kubelet's configuration as it was before a gate was set |
//!
//! A reboot can give a node another address, which kind then writes into the files that it knows. These are not among them, so
//! they have placeholders where a node's address was.

mod api;
mod api_server;
mod canary;
mod container;
mod control_plane;
mod error;
mod gate;
mod kubelet;
mod manifests;
mod mend;
mod node;
mod reboot;
mod wait;
mod whole;

pub use api_server::{start_api_server, stop_api_server};
pub use error::DisruptError;
pub use gate::set_gate;
pub use kubelet::{restart_kubelet, start_kubelet, stop_kubelet};
pub(crate) use mend::left_behind;
pub use mend::mend;
use node::NodeState;
pub use reboot::reboot_node;
pub use sidecheck_core::scenario::Component;
