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
    /// A probe asked, and what it was told.
    Probe {
        /// Which probe.
        kind: ProbeKind,
        /// Whether the container was ready.
        ok: bool,
    },
    /// SIGTERM arrived.
    Term,
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

impl Act<'_> {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Act::Started => "started",
            Act::Ready => "ready",
            Act::Probe { .. } => "probe",
            Act::Term => "term",
            Act::Exiting { .. } => "exiting",
            Act::Wrote { .. } => "wrote",
        }
    }

    /// Finishes a record that says who already: the act, its details, and the instant.
    pub(crate) fn record(self, who: Object, at: Stamp) -> String {
        let record = who.text("act", self.name());
        let record = match self {
            Act::Started | Act::Ready | Act::Term => record,
            Act::Probe { kind, ok } => record.text("probe", kind.name()).flag("ok", ok),
            Act::Exiting { code } => record.number("code", u64::from(code)),
            Act::Wrote { lines, path } => record.number("lines", lines).text("path", path),
        };
        record.number("boot_ns", at.boot_ns).number("wall_ns", at.wall_ns).close()
    }
}
