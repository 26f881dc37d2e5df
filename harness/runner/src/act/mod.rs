//! What is done to a cluster through its API.

mod objects;

pub(crate) use objects::Objects;
