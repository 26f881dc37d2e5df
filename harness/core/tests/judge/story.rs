//! A story: facts about a run, from which a trace is made.

use std::collections::BTreeMap;

use jiff::Timestamp;
use sidecheck_core::{
    deviation::Deviations,
    environment::{Environment, Node},
    judge,
    scenario::{Scenario, Step},
    trace::{Act, Event, FORMAT, Header, RULES, Stamp, StepOutcome, Trace, Witness},
    verdict::{Outcome, Verdict},
};

use crate::render;

pub(crate) const NODE: &str = "n1";
pub(crate) const RESOLUTION_MS: u64 = 100;

/// Milliseconds of the story as an instant.
pub(crate) fn at(ms: i64) -> Timestamp {
    let noon: Timestamp = "2026-11-30T12:00:00Z".parse().expect("must be a time");
    Timestamp::from_millisecond(noon.as_millisecond() + ms).expect("must be in range")
}

/// What happened to a container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum What {
    Start,
    /// A probe of that kind, and whether it succeeded.
    Probe(&'static str, bool),
    Term,
    Exit(i32),
    Wrote(u64),
    /// `post_start` or `pre_stop` begins.
    HookBegins(&'static str),
    /// It ends, and whether it succeeds.
    HookEnds(&'static str, bool),
    /// It shows itself alive while it stops.
    Alive,
    /// It calls somebody, and whether it is answered.
    Called(bool),
}

/// A fact.
#[derive(Debug, Clone)]
pub(crate) struct Fact {
    pub(crate) ms: i64,
    pub(crate) pod: String,
    pub(crate) uid: String,
    pub(crate) container: String,
    pub(crate) incarnation: u32,
    pub(crate) what: What,
}

/// Delays between facts and records, the same for the same seed.
#[derive(Debug, Clone)]
pub(crate) struct Lags {
    pub(crate) seed: u64,
    /// The longest delay of the program's marks, in milliseconds.
    pub(crate) program_ms: u64,
    /// The longest delay of the runtime's stamps; at most the resolution.
    pub(crate) runtime_ms: u64,
}

impl Lags {
    /// A delay of 0 to `most` milliseconds.
    pub(crate) fn next(&mut self, most: u64) -> i64 {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.seed >> 33) % (most + 1)).cast_signed()
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Story {
    pub(crate) scenario: Scenario,
    pub(crate) environment: Environment,
    pub(crate) deviations: Deviations,
    pub(crate) facts: Vec<Fact>,
    /// Begin, end and outcome of each step.
    pub(crate) steps: Vec<(i64, i64, StepOutcome)>,
    pub(crate) beats: Vec<i64>,
    pub(crate) recorder: Vec<i64>,
    pub(crate) lags: Lags,
    /// Witnesses of which the trace has nothing.
    pub(crate) without: Vec<Witness>,
    pub(crate) extra: Vec<Event>,
}

impl Story {
    /// A story of a scenario on 1.29; each step takes ten seconds and is done, the heart beats through all of them.
    pub(crate) fn new(yaml: &str) -> Self {
        let scenario = Scenario::parse("test.yaml", yaml).expect("the scenario must be right");
        let steps = scenario.steps.iter().zip((0..).step_by(10_000)).map(|(_, begin)| (begin, begin + 9_900, StepOutcome::Done));
        Self {
            environment: environment("1.29.15"),
            deviations: Deviations::default(),
            facts: Vec::new(),
            steps: steps.collect(),
            beats: (-4..240).map(|beat| beat * 500).collect(),
            recorder: vec![-60_000],
            lags: Lags { seed: 7, program_ms: 3, runtime_ms: 3 },
            without: Vec::new(),
            extra: Vec::new(),
            scenario,
        }
    }

    /// Adds a fact about incarnation 0 of a container of the bare pod.
    pub(crate) fn fact(self, ms: i64, container: &str, what: What) -> Self {
        self.fact_of(ms, "pod", "uid-1", container, 0, what)
    }

    pub(crate) fn fact_of(mut self, ms: i64, pod: &str, uid: &str, container: &str, incarnation: u32, what: What) -> Self {
        let (pod, uid, container) = (pod.to_owned(), uid.to_owned(), container.to_owned());
        self.facts.push(Fact { ms, pod, uid, container, incarnation, what });
        self
    }

    pub(crate) fn without(mut self, witness: Witness) -> Self {
        self.without.push(witness);
        self
    }

    pub(crate) fn step(mut self, step: usize, begin: i64, end: i64, outcome: StepOutcome) -> Self {
        self.steps[step] = (begin, end, outcome);
        self
    }

    pub(crate) fn with(mut self, witness: Witness, act: Act) -> Self {
        self.extra.push(plain(witness, 0, act));
        self
    }

    pub(crate) fn trace(&self) -> Trace {
        let mut events = render::events(self);
        for (index, (begin, end, outcome)) in self.steps.iter().enumerate() {
            events.push(plain(Witness::Harness, *begin, Act::StepBegan { step: index }));
            events.push(plain(Witness::Harness, *end, Act::StepEnded { step: index, outcome: outcome.clone() }));
        }
        events.extend(self.extra.clone());
        events.retain(|event| !self.without.contains(&event.witness));
        Trace::new(self.header(), events)
    }

    pub(crate) fn verdicts(&self) -> Vec<Verdict> {
        judge(&self.trace()).expect("every promise must have an expectation")
    }

    /// The verdict on the first promise of that name.
    pub(crate) fn verdict(&self, promise: &str) -> Verdict {
        self.verdicts().into_iter().find(|verdict| verdict.promise == promise).expect("the promise must be there")
    }

    /// The outcome of the first promise.
    pub(crate) fn outcome(&self) -> Outcome {
        self.verdicts()[0].outcome
    }

    /// The reason of the first promise.
    pub(crate) fn reason(&self) -> String {
        self.verdicts()[0].reason.clone()
    }

    pub(crate) fn creates(&self) -> bool {
        self.scenario.steps.contains(&Step::Create)
    }

    pub(crate) fn header(&self) -> Header {
        Header {
            trace: "sidecheck".to_owned(),
            format: FORMAT,
            rules: RULES,
            sidecheck: "0.0.0".to_owned(),
            run: "r1".to_owned(),
            namespace: "ns".to_owned(),
            scenario_name: "test/test".to_owned(),
            scenario: self.scenario.clone(),
            deviations: self.deviations.clone(),
            environment: self.environment.clone(),
        }
    }
}

/// An event about nothing in particular.
pub(crate) fn plain(witness: Witness, ms: i64, act: Act) -> Event {
    let at = Some(Stamp { earliest: at(ms), latest: at(ms) });
    Event { seq: 0, witness, node: None, pod: None, container: None, incarnation: None, at, line: None, act }
}

pub(crate) fn environment(release: &str) -> Environment {
    let release: sidecheck_core::release::Release = release.parse().expect("must be a release");
    let node = Node {
        name: NODE.to_owned(),
        kubelet: release.clone(),
        runtime: "containerd://1.6.20".to_owned(),
        kernel: "6.1.0".to_owned(),
        os: "Debian GNU/Linux 12".to_owned(),
    };
    let gates: BTreeMap<String, bool> = [("SidecarContainers".to_owned(), true)].into();
    Environment {
        entry: "test".to_owned(),
        release,
        gates,
        components: BTreeMap::new(),
        nodes: vec![node],
        capabilities: vec![],
        runtime_resolution_ms: RESOLUTION_MS,
        calibration: None,
        node_image: "test".to_owned(),
        tools: BTreeMap::new(),
        created: at(-600_000),
    }
}
