//! What is done to a cluster: through its API, and to its nodes.

mod disrupt;
mod node;
mod objects;
mod reply;

pub(crate) use disrupt::{disrupt, mend};
pub(crate) use node::{await_recorded, kill, kubectl, tell, tell_sink};
pub(crate) use objects::Objects;
pub(crate) use reply::Reply;
