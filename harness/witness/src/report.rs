//! The places where this incarnation's acts go.

use std::sync::Arc;

use crate::acts::Act;
use crate::digest::Digest;
use crate::failure::Failure;
use crate::identity::Identity;
use crate::journal::Journal;

/// The journal, and the digest for what belongs in it.
#[derive(Debug)]
pub(crate) struct Report {
    journal: Arc<Journal>,
    /// Of the main thread alone: what other threads meet would drive its acts out.
    digest: Digest,
}

impl Report {
    pub(crate) fn begin(identity: Identity) -> Result<Self, Failure> {
        let journal = Arc::new(Journal::begin(identity)?);
        let digest = Digest::open(journal.identity(), journal.incarnation());
        Ok(Report { journal, digest })
    }

    /// Records an act in both.
    pub(crate) fn act(&mut self, act: Act<'_>) -> Result<(), Failure> {
        let at = self.journal.record(act)?;
        self.digest.add(act, at);
        Ok(())
    }

    pub(crate) fn journal(&self) -> &Arc<Journal> {
        &self.journal
    }
}
