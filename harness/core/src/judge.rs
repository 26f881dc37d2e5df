//! The judge: from a trace to verdicts, and nothing else. The same trace gives the same verdicts, byte for byte.

use std::cell::LazyCell;

use crate::{
    case::Case,
    deviation::Deviations,
    environment::Environment,
    expectation::{self, Expectation, Expected, NoExpectation},
    promise,
    quorum::Ruling,
    refused::{self, Refused},
    release::Minor,
    scenario::{Ask, Await, Promise, Scenario, Stays, Step},
    trace::Trace,
    verdict::{Outcome, Standing, Verdict},
};

/// Derives the verdicts of a trace: one for each promise of the scenario, then one for each `await`, `stays` and
/// `ask` step.
///
/// # Errors
/// [`NoExpectation`]: for one of the promises neither the scenario nor the deviations say what to expect on that cluster.
pub fn judge(trace: &Trace) -> Result<Vec<Verdict>, NoExpectation> {
    let header = &trace.header;
    if let Some(why) = header.scenario.needs.unmet(&header.environment) {
        return Ok(not_applicable(&header.scenario, &why));
    }
    let expectations = expectations(&header.scenario, &header.deviations, &header.environment)?;
    let case = Case::new(trace);
    // They are looked for once, and only when something was not reached.
    let refused = LazyCell::new(|| refused::agents(&case));
    let verdict = |(subject, (_, expectation)): (&Subject<'_>, _)| {
        let ruling = blame_infrastructure(&case, subject.ruling(&case));
        let is_open = matches!(ruling.outcome, Outcome::Violated | Outcome::Undecidable);
        let asks = matches!(subject, Subject::Ask(..));
        let ruling = if is_open && !asks { blame_agents(&case, &refused, subject, ruling) } else { ruling };
        verdict(subject, ruling, expectation)
    };
    Ok(subjects(&header.scenario).iter().zip(expectations).map(verdict).collect())
}

/// What is expected of each verdict of a scenario on a cluster, by the promise's name and in the order of [`judge`]: to be
/// asked before anything is created.
///
/// # Errors
/// [`NoExpectation`], for the first promise that has none.
pub fn expectations(
    scenario: &Scenario,
    deviations: &Deviations,
    environment: &Environment,
) -> Result<Vec<(String, Expectation)>, NoExpectation> {
    let expect = |subject: &Subject<'_>| {
        let name = subject.name();
        expectation::expect(&name, subject.since(), scenario, deviations, environment).map(|expectation| (name, expectation))
    };
    subjects(scenario).iter().map(expect).collect()
}

/// The verdicts of a scenario that does not apply to a cluster, for the reason given.
pub fn not_applicable(scenario: &Scenario, why: &str) -> Vec<Verdict> {
    let verdict = |subject: &Subject<'_>| Verdict {
        promise: subject.name(),
        check: subject.check(),
        outcome: Outcome::NotApplicable,
        expectation: Expectation { expected: Expected::Unspecified, because: "the scenario does not apply here".to_owned() },
        standing: Standing::LeftOut,
        reason: why.to_owned(),
        lines: None,
        testimonies: vec![],
    };
    subjects(scenario).iter().map(verdict).collect()
}

/// What a verdict is about.
enum Subject<'a> {
    Promise(&'a Promise),
    Await(usize, &'a Await),
    Stays(usize, &'a Stays),
    Ask(usize, &'a Ask),
}

fn subjects(scenario: &Scenario) -> Vec<Subject<'_>> {
    let steps = scenario.steps.iter().enumerate().filter_map(|(index, step)| match step {
        Step::Await(wait) => Some(Subject::Await(index, wait)),
        Step::Stays(stays) => Some(Subject::Stays(index, stays)),
        Step::Ask(ask) => Some(Subject::Ask(index, ask)),
        Step::Create
        | Step::Delete
        | Step::Update
        | Step::Scale(_)
        | Step::Evict
        | Step::Kill(_)
        | Step::Tell(_)
        | Step::Sink(_)
        | Step::Rest(_)
        | Step::Disrupt(_) => None,
    });
    scenario.promises.iter().map(Subject::Promise).chain(steps).collect()
}

impl Subject<'_> {
    fn name(&self) -> String {
        match self {
            Self::Promise(promise) => promise.name.clone(),
            Self::Await(_, wait) => wait.promise_name(),
            Self::Stays(_, stays) => stays.promise.clone(),
            Self::Ask(_, ask) => ask.promise.clone(),
        }
    }

    fn since(&self) -> Option<Minor> {
        match self {
            Self::Promise(promise) => Some(promise.since),
            Self::Await(_, wait) => wait.since,
            Self::Stays(_, stays) => stays.since,
            Self::Ask(_, ask) => ask.since,
        }
    }

    fn check(&self) -> String {
        match self {
            Self::Promise(promise) => promise.check.to_string(),
            Self::Await(step, wait) => format!("step {}: {}", step + 1, Step::Await((*wait).clone())),
            Self::Stays(step, stays) => format!("step {}: {}", step + 1, Step::Stays((*stays).clone())),
            Self::Ask(step, ask) => format!("step {}: {ask}", step + 1),
        }
    }

    fn ruling(&self, case: &Case<'_>) -> Ruling {
        match self {
            Self::Promise(promise) => promise::put(case, &promise.check),
            Self::Await(step, wait) => promise::waited(case, *step, wait),
            Self::Stays(step, stays) => promise::stays(case, *step, stays),
            Self::Ask(step, ask) => promise::asked(case, *step, ask),
        }
    }
}

fn verdict(subject: &Subject<'_>, ruling: Ruling, expectation: Expectation) -> Verdict {
    let Ruling { outcome, reason, lines, testimonies } = ruling;
    let standing = Standing::of(outcome, expectation.expected);
    Verdict { promise: subject.name(), check: subject.check(), outcome, expectation, standing, reason, lines, testimonies }
}

/// What was lost, or not reached, because an agent never worked is inconclusive; what broke without it stays.
fn blame_agents(case: &Case<'_>, agents: &[Refused<'_>], subject: &Subject<'_>, ruling: Ruling) -> Ruling {
    let rests = match subject {
        _ if ruling.outcome == Outcome::Undecidable => true,
        Subject::Promise(promise) => refused::rests::check(case, agents, &promise.check),
        Subject::Await(step, wait) => refused::rests::wait(case, *step, &wait.goal),
        Subject::Stays(_, stays) => refused::rests::stay(agents, &stays.goal),
        Subject::Ask(..) => false,
    };
    if agents.is_empty() || !rests {
        return ruling;
    }
    let told: Vec<&str> = agents.iter().map(|agent| agent.told.as_str()).collect();
    Ruling { outcome: Outcome::Inconclusive, reason: format!("{}. Without it: {}", told.join("; "), ruling.reason), ..ruling }
}

/// What lacks evidence because the infrastructure failed is inconclusive; what was decided before from whole evidence stays.
fn blame_infrastructure(case: &Case<'_>, ruling: Ruling) -> Ruling {
    match (ruling.outcome, case.unseen()) {
        // What a pod comes to in which a witness gave up is no promise that Kubernetes broke.
        (Outcome::Violated, Some(why)) => {
            return Ruling { outcome: Outcome::Inconclusive, reason: format!("{}, but {why}", ruling.reason), ..ruling };
        }
        (Outcome::Undecidable, Some(_)) => return Ruling { outcome: Outcome::Inconclusive, ..ruling },
        (Outcome::Undecidable, None) => {}
        _ => return ruling,
    }
    let failed_step = case.steps.failure().map(|(step, cause)| format!("step {} failed: {cause}", step + 1));
    // Without any heartbeat nothing is known about the node, which is missing evidence and no failure.
    let lapse = || case.lapse().filter(|lapse| *lapse != crate::pulse::Lapse::NoHeartbeat).map(|lapse| lapse.to_string());
    match failed_step.or_else(lapse) {
        // A step that was not reached says so itself.
        Some(why) if ruling.reason.contains(&why) => Ruling { outcome: Outcome::Inconclusive, ..ruling },
        Some(why) => Ruling { outcome: Outcome::Inconclusive, reason: format!("{why}; {}", ruling.reason), ..ruling },
        None => ruling,
    }
}
