//! Brings about the behaviours that are asked for, one after another.

use std::time::Duration;

use futures::future::try_join_all;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::{Access, Behaviour, Gate};
use crate::events::{Events, Happening};
use crate::net::Port;
use crate::record::now_ns;

/// A behaviour that is asked for, and who wants to know when it is in force (nanoseconds of the wall clock) or why not.
#[derive(Debug)]
pub(crate) struct Wish {
    pub(crate) behaviour: Behaviour,
    pub(crate) done: oneshot::Sender<Result<u64, String>>,
}

/// Who does it.
#[derive(Debug)]
pub(crate) struct Director {
    pub(crate) gate: Gate,
    pub(crate) ports: Vec<Port>,
    pub(crate) events: Events,
}

/// Where a flapping sink is.
#[derive(Debug, Clone, Copy)]
struct Flap {
    up: bool,
    turns: Instant,
    /// How long it is up, and down.
    times: (Duration, Duration),
}

impl Director {
    /// Works until `stop`.
    pub(crate) async fn direct(self, mut wishes: mpsc::Receiver<Wish>, stop: CancellationToken) {
        let mut flap: Option<Flap> = None;
        loop {
            let turns = async {
                match flap {
                    Some(flap) => sleep_until(flap.turns).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                Some(wish) = wishes.recv() => {
                    flap = Flap::begun(wish.behaviour);
                    self.grant(wish).await;
                }
                () = turns => flap = self.turn(flap).await,
                () = stop.cancelled() => return,
            }
        }
    }

    async fn grant(&self, Wish { behaviour, done }: Wish) {
        let asked_ns = now_ns();
        self.gate.change(behaviour);
        let granted = self.apply(behaviour.access()).await.map(|()| now_ns());
        match &granted {
            Ok(_) => self.events.note(Happening::Behaviour { asked_ns, behaviour }),
            Err(why) => self.events.note(Happening::Failed { asked_ns, behaviour, why }),
        }
        // Whoever asked may have gone away; it is in force all the same.
        let _ = done.send(granted);
    }

    async fn turn(&self, flap: Option<Flap>) -> Option<Flap> {
        let flap = flap?.turned();
        match self.apply(if flap.up { Access::Open } else { Access::Closed }).await {
            Ok(()) => self.events.note(Happening::Reachable { up: flap.up }),
            Err(why) => {
                self.events.note(Happening::Failed { asked_ns: now_ns(), behaviour: self.gate.behaviour(), why: &why });
            }
        }
        Some(flap)
    }

    async fn apply(&self, access: Access) -> Result<(), String> {
        try_join_all(self.ports.iter().map(|port| port.set(access))).await.map(drop)
    }
}

impl Flap {
    fn begun(behaviour: Behaviour) -> Option<Self> {
        let Behaviour::Flapping { up_ms, down_ms } = behaviour else { return None };
        let times = (Duration::from_millis(up_ms), Duration::from_millis(down_ms));
        Some(Flap { up: false, turns: Instant::now() + times.1, times })
    }

    fn turned(self) -> Self {
        let up = !self.up;
        Flap { up, turns: Instant::now() + if up { self.times.0 } else { self.times.1 }, times: self.times }
    }
}
