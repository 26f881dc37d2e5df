//! What is drawn of a trace.

use jiff::Timestamp;
use sidecheck_core::{
    lives::{Life, Lives, Mark, containers},
    trace::{Act, PodId, Trace, Witness},
};

/// All that is drawn of one case. Times are in seconds from its first event.
pub(super) struct Chart {
    pub(super) begin: Timestamp,
    pub(super) length: f64,
    pub(super) steps: Vec<Step>,
    pub(super) pods: Vec<Pod>,
}

/// A step of the scenario, when it began.
pub(super) struct Step {
    pub(super) at: f64,
    pub(super) number: usize,
    pub(super) what: String,
}

/// A pod with its containers: in the order of its spec, where that is known.
pub(super) struct Pod {
    pub(super) name: String,
    pub(super) lanes: Vec<Lane>,
}

/// A container.
pub(super) struct Lane {
    pub(super) container: String,
    pub(super) bars: Vec<Bar>,
    pub(super) ticks: Vec<Tick>,
}

/// An incarnation, as one witness saw it.
pub(super) struct Bar {
    pub(super) witness: Witness,
    pub(super) number: u32,
    pub(super) from: f64,
    /// None where nobody saw its end.
    pub(super) to: Option<f64>,
    pub(super) code: Option<i32>,
}

/// Something at one instant.
pub(super) struct Tick {
    pub(super) at: f64,
    pub(super) kind: TickKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TickKind {
    Term,
    Kill,
    Passed,
    Failed,
}

/// Those whose word is drawn; where both saw a signal or a probe, both marks are there.
const DRAWN: [Witness; 2] = [Witness::Runtime, Witness::Program];

impl Chart {
    /// None where no witness saw a container.
    pub(super) fn of(trace: &Trace) -> Option<Self> {
        let told = |at: &Timestamp| at.as_second() > 0;
        let drawn = trace
            .events
            .iter()
            .filter(|event| DRAWN.contains(&event.witness) || matches!(event.act, Act::StepBegan { .. } | Act::StepEnded { .. }));
        let instants = || drawn.clone().filter_map(|event| event.at).map(|at| at.latest).filter(told);
        let (begin, end) = (instants().min()?, instants().max()?);
        let seconds = |at: Timestamp| at.duration_since(begin).as_secs_f64().max(0.0);
        let steps = trace.events.iter().filter_map(|event| match (&event.act, event.at) {
            (Act::StepBegan { step }, Some(at)) => {
                let what = trace.header.scenario.steps.get(*step).map(ToString::to_string).unwrap_or_default();
                Some(Step { at: seconds(at.earliest), number: step + 1, what })
            }
            _ => None,
        });
        let pods = pods(trace, &seconds);
        (!pods.is_empty()).then(|| Self { begin, length: seconds(end).max(1.0), steps: steps.collect(), pods })
    }
}

fn pods(trace: &Trace, seconds: &dyn Fn(Timestamp) -> f64) -> Vec<Pod> {
    let seen = DRAWN.map(|witness| (witness, Lives::seen_by(witness, trace)));
    let mut ids: Vec<&PodId> = seen.iter().flat_map(|(_, lives)| lives.pods()).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut pods: Vec<(f64, Pod)> = ids.into_iter().map(|id| pod(trace, &seen, id, seconds)).collect();
    pods.sort_by(|(one, _), (next, _)| one.total_cmp(next));
    pods.into_iter().map(|(_, pod)| pod).collect()
}

/// With the instant of its first bar.
fn pod(trace: &Trace, seen: &[(Witness, Lives)], id: &PodId, seconds: &dyn Fn(Timestamp) -> f64) -> (f64, Pod) {
    let mut names: Vec<&str> = seen.iter().flat_map(|(_, lives)| lives.containers(id)).collect();
    let order = in_spec(trace, id);
    names.sort_by_key(|name| (order.iter().position(|other| other == name).unwrap_or(usize::MAX), *name));
    names.dedup();
    let lanes: Vec<Lane> = names.into_iter().map(|name| lane(seen, id, name, seconds)).collect();
    let first = lanes.iter().flat_map(|lane| &lane.bars).map(|bar| bar.from).fold(f64::MAX, f64::min);
    (first, Pod { name: id.name.clone(), lanes })
}

fn lane(seen: &[(Witness, Lives)], pod: &PodId, container: &str, seconds: &dyn Fn(Timestamp) -> f64) -> Lane {
    let mut lane = Lane { container: container.to_owned(), bars: Vec::new(), ticks: Vec::new() };
    let at = |mark: &Mark| mark.shown().map(seconds);
    for (witness, lives) in seen {
        for life in lives.of(pod, container) {
            lane.bars.extend(life.started.as_ref().and_then(at).map(|from| Bar {
                witness: *witness,
                number: life.number,
                from,
                to: life.ended.as_ref().and_then(at),
                code: life.code,
            }));
            lane.ticks.extend(marks(life).filter_map(|(mark, kind)| Some(Tick { at: at(mark)?, kind })));
        }
    }
    lane
}

fn marks(life: &Life) -> impl Iterator<Item = (&Mark, TickKind)> {
    let probes = life.probes.iter().map(|probe| (&probe.mark, if probe.ok { TickKind::Passed } else { TickKind::Failed }));
    let terms = life.terms.iter().map(|mark| (mark, TickKind::Term));
    probes.chain(terms).chain(life.kills.iter().map(|mark| (mark, TickKind::Kill)))
}

/// The containers of a pod in the order of its spec, as a watch showed it.
fn in_spec<'a>(trace: &'a Trace, id: &PodId) -> Vec<&'a str> {
    let shown = trace.events.iter().find_map(|event| match &event.act {
        Act::Seen { object, .. } if PodId::of(object).as_ref() == Some(id) => Some(object),
        _ => None,
    });
    shown.into_iter().flat_map(containers).filter_map(|container| container.get("name")?.as_str()).collect()
}
