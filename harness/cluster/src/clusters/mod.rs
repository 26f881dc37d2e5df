//! Bringing clusters up and down, and knowing which there are.
//!
//! A cluster's containers carry the mark of the state folder that made them, and its record is written after its last
//! step. So marked containers without a record are a creation that was killed, and others are somebody else's.

mod containers;
mod down;
mod gc;
mod list;
mod make;
mod reuse;
mod up;

use crate::{
    engine::{Engine, EngineError},
    kind::{Kind, KindError},
    paths::{Paths, Variables},
};

pub use down::DownError;
pub use gc::GcError;
pub use list::{Listed, State};
pub use up::UpError;

/// All clusters of one state folder on one engine.
#[derive(Debug, Clone)]
pub struct Clusters {
    /// Where things are.
    pub paths: Paths,
    /// Where the nodes run.
    pub engine: Engine,
    pub(crate) kind: Kind,
}

/// What is needed to have clusters is not there.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// No engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// No kind.
    #[error(transparent)]
    Kind(#[from] KindError),
}

impl Clusters {
    /// Finds the engine and kind.
    ///
    /// # Errors
    /// [`ConnectError`], whose message says how to get what is missing.
    pub async fn connect(variables: &Variables, paths: Paths) -> Result<Self, ConnectError> {
        let engine = Engine::find(variables, &paths).await?;
        let kind = Kind::find(variables, &paths, &engine).await?;
        Ok(Self { paths, engine, kind })
    }
}
