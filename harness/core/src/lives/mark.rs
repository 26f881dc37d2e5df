//! A moment in a life, with all that is known about when it was.

use std::fmt;

use jiff::Timestamp;

use crate::trace::{Event, PodId, Stamp};

/// What happened at a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// The start.
    Started,
    /// A probe that succeeded.
    Passed,
    /// A probe that failed.
    Failed,
    /// The begin of a hook.
    HookBegan,
    /// The end of a hook.
    HookEnded,
    /// The stop signal.
    Term,
    /// The kill signal.
    Killed,
    /// The program's last word before its exit.
    Exiting,
    /// The exit.
    Exited,
    /// Anything else that shows the container alive.
    Alive,
}

/// A moment in the life of a container, as one witness saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The event in the trace.
    pub seq: u64,
    /// What happened.
    pub moment: Moment,
    /// The pod.
    pub pod: PodId,
    /// The container.
    pub container: String,
    /// The node.
    pub node: Option<String>,
    /// When, by the witness's clock.
    pub at: Option<Stamp>,
    /// The instant as the witness tells it, where that is not one of the bounds.
    pub said: Option<Timestamp>,
    /// The line in the node's shared record.
    pub line: Option<u64>,
}

impl Mark {
    /// The mark of an event that is about a container.
    pub(super) fn of(event: &Event, pod: &PodId, container: &str, moment: Moment) -> Self {
        Self {
            seq: event.seq,
            moment,
            pod: pod.clone(),
            container: container.to_owned(),
            node: event.node.clone(),
            at: event.at,
            said: None,
            line: event.line,
        }
    }

    /// The one time that people are shown: what the witness said, else for exits and probes the stamp itself, which is the upper bound; for starts and
    /// signals the lower one.
    pub fn shown(&self) -> Option<Timestamp> {
        if let Some(said) = self.said {
            return Some(said);
        }
        let at = self.at?;
        Some(match self.moment {
            Moment::Passed | Moment::Failed | Moment::HookEnded | Moment::Exiting | Moment::Exited => at.latest,
            Moment::Started | Moment::HookBegan | Moment::Term | Moment::Killed | Moment::Alive => at.earliest,
        })
    }
}

impl fmt::Display for Mark {
    /// Such as `app exited at 19:30:02.900Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let did = match self.moment {
            Moment::Started => "started",
            Moment::Passed => "passed its probe",
            Moment::Failed => "failed its probe",
            Moment::HookBegan => "began its hook",
            Moment::HookEnded => "ended its hook",
            Moment::Term => "got TERM",
            Moment::Killed => "got KILL",
            Moment::Exiting => "was about to exit",
            Moment::Exited => "exited",
            Moment::Alive => "was alive",
        };
        write!(f, "{} {did}", self.container)?;
        self.shown().map_or(Ok(()), |at| write!(f, " at {}", clock(at)))
    }
}

/// A time of day in UTC with milliseconds: the day is the run's.
pub(crate) fn clock(at: Timestamp) -> String {
    format!("{}Z", at.strftime("%H:%M:%S%.3f"))
}
