//! What is known about an agent's container in one pod: whether it ever worked, and why not.

use jiff::{SignedDuration, Timestamp};

use super::published::Published;
use crate::{
    case::Case,
    lives::{Life, Mark},
    trace::{PodId, StepOutcome, Witness},
};

/// How long an agent without a startup probe runs until it has taken its configuration.
pub(super) const SETTLED: SignedDuration = SignedDuration::from_secs(10);

/// The code of a process that was killed: that is done to an agent, it does not refuse anything.
const KILLED: i32 = 137;

/// Those that see the lives of containers that are not ours.
const SEEING: [Witness; 2] = [Witness::Runtime, Witness::Kubelet];

/// What is known about an agent's container in one pod.
pub(super) struct View<'a> {
    case: &'a Case<'a>,
    pub(super) pod: &'a PodId,
    pub(super) container: &'a str,
    pub(super) published: Published<'a>,
    /// Its incarnations, by the witness that knows signals, where that one has a word.
    lives: Vec<&'a Life>,
    /// Whether those are the runtime's.
    by_runtime: bool,
}

impl<'a> View<'a> {
    pub(super) fn of(case: &'a Case<'_>, pod: &'a PodId, container: &'a str) -> Self {
        let published = Published::of(case.trace, pod, container);
        let seen = case.lives(Witness::Runtime, pod, container);
        let by_runtime = !seen.is_empty() && case.silence(Witness::Runtime, pod).is_none();
        let lives = if by_runtime { seen } else { case.lives(Witness::Kubelet, pod, container) };
        Self { case, pod, container, published, lives, by_runtime }
    }

    /// No witness saw it run.
    pub(super) fn never_ran(&self) -> bool {
        SEEING.iter().all(|witness| self.case.lives(*witness, self.pod, self.container).is_empty())
    }

    /// Whether it ever worked, as far as its own lives tell.
    pub(super) fn worked(&self) -> bool {
        // Where the watch has a gap, a startup probe may have succeeded in it.
        if self.published.probed && (self.published.started || self.watched()) {
            return self.published.started;
        }
        let end = self.case.window().map(|(_, end)| end);
        self.lives.iter().any(|life| life.code == Some(0) || lasted(life, end) >= SETTLED)
    }

    fn watched(&self) -> bool {
        self.case.silence(Witness::Kubelet, self.pod).is_none()
    }

    /// Why it does not work; `None` where that can't be told, or is somebody else's doing.
    pub(super) fn refusal(&self) -> Option<String> {
        if let Some(obstacle) = self.published.obstacle.as_ref().filter(|_| self.never_ran()) {
            return Some(obstacle.clone());
        }
        self.crashes().map(crashed).or_else(|| self.unready())
    }

    /// With which code it ended by itself, and how often. Only the runtime knows that nobody had told it to end; the kubelet's
    /// word for it is the back-off.
    fn crashes(&self) -> Option<(i32, u64)> {
        let counts = |code: i32| code != KILLED && (code != 0 || self.published.probed);
        if self.by_runtime {
            let alone = self.lives.iter().filter(|life| life.terms.is_empty() && life.kills.is_empty());
            let codes: Vec<i32> = alone.filter_map(|life| life.code.filter(|code| counts(*code))).collect();
            return codes.last().map(|code| (*code, codes.len() as u64));
        }
        let restarts = self.published.backs_off?;
        self.published.code.filter(|code| counts(*code)).map(|code| (code, restarts + 1))
    }

    /// It ran up to the end of a wait that ran out, and its startup probe never succeeded.
    fn unready(&self) -> Option<String> {
        let since = self.published.unready_since.filter(|_| self.published.probed && self.watched())?;
        let until = self.published.deleting_since.unwrap_or(Timestamp::MAX);
        let steps = 0..self.case.scenario().steps.len();
        let waited = steps.into_iter().find_map(|step| {
            let run = self.case.steps.get(step);
            let ended = run.ended.filter(|ended| since <= *ended && *ended <= until)?;
            matches!(run.outcome, Some(StepOutcome::TimedOut { .. })).then_some((step, ended))
        });
        let (step, ended) = waited?;
        let span = ended.duration_since(since).as_secs_f64();
        Some(format!("its startup probe did not succeed in {span:.1} s, up to the end of step {}", step + 1))
    }
}

fn lasted(life: &Life, end: Option<Timestamp>) -> SignedDuration {
    let started = life.started.as_ref().and_then(Mark::shown);
    let span = started.zip(life.ended.as_ref().and_then(Mark::shown).or(end));
    span.map(|(from, to)| to.duration_since(from)).unwrap_or_default()
}

fn crashed((code, times): (i32, u64)) -> String {
    match times {
        1 => format!("exit code {code}"),
        2 => format!("exit code {code}, twice"),
        times => format!("exit code {code}, {times} times"),
    }
}
