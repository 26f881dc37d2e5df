//! The lines that a container writes: options that contradict each other.

use super::Wrong;
use crate::scenario::{Container, Span, Writes};

pub(super) fn check(container: &Container) -> Result<(), Wrong> {
    let Some(writes) = &container.writes else { return Ok(()) };
    contradiction(container, writes).map_or(Ok(()), |what| {
        let name = &container.name;
        Err(Wrong::new(format!("name: {name}"), format!("`{name}` can't write so: {what}")))
    })
}

fn contradiction(container: &Container, writes: &Writes) -> Option<&'static str> {
    let stops_itself = container.exits.is_some() || container.stop_takes > Span::default() || container.stop_code > 0;
    if writes.lines == 0 && writes.burst_at_term == 0 && writes.at_exit == 0 && !writes.until_kill {
        return Some("there are no lines: none of `lines`, `burst_at_term`, `at_exit` and `until_kill` is given");
    }
    if writes.until_kill {
        if stops_itself {
            return Some("what writes `until_kill` has no end of its own: no `exits`, `stop_takes` or `stop_code`");
        }
        if writes.at_exit > 0 || writes.without_final_newline {
            return Some("what writes `until_kill` knows no last line: no `at_exit` or `without_final_newline`");
        }
        if writes.every == Span::default() {
            return Some("`until_kill` needs a pause, `every`: without one it is always killed in the middle of a line");
        }
    }
    if writes.without_final_newline && writes.at_exit == 0 && (writes.burst_at_term > 0 || writes.lines == 0) {
        return Some("which line is the last one shows at the exit: `without_final_newline` needs `at_exit` here");
    }
    if writes.stack_traces.is_some_and(|lines| lines < 2) {
        return Some("a stack trace has two lines at least");
    }
    match writes.rotate {
        Some(_) if !writes.to.has_file() => Some("only a file can be rotated, and it writes to stdout"),
        Some(rotate) if rotate.every == 0 => Some("`rotate` needs some lines between two turns"),
        _ => None,
    }
}
