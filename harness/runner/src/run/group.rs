//! Cases that do the same to one cluster: each waits until all have come to that step, and it is done once for all.

use std::{future::Future, sync::Arc};

use tokio::sync::watch;

/// A group; cheap to clone. Who joins it is awaited by the others until it leaves.
#[derive(Debug, Clone)]
pub struct Group {
    state: Arc<watch::Sender<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// Members that have not left.
    members: usize,
    /// Members that wait in this round.
    arrived: usize,
    /// Whether one of them does it now.
    doing: bool,
    /// What came of each round.
    rounds: Vec<Result<(), String>>,
}

/// The place of one case in its group, given up when dropped.
#[derive(Debug)]
pub(crate) struct Member {
    state: Arc<watch::Sender<State>>,
}

impl Group {
    /// A group of so many cases. Each of them has to join.
    pub(crate) fn of(members: usize) -> Self {
        Self { state: Arc::new(watch::Sender::new(State { members, ..State::default() })) }
    }

    /// Takes one of the places.
    pub(crate) fn join(&self) -> Member {
        Member { state: Arc::clone(&self.state) }
    }
}

impl Member {
    /// Returns when all members have come here and one of them has done it; what came of it is the same for all.
    pub(crate) async fn meet(&self, act: impl Future<Output = Result<(), String>>) -> Result<(), String> {
        let mut changes = self.state.subscribe();
        let mut round = 0;
        self.state.send_modify(|state| {
            state.arrived += 1;
            round = state.rounds.len();
        });
        loop {
            let leads = self.state.send_if_modified(|state| {
                let leads = state.rounds.len() == round && !state.doing && state.arrived >= state.members;
                state.doing |= leads;
                leads
            });
            if leads {
                let result = act.await;
                self.state.send_modify(|state| {
                    state.rounds.push(result.clone());
                    state.arrived = 0;
                    state.doing = false;
                });
                return result;
            }
            if let Some(result) = self.state.borrow().rounds.get(round) {
                return result.clone();
            }
            // The sender lives in `self`.
            let _ = changes.changed().await;
        }
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.state.send_modify(|state| state.members = state.members.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn it_is_done_once_in_each_round_and_not_before_all_are_there() {
        let group = Group::of(3);
        let done = AtomicUsize::new(0);
        let case = |rounds: usize| {
            let (member, done) = (group.join(), &done);
            async move {
                for round in 1..=rounds {
                    let act = async {
                        done.fetch_add(1, Ordering::SeqCst);
                        Ok(())
                    };
                    member.meet(act).await.expect("it is done");
                    assert!(done.load(Ordering::SeqCst) >= round);
                    tokio::task::yield_now().await;
                }
            }
        };
        // One leaves after its first round, and the others don't wait for it any more.
        tokio::join!(case(2), case(1), case(2));
        assert_eq!(done.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn a_failure_is_told_to_all() {
        let group = Group::of(2);
        let case = || {
            let member = group.join();
            async move { member.meet(async { Err("the node is gone".to_owned()) }).await }
        };
        assert_eq!(tokio::join!(case(), case()), (Err("the node is gone".to_owned()), Err("the node is gone".to_owned())));
    }
}
