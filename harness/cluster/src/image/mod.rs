//! Container images as archives that `docker load`, `kind load` and `ctr images import` take: made here, without a registry and
//! without an engine, or taken over from others.
//!
//! An image is named after what it is made of, so a node that has the name has the image, and an archive that is in the
//! cache under that name need not be made again.

mod adopt;
mod archive;
mod build;
mod cache;
mod debian;
mod digest;
mod error;
mod go;
mod layer;
mod registry;
mod witness;

pub use adopt::{Adopted, adopt};
pub use archive::{Config, Image};
pub use debian::debian;
pub use error::ImageError;
pub use go::{GoProgram, go};
pub use layer::{File, Layer};
pub use registry::registry;
pub use witness::witness;

pub use crate::load::ImageArchive;
