//! Container images made here, without a registry and without an engine: archives that `docker load`, `kind load` and
//! `ctr images import` take.
//!
//! An image is named after what it is made of, so a node that has the name has the image, and an archive that is in the
//! cache under that name need not be made again.

mod archive;
mod cache;
mod debian;
mod digest;
mod error;
mod layer;
mod witness;

pub use archive::{Config, Image};
pub use debian::debian;
pub use error::ImageError;
pub use layer::{File, Layer};
pub use witness::witness;

pub use crate::load::ImageArchive;
