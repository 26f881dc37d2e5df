//! A producer's own count of its lines: a file of its own for each incarnation, outside the log's path, written before and
//! after each batch, so that it survives a kill.
//!
//! ```text
//! {"run":"r1","uid":"u","container":"app","incarnation":0,"tag":"k3f9x2","lines":900,"begun":1000}
//! {"lines":0,"wall_ns":1796067014756979260}
//! {"lines":900,"wall_ns":1796067014766979260}
//! ```
//! The first line has the lines that were written for sure (`lines`), and the last one that it began to write. Each other line
//! is a mark: when it was made, so many lines had been written and no more. There are at most a few hundred of them, in no
//! order, and any two of them may stand for a time in which others were made and dropped.

use serde::Deserialize;

use super::{about, event, missing, wall};
use crate::trace::{Act, Event, LineMark, PodId, Witness};

#[derive(Deserialize)]
struct Count {
    uid: String,
    container: String,
    incarnation: u32,
    lines: u64,
    #[serde(default)]
    begun: u64,
}

#[derive(Deserialize)]
struct Mark {
    lines: u64,
    wall_ns: i64,
}

/// Reads one such file; `file` only names it. It knows its pod by uid only: [`crate::trace::Trace::new`] adds the name.
pub fn parse(node: &str, file: &str, text: &str) -> Vec<Event> {
    let read = read(text).map(|(Count { uid, container, incarnation, lines, begun }, marks)| {
        let pod = PodId { name: String::new(), uid };
        let act = Act::Wrote { lines, begun: (begun > lines).then_some(begun), marks };
        about(event(Witness::Program, node, None, act), &pod, &container, incarnation)
    });
    vec![read.unwrap_or_else(|why| missing(Witness::Program, node, format!("the count {file} is damaged: {why}")))]
}

fn read(text: &str) -> Result<(Count, Vec<LineMark>), String> {
    let mut lines = text.lines();
    let count = serde_json::from_str(lines.next().unwrap_or_default()).map_err(|error| error.to_string())?;
    let mark = |line| {
        let mark: Mark = serde_json::from_str(line).map_err(|error| format!("a mark: {error}"))?;
        let at = wall(mark.wall_ns).ok_or("the time of a mark is out of range")?;
        Ok(LineMark { lines: mark.lines, at })
    };
    let mut marks = lines.map(mark).collect::<Result<Vec<_>, String>>()?;
    marks.sort_by_key(|mark| (mark.lines, mark.at));
    Ok((count, marks))
}
