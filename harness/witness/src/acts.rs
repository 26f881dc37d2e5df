//! What a container can report about itself.

use crate::clock::Stamp;
use crate::json::Object;

/// One thing that the container did or met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act<'a> {
    /// The process began; the first record of an incarnation.
    Started,
    /// From now on probes succeed.
    Ready,
    /// From now on probes fail.
    Unready,
    /// A probe asked, and what it was told.
    Probe {
        /// Which probe.
        kind: ProbeKind,
        /// Whether the container was ready.
        ok: bool,
    },
    /// A lifecycle hook that runs in the container.
    Hook {
        /// Which hook.
        kind: HookKind,
        /// None: it begins; else it is about to end, and whether it succeeds.
        ended: Option<bool>,
    },
    /// A hook still waits.
    HookAlive {
        /// Which hook.
        kind: HookKind,
    },
    /// Somebody asked the container over HTTP.
    Request {
        /// For what.
        path: &'a str,
    },
    /// The container asked somebody over HTTP.
    Called {
        /// Whether it was served.
        ok: bool,
        /// What it asked for.
        path: &'a str,
    },
    /// SIGTERM arrived.
    Term,
    /// The process is still stopping.
    Alive,
    /// The process is about to end.
    Exiting {
        /// With this exit code.
        code: u8,
    },
    /// The producer has stopped writing lines, and its own count is durable.
    Wrote {
        /// How many lines it wrote.
        lines: u64,
        /// To which file.
        path: &'a str,
    },
}

/// The three probes of Kubernetes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProbeKind {
    Startup,
    Readiness,
    Liveness,
}

impl ProbeKind {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        [ProbeKind::Startup, ProbeKind::Readiness, ProbeKind::Liveness].into_iter().find(|kind| kind.name() == text)
    }

    fn name(self) -> &'static str {
        match self {
            ProbeKind::Startup => "startup",
            ProbeKind::Readiness => "readiness",
            ProbeKind::Liveness => "liveness",
        }
    }
}

/// The two lifecycle hooks of Kubernetes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HookKind {
    PostStart,
    PreStop,
}

impl HookKind {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        [HookKind::PostStart, HookKind::PreStop].into_iter().find(|kind| kind.name() == text)
    }

    fn name(self) -> &'static str {
        match self {
            HookKind::PostStart => "post_start",
            HookKind::PreStop => "pre_stop",
        }
    }
}

impl Act<'_> {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Act::Started => "started",
            Act::Ready => "ready",
            Act::Unready => "unready",
            Act::Probe { .. } => "probe",
            Act::Hook { .. } => "hook",
            Act::HookAlive { .. } => "hook_alive",
            Act::Request { .. } => "request",
            Act::Called { .. } => "called",
            Act::Term => "term",
            Act::Alive => "alive",
            Act::Exiting { .. } => "exiting",
            Act::Wrote { .. } => "wrote",
        }
    }

    /// Finishes a record that says who already: the act, its details, and the instant.
    pub(crate) fn record(self, who: Object, at: Stamp) -> String {
        let record = who.text("act", self.name());
        let record = match self {
            Act::Started | Act::Ready | Act::Unready | Act::Term | Act::Alive => record,
            Act::Probe { kind, ok } => record.text("probe", kind.name()).flag("ok", ok),
            Act::Hook { kind, ended } => {
                let record = record.text("hook", kind.name()).flag("end", ended.is_some());
                if let Some(ok) = ended { record.flag("ok", ok) } else { record }
            }
            Act::HookAlive { kind } => record.text("hook", kind.name()),
            Act::Request { path } => record.text("path", path),
            Act::Called { ok, path } => record.flag("ok", ok).text("path", path),
            Act::Exiting { code } => record.number("code", u64::from(code)),
            Act::Wrote { lines, path } => record.number("lines", lines).text("path", path),
        };
        record.number("boot_ns", at.boot_ns).number("wall_ns", at.wall_ns).close()
    }
}
