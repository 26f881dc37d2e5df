//! The steps of a scenario, one after the other, each noted with its beginning and its end.

use std::time::Duration;

use sidecheck_core::{
    lives::OBSTACLES,
    scenario::{Await, Disruption, Goal, Scenario, Step},
    trace::StepOutcome,
};

use tokio::time::Instant;

use super::{
    Shared,
    acts::delete,
    collect::Acted,
    goal::{self, Sight},
    prepare::Stage,
};
use crate::act::{self, Objects};

impl Stage {
    /// Does the steps. A wait that runs out is an answer, and the next step is done all the same: a release that is known to
    /// break one promise has to answer for the others. After a step that could not be done the rest is skipped, and the case
    /// goes on to be collected.
    pub(super) async fn act(mut self, scenario: &Scenario, shared: &Shared) -> Acted {
        let mut going = true;
        for (index, step) in scenario.steps.iter().enumerate() {
            let outcome = match (&self.obstacle, going) {
                (Some(cause), true) => {
                    self.record.step_began(index);
                    StepOutcome::Failed { cause: cause.clone() }
                }
                (_, false) => StepOutcome::Skipped,
                (None, true) => {
                    self.record.step_began(index);
                    let _waiting = shared.progress.waiting(&self.label, &step.to_string());
                    tokio::select! {
                        outcome = self.step(index, step, scenario) => outcome,
                        () = shared.interrupt.wait() => StepOutcome::Failed { cause: "interrupted by the user".to_owned() },
                    }
                }
            };
            going &= !matches!(outcome, StepOutcome::Failed { .. });
            if !going {
                // The others don't wait for this one any more.
                self.member = None;
            }
            self.record.step_ended(index, outcome);
        }
        self.member = None;
        Acted::new(self)
    }

    async fn step(&self, index: usize, step: &Step, scenario: &Scenario) -> StepOutcome {
        let Some(objects) = &self.objects else {
            return StepOutcome::Failed { cause: "the API server was never reached".to_owned() };
        };
        let done = match step {
            Step::Create => self.create(objects, scenario).await,
            Step::Delete => delete(objects, scenario.workload()).await,
            Step::Update => self.update(objects, scenario.workload()).await,
            Step::Scale(replicas) => self.scale(objects, scenario.workload(), *replicas).await,
            Step::Evict => self.evict(objects).await,
            Step::Kill(container) => self.kill(container).await,
            Step::Await(wait) => return self.await_any(objects, index, wait).await,
            Step::Stays(stays) => return self.watch_goal(objects, &stays.goal, stays.lasting.duration()).await,
            Step::Ask(ask) => self.ask(objects, index, ask, scenario).await,
            Step::Tell(tell) => act::tell(&self.cluster, &self.context.key, tell).await,
            Step::Sink(mode) => self.tell_sink(*mode).await,
            Step::Rest(span) => {
                tokio::time::sleep(span.duration()).await;
                Ok(())
            }
            Step::Disrupt(disruption) => Box::pin(self.disrupt(disruption)).await,
        };
        done.map_or_else(|cause| StepOutcome::Failed { cause }, |()| StepOutcome::Done)
    }

    async fn await_any(&self, objects: &Objects, step: usize, wait: &Await) -> StepOutcome {
        let budget = wait.within.duration();
        match &wait.goal {
            Goal::Recorded(point) => self.await_recorded(point, budget).await,
            Goal::Kubectl(kubectl) => self.await_printed(step, kubectl, budget).await,
            goal => self.await_goal(objects, goal, budget).await,
        }
    }

    /// Does it with all that do the same; where nobody else does, alone.
    async fn disrupt(&self, disruption: &Disruption) -> Result<(), String> {
        match &self.member {
            Some(member) => member.meet(Box::pin(act::disrupt(&self.cluster, disruption))).await,
            None => Err("nothing may be done to a cluster that others use".to_owned()),
        }
    }

    /// Waits until the goal is seen; a wait that runs out looks once more at the source before it says so.
    ///
    /// The budget starts anew with each change that is seen: what moves is slow, and not stuck. What never comes to rest,
    /// such as a container that crashes again and again, gets five budgets in all.
    async fn await_goal(&self, objects: &Objects, goal: &Goal, budget: Duration) -> StepOutcome {
        let mut changes = self.board.subscribe();
        let end = Instant::now() + budget * 5;
        loop {
            if goal::look(goal, &self.board).reached {
                return StepOutcome::Done;
            }
            // The board outlives this wait, so its sender is never gone.
            let change = tokio::time::timeout_at(end.min(Instant::now() + budget), changes.changed());
            if change.await.is_err() {
                break;
            }
        }
        match self.look_again(objects, goal).await {
            Err(cause) => StepOutcome::Failed { cause },
            Ok(sight) if sight.reached => StepOutcome::Done,
            Ok(Sight { seen, .. }) => StepOutcome::TimedOut { last_seen: seen },
        }
    }

    /// Watches that the goal, once seen, stays. The judge counts the time by the node's heartbeat.
    async fn watch_goal(&self, objects: &Objects, goal: &Goal, lasting: Duration) -> StepOutcome {
        // One more second than asked for, so that the beats before and after enclose the time.
        let changed = self.seen(|| !goal::look(goal, &self.board).reached);
        if tokio::time::timeout(lasting + Duration::from_secs(1), changed).await.is_ok() {
            return StepOutcome::Changed { seen: goal::look(goal, &self.board).seen };
        }
        match self.look_again(objects, goal).await {
            Err(cause) => StepOutcome::Failed { cause },
            Ok(sight) if sight.reached => StepOutcome::Done,
            Ok(Sight { seen, .. }) => StepOutcome::Changed { seen },
        }
    }

    /// Returns when the condition over the board is true.
    pub(super) async fn seen(&self, condition: impl Fn() -> bool) {
        let mut changes = self.board.subscribe();
        while !condition() {
            // The board outlives this wait, so its sender is never gone.
            let _ = changes.changed().await;
        }
    }

    /// Reads the objects themselves, since a watch can hang: no answer, or a state that no promise is about, is an obstacle.
    async fn look_again(&self, objects: &Objects, goal: &Goal) -> Result<Sight, String> {
        // No goal is about events.
        for &(api_version, kind) in self.kinds.iter().filter(|(_, kind)| *kind != "Event") {
            let listed = tokio::time::timeout(Duration::from_secs(10), objects.list(api_version, kind)).await;
            for object in listed.map_err(|_| format!("the API server did not list {kind}s within 10 s"))?? {
                self.board.note("modified", &object);
            }
        }
        let sight = goal::look(goal, &self.board);
        match OBSTACLES.iter().find(|reason| sight.seen.contains(*reason)) {
            Some(_) if !sight.reached => Err(format!("a container can't be created: {}", sight.seen)),
            _ => Ok(sight),
        }
    }
}
