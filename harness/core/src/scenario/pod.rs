//! The short form of a pod of witness containers.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Ending, Hook, Probe, Span, Writes};

/// A pod in short form. Its names are Kubernetes' own, its containers run the witness program unless they name an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pod {
    /// `restartPolicy`; Kubernetes' own default is `Always` (Jobs: `Never` here).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restart_policy: Option<RestartPolicy>,
    /// `terminationGracePeriodSeconds`; 30 s, as Kubernetes has it, where nothing is said.
    #[serde(default = "default_grace")]
    pub grace: Span,
    /// `initContainers` in their order: plain init containers, and sidecars.
    #[serde(default)]
    pub init_containers: Vec<Container>,
    /// The mains: `containers` in their order.
    pub mains: Vec<Container>,
    /// Fields of the pod's `spec`, merged over what the short form makes (RFC 7396: a null removes, a list replaces).
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub spec: Value,
}

const fn default_grace() -> Span {
    Span::seconds(30)
}

/// The pod's restart policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RestartPolicy {
    /// Restart whatever ends.
    Always,
    /// Restart what fails.
    OnFailure,
    /// Restart nothing (sidecars excepted, that is the point of them).
    Never,
}

/// One container: a witness with a behaviour, or a real log agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Container {
    /// The container's name.
    pub name: String,
    /// In `init_containers` only: `restartPolicy: Always`, which makes it a sidecar.
    #[serde(default)]
    pub sidecar: bool,
    /// A log agent of `suites/agents/` in place of the witness; no behaviour may be given with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// An exec startup probe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub startup_probe: Option<Probe>,
    /// An exec readiness probe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub readiness_probe: Option<Probe>,
    /// An exec liveness probe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub liveness_probe: Option<Probe>,
    /// An exec postStart hook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post_start: Option<Hook>,
    /// An exec preStop hook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pre_stop: Option<Hook>,
    /// Ends by itself; without it the container runs until TERM (a plain init ends at once with 0).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exits: Option<Ending>,
    /// From TERM to its exit.
    #[serde(default)]
    pub stop_takes: Span,
    /// The exit code after TERM.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub stop_code: u8,
    /// Probes succeed only up to this age of the container.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready_until: Option<Span>,
    /// Probes fail from TERM on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stops_unready: bool,
    /// Probes succeed and fail as a step `tell` says.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ready_when_told: bool,
    /// Answers HTTP on this port as long as it runs: `/healthz` with 200 or 500, as its probes would, all other paths with 200.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serves_http: Option<u16>,
    /// Calls `HOST:PORT/PATH` twice a second as long as it runs, and records each answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<String>,
    /// Numbered lines that it writes from its start on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writes: Option<Writes>,
    /// Fields of the container, merged over what the short form makes (RFC 7396). With `image` or `command` in it, it is no
    /// witness any more.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub spec: Value,
}

impl Pod {
    /// All containers, in the order of the spec.
    pub fn containers(&self) -> impl Iterator<Item = &Container> {
        self.init_containers.iter().chain(&self.mains)
    }
}

impl Pod {
    /// The time that its containers take at least, one after the other, without the machine's own. What takes longer than
    /// `awaited` does not count: nobody waits for it.
    pub(super) fn least_time(&self, stops: bool, awaited: Span) -> Span {
        let counted = |span: Span| if span > awaited { Span::default() } else { span };
        let inits = self.init_containers.iter().map(|init| {
            let gate = init.startup_probe.map(|probe| counted(probe.succeeds_after)).unwrap_or_default();
            let hook = init.post_start.map(|hook| counted(hook.takes)).unwrap_or_default();
            if init.sidecar { gate + hook } else { counted(init.ends_after()) }
        });
        let mains = self.mains.iter().map(|main| {
            let probes = [main.startup_probe, main.readiness_probe].into_iter().flatten();
            let ready = probes.map(|probe| counted(probe.succeeds_after)).max();
            ready.unwrap_or_default().max(counted(main.ends_after()))
        });
        let stop = self.containers().map(|one| one.stop_takes.min(self.grace)).max().filter(|_| stops);
        inits.fold(mains.max().unwrap_or_default() + stop.unwrap_or_default(), |sum, span| sum + span)
    }
}

impl Container {
    /// A container that does nothing but run.
    pub fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            sidecar: false,
            agent: None,
            startup_probe: None,
            readiness_probe: None,
            liveness_probe: None,
            post_start: None,
            pre_stop: None,
            exits: None,
            stop_takes: Span::default(),
            stop_code: 0,
            ready_until: None,
            stops_unready: false,
            ready_when_told: false,
            serves_http: None,
            calls: None,
            writes: None,
            spec: Value::Null,
        }
    }

    /// How long it runs, where it ends by itself.
    fn ends_after(&self) -> Span {
        self.exits.as_ref().map(|exits| exits.after).unwrap_or_default()
    }

    /// Whether it runs something else than the witness program, of which the program can't report.
    pub fn is_foreign(&self) -> bool {
        self.agent.is_some() || self.spec.get("image").is_some() || self.spec.get("command").is_some()
    }

    /// How many kinds of commands Kubernetes runs in it: the runtime sees them as commands, without their kind.
    pub(crate) fn execs(&self) -> usize {
        let probes = [self.startup_probe.is_some(), self.readiness_probe.is_some(), self.liveness_probe.is_some()];
        let hooks = [self.post_start.is_some(), self.pre_stop.is_some()];
        probes.iter().chain(&hooks).filter(|present| **present).count()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(code: &u8) -> bool {
    *code == 0
}
