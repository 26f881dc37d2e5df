//! The lives of containers in one case, drawn: a lane for each container, time from left to right.

mod draw;
mod lanes;

use maud::{Markup, html};
use sidecheck_core::trace::Trace;

/// The chart; a sentence, where no witness saw a container.
pub(super) fn chart(trace: &Trace) -> Markup {
    lanes::Chart::of(trace).map_or_else(|| html! { p.none { "No container was seen." } }, |chart| draw::draw(&chart))
}

/// What the marks mean.
pub(super) fn legend() -> Markup {
    html! {
        p.legend {
            "A lane is a container; a wide bar is what the container runtime saw of it, the thin one in it what its program wrote down. "
            "▼ TERM, ✕ KILL, · a probe (red where it failed); the number at a bar's end is the exit code. "
            "Vertical lines are the steps of the scenario: point at one to read it."
        }
    }
}
