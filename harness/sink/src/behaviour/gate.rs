//! The behaviour as a delivery meets it: how fast it may go in, when it is answered, whether it is refused.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

use super::Behaviour;

/// How a delivery is refused over HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) retry_after_s: Option<u32>,
}

/// Where deliveries pass. Whatever waits here goes on at once when the behaviour changes, or when the sink ends.
#[derive(Debug, Clone)]
pub(crate) struct Gate {
    behaviour: Arc<watch::Sender<Behaviour>>,
    /// When all that was let in has had its time, for a limited rate.
    free: Arc<Mutex<Instant>>,
    stop: CancellationToken,
}

impl Gate {
    pub(crate) fn new(stop: CancellationToken) -> Self {
        let free = Arc::new(Mutex::new(Instant::now()));
        Gate { behaviour: Arc::new(watch::Sender::new(Behaviour::Normal)), free, stop }
    }

    pub(super) fn change(&self, behaviour: Behaviour) {
        *self.free.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.behaviour.send_replace(behaviour);
    }

    pub(crate) fn behaviour(&self) -> Behaviour {
        *self.behaviour.borrow()
    }

    /// Whether messages pass one by one.
    pub(crate) fn is_slow(&self) -> bool {
        matches!(self.behaviour(), Behaviour::Slow { .. }) && !self.stop.is_cancelled()
    }

    pub(crate) fn refusal(&self) -> Option<Refusal> {
        match self.behaviour() {
            Behaviour::Refusing { status, retry_after_s } => Some(Refusal { status, retry_after_s }),
            _ => None,
        }
    }

    /// Waits until so many records have had their time, after all that came before them.
    pub(crate) async fn admit(&self, records: usize) {
        if let Behaviour::Slow { per_second: Some(rate), .. } = self.behaviour() {
            let takes = Duration::from_secs_f64(records as f64 / f64::from(rate.get()));
            let until = {
                let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
                *free = (*free).max(Instant::now()) + takes;
                *free
            };
            self.unless_changed(sleep_until(until)).await;
        }
    }

    /// Waits until an answer is due.
    pub(crate) async fn delay(&self) {
        if let Behaviour::Slow { delay_ms, .. } = self.behaviour() {
            self.unless_changed(sleep(Duration::from_millis(delay_ms))).await;
        }
    }

    async fn unless_changed(&self, wait: impl Future<Output = ()>) {
        let mut changes = self.behaviour.subscribe();
        tokio::select! {
            () = wait => {}
            // The sender lives in this gate.
            _ = changes.changed() => {}
            () = self.stop.cancelled() => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    fn slow(delay_ms: u64, per_second: u32) -> Behaviour {
        Behaviour::Slow { delay_ms, per_second: NonZeroU32::new(per_second) }
    }

    #[tokio::test]
    async fn a_rate_holds_for_all_together() {
        let gate = Gate::new(CancellationToken::new());
        gate.change(slow(0, 200));
        let begin = Instant::now();
        tokio::join!(gate.admit(10), gate.admit(10), gate.admit(10));
        assert!(begin.elapsed() >= Duration::from_millis(150), "{:?}", begin.elapsed());
    }

    #[tokio::test]
    async fn a_change_and_the_end_let_everyone_pass() {
        let stop = CancellationToken::new();
        let gate = Gate::new(stop.clone());
        gate.change(slow(3_600_000, 1));
        let waiting = tokio::spawn({
            let gate = gate.clone();
            async move { tokio::join!(gate.delay(), gate.admit(100_000)) }
        });
        // It has begun to wait.
        while gate.behaviour.receiver_count() < 2 {
            tokio::task::yield_now().await;
        }
        gate.change(Behaviour::Normal);
        waiting.await.unwrap();
        gate.change(slow(3_600_000, 1));
        stop.cancel();
        gate.delay().await;
        assert!(!gate.is_slow());
    }
}
