//! Lives from the events of the program and of the runtime.

use super::{Hooked, Lives, Mark, Moment, Probed};
use crate::trace::{Act, Trace, Witness};

/// The table of what one of the two saw.
pub(super) fn lives(witness: Witness, trace: &Trace) -> Lives {
    let mut lives = Lives::default();
    for event in trace.events.iter().filter(|event| event.witness == witness) {
        let (Some(pod), Some(container)) = (&event.pod, &event.container) else { continue };
        let Some(moment) = moment(&event.act) else { continue };
        let mark = Mark::of(event, pod, container, moment);
        let life = lives.entry(pod, container, event.incarnation.unwrap_or(0));
        life.last = Some(mark.clone());
        match &event.act {
            Act::Started if life.started.is_none() => life.started = Some(mark),
            Act::Probed { kind, ok } => life.probes.push(Probed { mark, kind: kind.clone(), ok: *ok }),
            Act::Hooked { hook, ended } => life.hooks.push(Hooked { mark, hook: hook.clone(), ended: ended.is_some() }),
            Act::ExecBegan => life.execs.push(mark),
            Act::Term => life.terms.push(mark),
            Act::Kill => life.kills.push(mark),
            Act::Exiting { code } | Act::Exited { code } => {
                life.ended = Some(mark);
                life.code = Some(*code);
            }
            _ => {}
        }
    }
    lives
}

/// What an act means for a life; `None` for acts that don't show the container alive.
fn moment(act: &Act) -> Option<Moment> {
    Some(match act {
        Act::Started => Moment::Started,
        Act::Ready | Act::Unready | Act::Alive | Act::Wrote { .. } | Act::Requested { .. } | Act::Called { .. } => Moment::Alive,
        Act::Hooked { ended: None, .. } | Act::ExecBegan => Moment::HookBegan,
        Act::Hooked { ended: Some(_), .. } => Moment::HookEnded,
        Act::Probed { ok: true, .. } => Moment::Passed,
        Act::Probed { ok: false, .. } => Moment::Failed,
        Act::Term => Moment::Term,
        Act::Kill => Moment::Killed,
        Act::Exiting { .. } => Moment::Exiting,
        Act::Exited { .. } => Moment::Exited,
        _ => return None,
    })
}
