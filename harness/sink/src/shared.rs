//! What all connections share.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::behaviour::Gate;
use crate::events::{Events, Trouble};
use crate::net::Room;
use crate::record::{Batch, MESSAGE_LIMIT};
use crate::store::{Gone, Store};

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) store: Store,
    pub(crate) events: Events,
    pub(crate) gate: Gate,
    pub(crate) room: Room,
    /// How long a message may stay incomplete before its sender is reported.
    pub(crate) patience: Duration,
    pub(crate) stop: CancellationToken,
}

impl Shared {
    /// Returns when the messages are durable and the time has come to acknowledge them.
    pub(crate) async fn deliver(&self, batch: Batch) -> Result<(), Gone> {
        self.report(&batch);
        self.gate.admit(batch.records).await;
        self.store.commit(batch).await?;
        self.gate.delay().await;
        Ok(())
    }

    /// Takes in messages of a protocol without acknowledgements.
    pub(crate) async fn take_in(&self, batch: Batch) -> Result<(), Gone> {
        self.report(&batch);
        self.gate.admit(batch.records).await;
        self.gate.delay().await;
        self.store.append(batch).await
    }

    fn report(&self, batch: &Batch) {
        if batch.too_long > 0 {
            let what = format!("{} of its messages were longer than {MESSAGE_LIMIT} bytes and have been cut", batch.too_long);
            self.events.trouble(batch.origin, Trouble::TooLong, what);
        }
    }
}
