//! Leases: how many tests may use a cluster at a time, across processes.
//!
//! A cluster has as many slots as its capacity, each a locked file. A shared lease holds one slot, an exclusive one all
//! of them. The kernel frees the slots of a process that dies, so a lease can't be left behind.

use std::{fs::File, path::PathBuf};

use tokio::time::Instant;

use crate::{
    lock::{self, LockError, PATIENCE, RETRY},
    paths::Paths,
};

/// About ten pods at a time cost a single node next to nothing, and thirty bend every timing; a test has one or two.
pub const CAPACITY: usize = 8;

/// How a cluster is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Beside others.
    Shared,
    /// Alone: what is done to the cluster would disturb others.
    Exclusive,
}

/// The right to use a cluster; given back when dropped.
#[derive(Debug)]
pub struct Lease {
    _slots: Vec<File>,
}

/// Hands out the leases of one cluster.
#[derive(Debug, Clone)]
pub struct Leases {
    folder: PathBuf,
    capacity: usize,
}

impl Leases {
    /// The leases of the cluster `name`; every process must give the same capacity.
    pub fn new(paths: &Paths, name: &str, capacity: usize) -> Self {
        Self { folder: paths.leases(name), capacity }
    }

    /// Takes a lease if there is one to be had now.
    pub fn try_acquire(&self, usage: Use) -> Result<Option<Lease>, LockError> {
        let mut slots = Vec::new();
        Ok(self.take(usage, &mut slots)?.then(|| Lease { _slots: slots }))
    }

    /// Waits for a lease; `waiting` is called once, after a second. Has no limit of its own.
    pub async fn acquire(&self, usage: Use, waiting: impl FnOnce()) -> Result<Lease, LockError> {
        let begin = Instant::now();
        let mut waiting = Some(waiting);
        // An exclusive lease keeps the slots that it has while it waits for the rest, so newcomers can't starve it.
        let mut slots = Vec::new();
        while !self.take(usage, &mut slots)? {
            tokio::time::sleep(RETRY).await;
            if begin.elapsed() >= PATIENCE
                && let Some(waiting) = waiting.take()
            {
                waiting();
            }
        }
        Ok(Lease { _slots: slots })
    }

    /// Adds free slots to `slots`, which holds the first ones already; says whether it now has what `usage` needs.
    fn take(&self, usage: Use, slots: &mut Vec<File>) -> Result<bool, LockError> {
        let slot = |index: usize| lock::try_exclusive(&self.folder.join(format!("slot-{index}")));
        match usage {
            Use::Shared => {
                for index in 0..self.capacity {
                    if let Some(file) = slot(index)? {
                        slots.push(file);
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            // In order, so that two that both want all can't hold what the other needs.
            Use::Exclusive => {
                while slots.len() < self.capacity {
                    match slot(slots.len())? {
                        Some(file) => slots.push(file),
                        None => return Ok(false),
                    }
                }
                Ok(true)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, process::Command, time::Duration};

    use super::*;

    fn leases(capacity: usize) -> (tempfile::TempDir, Leases) {
        let folder = tempfile::tempdir().unwrap();
        let leases = Leases { folder: folder.path().to_owned(), capacity };
        (folder, leases)
    }

    #[test]
    fn capacity_is_kept_and_given_back() {
        let (_folder, leases) = leases(2);
        let first = leases.try_acquire(Use::Shared).unwrap();
        let _second = leases.try_acquire(Use::Shared).unwrap().unwrap();
        assert!(leases.try_acquire(Use::Shared).unwrap().is_none());
        drop(first);
        assert!(leases.try_acquire(Use::Exclusive).unwrap().is_none());
        assert!(leases.try_acquire(Use::Shared).unwrap().is_some());
    }

    #[tokio::test]
    async fn exclusive_waits_for_all_and_keeps_newcomers_out() {
        let (_folder, leases) = leases(2);
        let [first, second] = [(); 2].map(|()| leases.try_acquire(Use::Shared).unwrap().unwrap());
        let told = Cell::new(false);
        let waiter = leases.acquire(Use::Exclusive, || told.set(true));
        let script = async {
            tokio::time::sleep(Duration::from_millis(1500)).await;
            drop(first);
            tokio::time::sleep(Duration::from_millis(500)).await;
            assert!(leases.try_acquire(Use::Shared).unwrap().is_none());
            drop(second);
        };
        let (lease, ()) = tokio::join!(waiter, script);
        assert!(told.get() && lease.is_ok());
    }

    #[test]
    fn slots_of_other_processes_count_and_end_with_them() {
        let (folder, leases) = leases(1);
        let mut other =
            Command::new("flock").arg("--no-fork").arg(folder.path().join("slot-0")).args(["sleep", "60"]).spawn().unwrap();
        let free = || leases.try_acquire(Use::Shared).unwrap().is_some();
        assert!((0..200).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            !free()
        }));
        other.kill().unwrap();
        other.wait().unwrap();
        assert!(free());
    }
}
