//! The node's heartbeat: the sign that a node lived and had time to do things while something was waited for.

use std::{collections::BTreeMap, fmt};

use jiff::{SignedDuration, Timestamp};

use crate::{
    lives::clock,
    trace::{Act, Trace},
};

/// The longest time without a beat on a live node. The heartbeat beats once a second or faster; five times that is past what
/// a busy node does, and far below the budgets of waits (60 s).
pub(crate) const LONGEST_PAUSE: SignedDuration = SignedDuration::from_secs(5);

/// The beats of each node, sorted.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pulse(BTreeMap<String, Vec<Timestamp>>);

/// Why a heartbeat does not cover a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Lapse {
    /// There is no heartbeat in the trace.
    NoHeartbeat,
    /// It paused: the node was dead or starved.
    Pause { node: String, from: Timestamp, to: Timestamp },
}

impl Pulse {
    pub(crate) fn of(trace: &Trace) -> Self {
        let mut nodes: BTreeMap<String, Vec<Timestamp>> = BTreeMap::new();
        for event in &trace.events {
            if let Act::Heartbeat { beats } = &event.act {
                nodes.entry(event.node.clone().unwrap_or_default()).or_default().extend(beats);
            }
        }
        nodes.retain(|_, beats| !beats.is_empty());
        for beats in nodes.values_mut() {
            beats.sort_unstable();
        }
        Self(nodes)
    }

    /// Whether every node's heart beat from one time to the other, without a pause longer than [`LONGEST_PAUSE`].
    pub(crate) fn covers(&self, from: Timestamp, to: Timestamp) -> Result<(), Lapse> {
        if self.0.is_empty() {
            return Err(Lapse::NoHeartbeat);
        }
        for (node, beats) in &self.0 {
            let inside = beats.iter().copied().filter(|beat| (from..=to).contains(beat));
            let mut last = from;
            for next in inside.chain([to]) {
                if next.duration_since(last) > LONGEST_PAUSE {
                    return Err(Lapse::Pause { node: node.clone(), from: last, to: next });
                }
                last = next;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Lapse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHeartbeat => f.write_str("the trace has no heartbeat of a node"),
            Self::Pause { node, from, to } => {
                let seconds = to.duration_since(*from).as_secs_f64();
                let (from, to) = (clock(*from), clock(*to));
                write!(f, "the heartbeat of node {node} paused for {seconds:.1} s ({from} to {to}): the node was dead or starved")
            }
        }
    }
}
