use std::io;
use std::net::Ipv4Addr;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use super::*;
use crate::protocol::{Origin, Protocol};

/// A disk whose syncs wait until they are let go, and which tells what it is asked to do.
struct Held {
    does: Sender<Op>,
    go: Receiver<io::Result<()>>,
}

#[derive(Debug, PartialEq, Eq)]
enum Op {
    Append(usize),
    Sync,
}

impl Disk for Held {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let _ = self.does.send(Op::Append(bytes.split(|byte| *byte == b'\n').count() - 1));
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        let _ = self.does.send(Op::Sync);
        self.go.recv().unwrap_or(Ok(()))
    }
}

fn held() -> (Held, Receiver<Op>, Sender<io::Result<()>>) {
    let ((does, doing), (let_go, go)) = (channel(), channel());
    (Held { does, go }, doing, let_go)
}

fn batch(records: usize) -> Batch {
    let mut batch = Batch::new(Origin { protocol: Protocol::Forward, from: (Ipv4Addr::LOCALHOST, 1).into() });
    for _ in 0..records {
        batch.add("a", false);
    }
    batch
}

async fn next(doing: Receiver<Op>) -> (Op, Receiver<Op>) {
    tokio::task::spawn_blocking(move || (doing.recv().unwrap(), doing)).await.unwrap()
}

#[tokio::test]
async fn those_who_come_during_a_sync_share_the_next_one() {
    let (disk, doing, go) = held();
    let (store, storing) = Store::start(disk);
    let one = tokio::spawn({
        let store = store.clone();
        async move { store.commit(batch(1)).await }
    });
    let (op, doing) = next(doing).await;
    assert_eq!(op, Op::Append(1));
    let (op, doing) = next(doing).await;
    assert_eq!(op, Op::Sync);
    let others: Vec<_> = (0..3)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move { store.commit(batch(2)).await })
        })
        .collect();
    // They have handed over what they have before the first sync ends.
    while store.room.available_permits() > WAITING - 3 * batch(2).lines.len() {
        tokio::task::yield_now().await;
    }
    assert!(!one.is_finished() && others.iter().all(|other| !other.is_finished()));
    go.send(Ok(())).unwrap();
    one.await.unwrap().unwrap();
    let (op, doing) = next(doing).await;
    assert_eq!(op, Op::Append(6));
    let (op, _doing) = next(doing).await;
    assert_eq!(op, Op::Sync);
    assert!(others.iter().all(|other| !other.is_finished()));
    go.send(Ok(())).unwrap();
    for other in others {
        other.await.unwrap().unwrap();
    }
    drop(store);
    storing.await.unwrap().unwrap();
}

#[tokio::test]
async fn nothing_is_acknowledged_when_the_sync_fails() {
    let (disk, _doing, go) = held();
    let (store, storing) = Store::start(disk);
    go.send(Err(io::Error::other("no disk"))).unwrap();
    assert!(store.commit(batch(1)).await.is_err());
    assert_eq!(storing.await.unwrap().unwrap_err().to_string(), "no disk");
    assert!(store.append(batch(1)).await.is_err(), "and nothing is taken in any more");
}

#[tokio::test]
async fn what_nobody_waits_for_is_synced_soon_and_at_the_end() {
    let (disk, doing, go) = held();
    let (store, storing) = Store::start(disk);
    store.append(batch(1)).await.unwrap();
    let (op, doing) = next(doing).await;
    assert_eq!(op, Op::Append(1));
    let (op, doing) = tokio::time::timeout(Duration::from_secs(20), next(doing)).await.unwrap();
    assert_eq!(op, Op::Sync);
    store.append(batch(1)).await.unwrap();
    drop(store);
    drop(go);
    storing.await.unwrap().unwrap();
    assert_eq!(doing.iter().collect::<Vec<_>>(), [Op::Append(1), Op::Sync]);
}
