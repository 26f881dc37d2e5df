//! Clusters for sidecheck: everything between a matrix entry and a verified cluster that records what happens in it.
//!
//! [`Clusters`] brings clusters up and down with kind on a Docker engine; [`Cluster`] is one that is up. A test opens a
//! cluster, takes a [`lease`], and afterwards reads what the nodes recorded through [`recorder`]. The reading of
//! environment variables is left to the program's edge, see [`paths::Variables`].

pub mod calibrate;
pub mod cluster;
pub mod clusters;
pub mod command;
pub mod disrupt;
pub mod doctor;
pub mod engine;
pub mod heartbeat;
pub mod image;
mod kind;
pub mod labels;
pub mod lease;
mod load;
mod lock;
pub mod matrix;
pub mod node_image;
pub mod paths;
mod progress;
pub mod recorder;
mod release;
pub mod verify;

pub use cluster::Cluster;
pub use clusters::Clusters;
pub use kind::{Kind, KindError};
pub use load::ImageArchive;
pub use lock::LockError;
pub use progress::Progress;
pub use release::release_pods;
