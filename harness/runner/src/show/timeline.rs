//! What the witnesses of container lives saw, in the order of time: the evidence as a person reads it.

use comfy_table::Cell;
use jiff::{Timestamp, tz::TimeZone};
use sidecheck_core::trace::{Act, Event, Stamp, Trace, Witness};

use super::grid::plain_table;

/// A row per event of program, runtime and harness that is about a container's life or a step, by its earliest instant. The
/// column `event` is its number in the trace, as verdicts name it.
pub fn timeline(trace: &Trace) -> String {
    let mut rows: Vec<(Stamp, &Event, String)> =
        trace.events.iter().filter_map(|event| Some((event.at?, event, what(trace, event)?))).collect();
    rows.sort_by_key(|(at, event, _)| (at.earliest, at.latest, event.seq));
    let mut table = plain_table(false);
    table.set_header(["event", "not before", "not after", "witness", "pod", "container", "what"]);
    for (at, event, what) in rows {
        let pod = event.pod.as_ref().map_or("", |pod| pod.name.as_str());
        let container = event.container.as_deref().unwrap_or_default();
        let cells = [event.seq.to_string(), clock(at.earliest), clock(at.latest), event.witness.to_string()];
        table.add_row(cells.iter().map(String::as_str).chain([pod, container, what.as_str()]).map(Cell::new));
    }
    table.trim_fmt()
}

/// The act in words; `None` for what is no part of a container's life.
fn what(trace: &Trace, event: &Event) -> Option<String> {
    let step =
        |index: usize| trace.header.scenario.steps.get(index).map_or_else(|| format!("step {}", index + 1), ToString::to_string);
    Some(match (&event.act, event.witness) {
        (Act::StepBegan { step: index }, _) => format!("step {}: {}", index + 1, step(*index)),
        (Act::Started, _) => "starts".to_owned(),
        (Act::Ready, _) => "is ready".to_owned(),
        (Act::Probed { kind, ok }, _) => {
            format!("{} probe {}", kind.as_deref().unwrap_or("exec"), if *ok { "succeeds" } else { "fails" })
        }
        (Act::Term, Witness::Runtime) => "is sent TERM".to_owned(),
        (Act::Term, _) => "gets TERM".to_owned(),
        (Act::Kill, _) => "is sent KILL".to_owned(),
        (Act::Exiting { code }, _) => format!("is about to exit with {code}"),
        (Act::Exited { code }, _) => format!("has exited with {code}"),
        (Act::Wrote { lines, .. }, _) => format!("has written {lines} lines"),
        (Act::Delivered(delivered), _) => format!("lines in the sink: {}", delivered.lines()),
        (Act::Said { lines }, _) => format!("said last: {}", lines.join(" | ")),
        _ => return None,
    })
}

fn clock(at: Timestamp) -> String {
    at.to_zoned(TimeZone::UTC).strftime("%H:%M:%S.%3f").to_string()
}
