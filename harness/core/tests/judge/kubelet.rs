//! A simulated kubelet: the life of a pod with two sidecars and a main, with bugs that can be switched on.
//!
//! No clock and no chance: all times are arguments.

use crate::story::{Fact, What};

/// Where this kubelet differs from a right one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bug {
    None,
    /// On delete all get their TERM at once, as in 1.28 alpha.
    SignalsAllAtOnce,
    /// Sidecars are stopped after the main, but in the order of their starts.
    StopsInStartOrder,
    /// A sidecar that exits stays away.
    ForgetsToRestart,
    /// The next container is started without a look at the startup probe.
    IgnoresStartupProbe,
    /// The main is restarted with the sidecar.
    RestartsMain,
    /// The main is killed as soon as it got its TERM.
    GivesNoGrace,
}

/// The times of one run, in milliseconds.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// From one decision of the kubelet to what it does.
    pub(crate) reaction: i64,
    /// From s1's start to the first success of its startup probe.
    pub(crate) probe_passes: i64,
    /// From s2's start to an exit by itself; the main is running by then.
    pub(crate) exits_after: i64,
    /// From the main's start to the deletion.
    pub(crate) deleted_after: i64,
    /// From TERM to exit: s1, s2, app.
    pub(crate) stops: [i64; 3],
}

/// What happens under this kubelet.
pub(crate) fn run(plan: &Plan, bug: Bug) -> Vec<Fact> {
    let mut kubelet = Kubelet { facts: Vec::new() };
    let s1 = 1_000;
    kubelet.does(s1, "s1", 0, What::Start);
    let passed = s1 + plan.probe_passes;
    kubelet.does(passed, "s1", 0, What::Probe("startup", true));
    let s2 = if bug == Bug::IgnoresStartupProbe { s1 + plan.reaction } else { passed + plan.reaction };
    kubelet.does(s2, "s2", 0, What::Start);
    let app = s2 + plan.reaction;
    kubelet.does(app, "app", 0, What::Start);

    let exited = app + plan.exits_after;
    kubelet.does(exited, "s2", 0, What::Exit(1));
    let again = bug != Bug::ForgetsToRestart;
    if again {
        kubelet.does(exited + plan.reaction, "s2", 1, What::Start);
    }
    if bug == Bug::RestartsMain {
        kubelet.does(exited, "app", 0, What::Exit(0));
        kubelet.does(exited + plan.reaction, "app", 1, What::Start);
    }
    kubelet.delete(exited + plan.reaction + plan.deleted_after, plan, bug, again);
    kubelet.facts
}

struct Kubelet {
    facts: Vec<Fact>,
}

impl Kubelet {
    fn does(&mut self, ms: i64, container: &str, incarnation: u32, what: What) {
        let (pod, uid, container) = ("pod".to_owned(), "uid-1".to_owned(), container.to_owned());
        self.facts.push(Fact { ms, pod, uid, container, incarnation, what });
    }

    /// TERM, and the exit after the given time, which is returned.
    fn stop(&mut self, ms: i64, container: &str, incarnation: u32, takes: i64) -> i64 {
        self.does(ms, container, incarnation, What::Term);
        self.does(ms + takes, container, incarnation, What::Exit(0));
        ms + takes
    }

    fn delete(&mut self, ms: i64, plan: &Plan, bug: Bug, s2_runs: bool) {
        let [s1, s2, app] = plan.stops;
        let mut order = vec![("s2", 1, s2), ("s1", 0, s1)];
        if !s2_runs {
            order.remove(0);
        }
        if bug == Bug::StopsInStartOrder {
            order.reverse();
        }
        let incarnation = u32::from(bug == Bug::RestartsMain);
        let mut now = if bug == Bug::GivesNoGrace {
            self.does(ms, "app", incarnation, What::Term);
            self.does(ms + 10, "app", incarnation, What::Exit(137));
            ms + 10 + plan.reaction
        } else {
            self.stop(ms, "app", incarnation, app) + plan.reaction
        };
        for (container, incarnation, takes) in order {
            if bug == Bug::SignalsAllAtOnce {
                self.stop(ms, container, incarnation, takes);
            } else {
                now = self.stop(now, container, incarnation, takes) + plan.reaction;
            }
        }
    }
}
