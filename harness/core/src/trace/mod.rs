//! The trace: the append-only record of one scenario on one cluster, and all that the judge needs.
//!
//! A trace is a file of JSON lines. The first line is the [`Header`] (format, rules, scenario, deviations, environment),
//! then one [`Event`] a line, and an [`End`] with their count, so that a truncated file can't pass for a whole one.

mod event;
mod file;
mod lines;
mod tag;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use event::{Act, Event, PodId, Stamp, StepOutcome, Witness};
pub use file::TraceError;
pub use lines::{Delivered, LineMark};
pub use tag::Tag;

use crate::{deviation::Deviations, environment::Environment, scenario::Scenario};

/// The format of trace files that this version writes; it reads this and all earlier ones.
pub const FORMAT: u32 = 2;

/// The version of the rules: it grows when a judge may give another verdict on the same trace.
pub const RULES: u32 = 4;

/// The first line of a trace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Always `sidecheck`: tells a trace from any other file of JSON lines.
    pub trace: String,
    /// [`FORMAT`] of the writer.
    pub format: u32,
    /// [`RULES`] of the writer.
    pub rules: u32,
    /// Version of the program that recorded it.
    pub sidecheck: String,
    /// The run, such as `20261130-193000-4f2a`.
    pub run: String,
    /// The namespace in which the scenario ran.
    pub namespace: String,
    /// Suite and name of the scenario, such as `ordering/stop-on-delete`.
    pub scenario_name: String,
    /// The scenario as it was read.
    pub scenario: Scenario,
    /// The deviations that were known.
    pub deviations: Deviations,
    /// The cluster as it was found to be.
    pub environment: Environment,
}

/// The last line of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// How many events stand before it.
    pub events: u64,
}

/// A whole trace.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// Its first line.
    pub header: Header,
    /// Its events, in the order of the file; `seq` counts from 0.
    pub events: Vec<Event>,
}

impl Trace {
    /// Makes a trace of what was collected, in whatever order: the events of a witness stand together, those of the API server
    /// and of the harness as they came in, those of the program as they stand in its record, all others by time. Pods that
    /// a witness knows by uid only get the name under which another knows them, and lines that arrived the producer whose tag
    /// they have.
    pub fn new(header: Header, mut events: Vec<Event>) -> Self {
        name_producers(&header.run, &mut events);
        name_pods(&mut events);
        events.sort_by(|a, b| {
            let place = |event: &Event| match event.witness {
                Witness::Api | Witness::Harness => (None, None),
                _ => (event.line, event.at.map(|at| at.earliest)),
            };
            (a.witness, &a.node, place(a)).cmp(&(b.witness, &b.node, place(b)))
        });
        for (seq, event) in events.iter_mut().enumerate() {
            event.seq = seq as u64;
        }
        Self { header, events }
    }
}

impl Trace {
    /// How much later than the fact a stamp of the runtime may be, in milliseconds: as measured when the cluster came up, and
    /// the longest delay of the node's heartbeat in the time of the scenario on top of it.
    pub fn resolution_ms(&self) -> u64 {
        let measured = self.events.iter().filter_map(|event| match event.act {
            Act::Resolution { calibrated_ms, late_ms } => Some(calibrated_ms + late_ms),
            _ => None,
        });
        measured.max().unwrap_or(self.header.environment.runtime_resolution_ms)
    }
}

/// Lines name their producer by its tag; who that is, the program's own record says.
fn name_producers(run: &str, events: &mut [Event]) {
    let mut producers: BTreeMap<Tag, (PodId, String, u32)> = BTreeMap::new();
    for event in events.iter().filter(|event| event.witness == Witness::Program) {
        if let (Some(pod), Some(container), Some(incarnation)) = (&event.pod, &event.container, event.incarnation) {
            let tag = Tag::of(run, &pod.uid, container, incarnation);
            producers.entry(tag).or_insert_with(|| (pod.clone(), container.clone(), incarnation));
        }
    }
    for event in events.iter_mut() {
        if let Act::Delivered(Delivered { producer: Some(tag), .. }) = &event.act
            && let Some((pod, container, incarnation)) = producers.get(tag)
        {
            event.pod = Some(pod.clone());
            event.container = Some(container.clone());
            event.incarnation = Some(*incarnation);
        }
    }
}

fn name_pods(events: &mut [Event]) {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for pod in events.iter().filter_map(|event| event.pod.as_ref()).filter(|pod| !pod.name.is_empty()) {
        names.entry(pod.uid.clone()).or_insert_with(|| pod.name.clone());
    }
    for pod in events.iter_mut().filter_map(|event| event.pod.as_mut()).filter(|pod| pod.name.is_empty()) {
        if let Some(name) = names.get(&pod.uid) {
            pod.name.clone_from(name);
        }
    }
}
