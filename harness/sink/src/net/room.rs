//! Memory that all senders together may hold in messages that are not complete yet.
//!
//! Nobody waits for room: senders that hold some and wait for more could wait for each other. Who finds none is sent away.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// All of it, in units.
const ROOM: usize = (512 << 20) / UNIT;
/// What is counted, in bytes. Up to one unit is free, so that small messages cost nothing.
const UNIT: usize = 64 << 10;

#[derive(Debug, Clone)]
pub(crate) struct Room(Arc<Semaphore>);

/// What one connection holds; given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    room: Arc<Semaphore>,
    held: Option<OwnedSemaphorePermit>,
}

/// There is no room left.
#[derive(Debug)]
pub(crate) struct Full;

impl Room {
    pub(crate) fn new() -> Self {
        Room(Arc::new(Semaphore::new(ROOM)))
    }

    pub(crate) fn share(&self) -> Share {
        Share { room: self.0.clone(), held: None }
    }
}

impl Share {
    /// Holds as much as `bytes` need, which may be less than before.
    pub(crate) fn cover(&mut self, bytes: usize) -> Result<(), Full> {
        let wanted = bytes / UNIT;
        let held = self.held.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        if wanted > held {
            let more = u32::try_from(wanted - held).map_err(|_| Full)?;
            let more = self.room.clone().try_acquire_many_owned(more).map_err(|_| Full)?;
            match &mut self.held {
                Some(held) => held.merge(more),
                None => self.held = Some(more),
            }
        } else if wanted < held {
            drop(self.held.as_mut().and_then(|held| held.split(held.num_permits() - wanted)));
        }
        Ok(())
    }

    /// Holds nothing any more.
    pub(crate) fn release(&mut self) {
        self.held = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_gives_back_another_can_have() {
        let room = Room::new();
        let (mut one, mut other) = (room.share(), room.share());
        one.cover(ROOM * UNIT - UNIT).unwrap();
        other.cover(2 * UNIT - 1).unwrap();
        assert!(other.cover(2 * UNIT).is_err());
        other.cover(1).unwrap();
        one.cover(ROOM * UNIT).unwrap();
        assert!(other.cover(UNIT).is_err());
        one.cover(0).unwrap();
        other.cover(ROOM * UNIT).unwrap();
        drop(other);
        one.cover(UNIT).unwrap();
    }
}
