//! The growing record of a case: events of all witnesses, in the order in which they came in.

use jiff::Timestamp;
use sidecheck_core::trace::{Act, Event, PodId, Stamp, StepOutcome, Witness};
use tokio::sync::mpsc;

/// Where events are sent, and where they end up.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) sender: mpsc::UnboundedSender<Event>,
    receiver: mpsc::UnboundedReceiver<Event>,
    /// Begin of the case: evidence of the node is collected from here on.
    pub(super) began: Timestamp,
}

impl Record {
    pub(super) fn new() -> Self {
        let (sender, receiver) = mpsc::unbounded_channel();
        Self { sender, receiver, began: Timestamp::now() }
    }

    pub(super) fn step_began(&self, step: usize) {
        self.note(Witness::Harness, Act::StepBegan { step });
    }

    pub(super) fn step_ended(&self, step: usize, outcome: StepOutcome) {
        self.note(Witness::Harness, Act::StepEnded { step, outcome });
    }

    /// Notes an act with the client's clock.
    pub(super) fn note(&self, witness: Witness, act: Act) {
        self.send(witness, None, act);
    }

    /// Notes an act of or about a container.
    pub(super) fn note_about(&self, (pod, container): (&PodId, &str), witness: Witness, act: Act) {
        self.send(witness, Some((pod.clone(), container.to_owned())), act);
    }

    fn send(&self, witness: Witness, about: Option<(PodId, String)>, act: Act) {
        let now = Timestamp::now();
        let (pod, container) = about.unzip();
        let event = Event {
            seq: 0,
            witness,
            node: None,
            pod,
            container,
            incarnation: None,
            at: Some(Stamp { earliest: now, latest: now }),
            line: None,
            act,
        };
        // The receiver lives as long as this record.
        let _ = self.sender.send(event);
    }

    /// All events so far.
    pub(super) fn take(&mut self) -> Vec<Event> {
        std::iter::from_fn(|| self.receiver.try_recv().ok()).collect()
    }
}
