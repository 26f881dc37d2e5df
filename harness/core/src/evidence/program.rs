//! The program's record: `witness.jsonl`, one append-only file per node, shared by all containers of a scenario.
//!
//! Each line was one `write(2)`, so the order of lines is the order in which the writes happened, whatever the clocks say.
//! Its marks have a bias that the judge relies on: the `exiting` mark comes before the exit, and the `term` and `started`
//! marks come after the signal and the start.

use serde::Deserialize;

use super::{about, event, instant, missing, wall};
use crate::trace::{Act, Event, PodId, Witness};

/// One line.
#[derive(Deserialize)]
struct Record {
    pod: String,
    uid: String,
    container: String,
    incarnation: u32,
    act: String,
    wall_ns: i64,
    probe: Option<String>,
    ok: Option<bool>,
    code: Option<i32>,
    lines: Option<u64>,
    hook: Option<String>,
    end: Option<bool>,
    path: Option<String>,
}

/// Reads the record of one node; a line that can't be read becomes `EvidenceMissing`.
pub fn parse(node: &str, text: &str) -> Vec<Event> {
    let read = |(number, line): (usize, &str)| {
        let read = record(node, line).map(|event| Event { line: Some(number as u64), ..event });
        read.unwrap_or_else(|why| missing(Witness::Program, node, format!("line {number} of witness.jsonl is damaged: {why}")))
    };
    text.lines().enumerate().map(read).collect()
}

fn record(node: &str, line: &str) -> Result<Event, String> {
    let record: Record = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let at = wall(record.wall_ns).ok_or("its time is out of range")?;
    let lacks = |field: &str| format!("`{}` without `{field}`", record.act);
    let act = match record.act.as_str() {
        "started" => Act::Started,
        "ready" => Act::Ready,
        "probe" => Act::Probed { kind: record.probe.clone(), ok: record.ok.ok_or_else(|| lacks("ok"))? },
        "unready" => Act::Unready,
        "alive" | "hook_alive" => Act::Alive,
        "hook" => {
            let ended = record.end.ok_or_else(|| lacks("end"))?.then_some(record.ok.unwrap_or(true));
            Act::Hooked { hook: record.hook.clone().ok_or_else(|| lacks("hook"))?, ended }
        }
        "request" => Act::Requested { path: record.path.clone().ok_or_else(|| lacks("path"))? },
        "called" => Act::Called { ok: record.ok.ok_or_else(|| lacks("ok"))? },
        "term" => Act::Term,
        "exiting" => Act::Exiting { code: record.code.ok_or_else(|| lacks("code"))? },
        "wrote" => Act::Wrote { lines: record.lines.ok_or_else(|| lacks("lines"))?, begun: None, marks: vec![] },
        unknown => return Err(format!("the act `{unknown}` is not known")),
    };
    let pod = PodId { name: record.pod, uid: record.uid };
    Ok(about(event(Witness::Program, node, Some(instant(at)), act), &pod, &record.container, record.incarnation))
}
