//! Leases: how much may go on at a time on a cluster and on the machine, across processes.
//!
//! A pool has as many slots as its capacity, each a locked file. A shared lease holds some of them, an exclusive one all. The
//! kernel frees the slots of a process that dies, so a lease can't be left behind.

use std::{
    collections::BTreeMap,
    fs::File,
    path::{Path, PathBuf},
    sync::{Arc, LazyLock, Mutex},
    thread::available_parallelism,
};

use crate::{
    lock::{self, LockError, RETRY},
    paths::Paths,
};

/// How many scenarios run on one cluster at a time, at most.
pub const CAPACITY: usize = 12;

/// How many pods run at a time on one core of the machine, over all clusters, since they share it. Ten pods on two idle cores
/// cost next to nothing, and thirty bend every timing. With 24 scenarios at once (about 35 pods) a stop signal reached its
/// process 1.7 s after the runtime had noted it.
const PODS_PER_CORE: usize = 12;

/// How a pool is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// So many slots, beside others.
    Shared(usize),
    /// Alone: what is done would disturb others.
    Exclusive,
}

/// The right to use what a pool stands for; given back when dropped.
#[derive(Debug)]
pub struct Lease {
    slots: Vec<(usize, File)>,
}

impl Lease {
    /// The slots that it holds, from 0: nobody else has any of these meanwhile.
    pub fn slots(&self) -> impl Iterator<Item = usize> {
        self.slots.iter().map(|(index, _)| *index)
    }
}

/// Hands out the leases of one pool.
#[derive(Debug, Clone)]
pub struct Leases {
    folder: PathBuf,
    capacity: usize,
}

impl Leases {
    /// The pool of scenarios on the cluster `name`.
    pub fn of_cluster(paths: &Paths, name: &str) -> Self {
        Self { folder: paths.leases(name), capacity: CAPACITY }
    }

    /// The pool of pods on this machine.
    pub fn of_machine(paths: &Paths) -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        Self { folder: paths.lock("machine-pods"), capacity: cores * PODS_PER_CORE }
    }

    /// Waits for a lease; `waiting` is called once, after a second. Has no limit of its own.
    ///
    /// More slots than there are count as all of them.
    ///
    /// # Errors
    /// A lock file can't be opened or locked.
    pub async fn acquire(&self, usage: Use, waiting: impl FnOnce()) -> Result<Lease, LockError> {
        let wanted = match usage {
            Use::Shared(slots) => slots.clamp(1, self.capacity),
            Use::Exclusive => self.capacity,
        };
        // Only whoever has the turn gathers slots, and keeps those that it has until it has enough: so nobody who wants many
        // is passed over by those who want few, and no two hold what the other needs.
        let gather = async {
            // The file is for other processes; in this one, who came first has the turn first.
            let turn = turn_of(&self.folder);
            let _first = turn.lock().await;
            let _turn = lock::exclusive(&self.folder.join("turn"), || ()).await?;
            let mut slots = Vec::new();
            while !self.take(wanted, &mut slots)? {
                tokio::time::sleep(RETRY).await;
            }
            Ok(Lease { slots })
        };
        lock::patiently(gather, waiting).await
    }

    /// Adds free slots until there are as many as wanted; says whether there are. Slots that this process has are not free.
    fn take(&self, wanted: usize, slots: &mut Vec<(usize, File)>) -> Result<bool, LockError> {
        for index in 0..self.capacity {
            if slots.len() == wanted {
                break;
            }
            let slot = lock::try_exclusive(&self.folder.join(format!("slot-{index}")))?;
            slots.extend(slot.map(|slot| (index, slot)));
        }
        Ok(slots.len() == wanted)
    }
}

/// The turns of this process, by the folders of their pools.
fn turn_of(folder: &Path) -> Arc<tokio::sync::Mutex<()>> {
    static TURNS: LazyLock<Mutex<BTreeMap<PathBuf, Arc<tokio::sync::Mutex<()>>>>> = LazyLock::new(Mutex::default);
    let mut turns = TURNS.lock().expect("no holder of the turns panics");
    Arc::clone(turns.entry(folder.to_owned()).or_default())
}

#[cfg(test)]
mod tests {
    use std::{
        cell::{Cell, RefCell},
        process::Command,
        time::Duration,
    };

    use tokio::time::timeout;

    use super::*;

    fn leases(capacity: usize) -> (tempfile::TempDir, Leases) {
        let folder = tempfile::tempdir().unwrap();
        let leases = Leases { folder: folder.path().to_owned(), capacity };
        (folder, leases)
    }

    /// The lease, if it is to be had now.
    async fn soon(leases: &Leases, usage: Use) -> Option<Lease> {
        timeout(Duration::from_millis(50), leases.acquire(usage, || ())).await.ok().map(Result::unwrap)
    }

    #[tokio::test]
    async fn capacity_is_kept_and_given_back() {
        let (_folder, leases) = leases(3);
        let first = soon(&leases, Use::Shared(1)).await;
        let second = soon(&leases, Use::Shared(2)).await;
        assert!(first.is_some() && second.is_some());
        assert!(soon(&leases, Use::Shared(1)).await.is_none());
        drop(second);
        assert!(soon(&leases, Use::Exclusive).await.is_none());
        assert!(soon(&leases, Use::Shared(2)).await.is_some());
    }

    #[tokio::test]
    async fn more_than_there_is_counts_as_all() {
        let (_folder, leases) = leases(2);
        let all = soon(&leases, Use::Shared(9)).await;
        assert!(all.is_some());
        assert!(soon(&leases, Use::Shared(1)).await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_wants_all_is_not_passed_over() {
        let (_folder, leases) = leases(2);
        let first = leases.acquire(Use::Shared(1), || ()).await.unwrap();
        let second = leases.acquire(Use::Shared(1), || ()).await.unwrap();
        let told = Cell::new(false);
        let all = leases.acquire(Use::Exclusive, || told.set(true));
        let script = async {
            tokio::time::sleep(Duration::from_millis(1500)).await;
            drop(first);
            tokio::time::sleep(Duration::from_millis(500)).await;
            assert!(soon(&leases, Use::Shared(1)).await.is_none(), "a newcomer waits for its turn");
            drop(second);
        };
        let (lease, ()) = tokio::join!(all, script);
        assert!(told.get() && lease.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn who_comes_first_has_the_first_turn() {
        let (_folder, leases) = leases(1);
        let held = leases.acquire(Use::Shared(1), || ()).await.unwrap();
        let order = RefCell::new(Vec::new());
        let waiter = async |number: u64| {
            tokio::time::sleep(Duration::from_millis(number)).await;
            let _lease = leases.acquire(Use::Shared(1), || ()).await.unwrap();
            order.borrow_mut().push(number);
        };
        let release = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            drop(held);
        };
        tokio::join!(waiter(3), waiter(1), waiter(2), release);
        assert_eq!(order.into_inner(), [1, 2, 3]);
    }

    #[tokio::test]
    async fn slots_of_other_processes_count_and_end_with_them() {
        let (folder, leases) = leases(1);
        let slot = folder.path().join("slot-0");
        let mut other = Command::new("flock").arg("--no-fork").arg(&slot).args(["sleep", "60"]).spawn().unwrap();
        for _ in 0..200 {
            std::thread::sleep(Duration::from_millis(10));
            if slot.exists() && lock::try_exclusive(&slot).unwrap().is_none() {
                break;
            }
        }
        assert!(soon(&leases, Use::Shared(1)).await.is_none());
        other.kill().unwrap();
        other.wait().unwrap();
        assert!(soon(&leases, Use::Shared(1)).await.is_some());
    }
}
