//! A case: all that the promises ask about, worked out once from the trace.

use jiff::{SignedDuration, Timestamp};

use crate::{
    lives::{Life, Lives},
    pods::{self, SeenPod},
    pulse::{Lapse, Pulse},
    scenario::{Container, Disruption, Scenario, Step, Workload},
    steps::Steps,
    trace::{Act, Event, PodId, Stamp, Trace, Witness},
    unseen,
};

/// The three that can see the lives of containers, and that know nothing of each other.
pub(crate) const INDEPENDENT: [Witness; 3] = [Witness::Program, Witness::Runtime, Witness::Kubelet];

/// One scenario's evidence.
pub(crate) struct Case<'a> {
    pub(crate) trace: &'a Trace,
    /// The pods, the oldest first.
    pub(crate) pods: Vec<SeenPod>,
    pub(crate) pulse: Pulse,
    pub(crate) steps: Steps,
    lives: [Lives; 3],
}

impl<'a> Case<'a> {
    pub(crate) fn new(trace: &'a Trace) -> Self {
        Self {
            trace,
            pods: pods::seen(trace),
            pulse: Pulse::of(trace),
            steps: Steps::of(trace),
            lives: INDEPENDENT.map(|witness| Lives::seen_by(witness, trace)),
        }
    }

    pub(crate) fn scenario(&self) -> &'a Scenario {
        &self.trace.header.scenario
    }

    /// What a witness saw of a container, incarnation by incarnation.
    pub(crate) fn lives(&self, witness: Witness, pod: &PodId, container: &str) -> Vec<&Life> {
        let place = INDEPENDENT.iter().position(|one| *one == witness);
        place.map_or_else(Vec::new, |place| self.lives[place].of(pod, container))
    }

    /// The whole time of the scenario: from its creation to the end of its last step.
    pub(crate) fn window(&self) -> Option<(Timestamp, Timestamp)> {
        self.steps.window(&self.scenario().steps)
    }

    /// The earliest instant of a fact that the runtime stamped with this.
    pub(crate) fn earlier(&self, at: Timestamp) -> Timestamp {
        let resolution = SignedDuration::from_millis(self.trace.resolution_ms().cast_signed());
        at.checked_sub(resolution).unwrap_or(at)
    }

    /// Why the nodes can't be said to have lived through the whole scenario, but for what it did to them itself.
    pub(crate) fn lapse(&self) -> Option<Lapse> {
        let (begin, end) = self.window()?;
        let mut from = begin;
        for (_, began, ended) in self.disturbed() {
            if let Err(lapse) = self.pulse.covers(from, began) {
                return Some(lapse);
            }
            from = ended.max(from);
        }
        self.pulse.covers(from, end).err()
    }

    /// When the scenario itself did something to the cluster: from begin to end of each such step, in their order.
    fn disturbed(&self) -> Vec<(&'a Disruption, Timestamp, Timestamp)> {
        let disturbing = self.scenario().steps.iter().enumerate().filter_map(|(index, step)| match step {
            Step::Disrupt(disruption) => {
                let run = self.steps.get(index);
                Some((disruption, run.began?, run.ended?))
            }
            _ => None,
        });
        disturbing.collect()
    }

    /// The containers of the pod or template that run side by side: sidecars and mains, without plain init containers.
    pub(crate) fn running(&self) -> impl Iterator<Item = &'a Container> {
        let pod = self.scenario().workload().pod();
        pod.init_containers.iter().filter(|init| init.sidecar).chain(&pod.mains)
    }

    /// Whether the container runs an image that is not ours, of which the program can't report.
    pub(crate) fn is_foreign(&self, container: &str) -> bool {
        let pod = self.scenario().workload().pod();
        pod.containers().any(|one| one.name == container && one.is_foreign())
    }

    /// A container as people are told of it: with its pod where there are several.
    pub(crate) fn label(&self, pod: &PodId, container: &str) -> String {
        match self.scenario().workload() {
            Workload::Pod(_) | Workload::Job(_) => container.to_owned(),
            Workload::StatefulSet(_) | Workload::Deployment(_) | Workload::DaemonSet(_) => {
                let age = if self.pods.iter().find(|seen| seen.id.name == pod.name).is_some_and(|seen| seen.id != *pod) {
                    "new "
                } else {
                    ""
                };
                format!("{age}{}/{container}", pod.name)
            }
        }
    }

    /// Why a witness can't testify about a pod, or `None` when its evidence is whole.
    pub(crate) fn silence(&self, witness: Witness, pod: &PodId) -> Option<String> {
        let node = self.pods.iter().find(|seen| seen.id == *pod).and_then(|seen| seen.node.as_deref());
        let concerns = |event: &&Event| {
            event.pod.as_ref().is_none_or(|about| about == pod)
                && (event.node.is_none() || node.is_none() || event.node.as_deref() == node)
        };
        // The kubelet speaks through the API server's watch, the two others through files on the nodes: where those could not
        // be had at all, the event names no node. (A node's own damaged heartbeat says nothing about them.)
        let channel = if witness == Witness::Kubelet { Witness::Api } else { Witness::Node };
        let gap = self.trace.events.iter().filter(concerns).find_map(|event| match &event.act {
            Act::EvidenceMissing { what } if event.witness == witness => Some(what.clone()),
            Act::EvidenceMissing { what } if event.witness == channel && event.node.is_none() => Some(what.clone()),
            Act::WatchGap { kind, cause } if witness == Witness::Kubelet && kind.as_ref().is_none_or(|kind| kind == "Pod") => {
                Some(format!("the watch was interrupted ({cause})"))
            }
            _ => None,
        });
        let gap = gap.or_else(|| self.unseen_in(pod));
        gap.or_else(|| if witness == Witness::Runtime { self.recorder_silence(node) } else { None })
    }

    /// Why nothing that happened to the pod counts: a witness program of ours gave up in it.
    fn unseen_in(&self, pod: &PodId) -> Option<String> {
        let ours = self.scenario().workload().pod().containers().filter(|container| !container.is_foreign());
        ours.into_iter().find_map(|container| {
            let seen_by = [Witness::Runtime, Witness::Kubelet];
            seen_by.iter().find_map(|witness| unseen::gave_up(pod, &container.name, &self.lives(*witness, pod, &container.name)))
        })
    }

    /// The same, for any of the pods.
    pub(crate) fn unseen(&self) -> Option<String> {
        self.pods.iter().find_map(|pod| self.unseen_in(&pod.id))
    }

    /// The event stream of the runtime has no history: its recorder must run from before the pod until the end.
    fn recorder_silence(&self, node: Option<&str>) -> Option<String> {
        let Some((begin, end)) = self.window() else {
            return Some("the trace does not say when the scenario began".to_owned());
        };
        let starts = self.trace.events.iter().filter(|event| event.act == Act::RecorderStarted);
        let here = starts.filter(|event| event.node.is_none() || node.is_none() || event.node.as_deref() == node);
        // A node that the scenario itself reboots takes its recorder with it, and begins to record before anything else
        // runs: of what is missing, the journal has the starts.
        let reboots: Vec<_> = self.disturbed().into_iter().filter(|(what, ..)| **what == Disruption::RebootNode).collect();
        let expected = |at: &Stamp| reboots.iter().any(|(_, began, ended)| at.earliest >= *began && at.latest <= *ended);
        let starts: Vec<_> = here.filter_map(|event| event.at).filter(|at| !expected(at)).collect();
        if starts.iter().any(|at| at.latest >= begin && at.earliest <= end) {
            return Some("the recorder of runtime events was started anew during the scenario: events are missing".to_owned());
        }
        if !starts.iter().any(|at| at.latest < begin) {
            return Some("the recorder of runtime events did not run before the scenario began".to_owned());
        }
        None
    }
}
