//! An agent's own last words.

use super::view::View;
use crate::{case::Case, trace::Act};

/// How many lines of a termination message are told.
const TOLD: usize = 10;

/// What it said last, or why that is not known.
pub(super) fn last(case: &Case<'_>, view: &View<'_>) -> String {
    let about = case
        .trace
        .events
        .iter()
        .rev()
        .filter(|event| event.pod.as_ref() == Some(view.pod) && event.container.as_deref() == Some(view.container));
    let acts: Vec<&Act> = about.map(|event| &event.act).collect();
    let said = acts.iter().find_map(|act| match act {
        Act::Said { lines } if !lines.is_empty() => Some(lines.iter().map(String::as_str).collect::<Vec<_>>()),
        _ => None,
    });
    let message = || {
        let lines: Vec<&str> = view.published.message.unwrap_or_default().lines().filter(|line| !line.is_empty()).collect();
        Some(lines[lines.len().saturating_sub(TOLD)..].to_vec()).filter(|lines| !lines.is_empty())
    };
    if let Some(lines) = said.or_else(message) {
        return format!("it said: {}", lines.join(" | "));
    }
    let missing = acts.iter().find_map(|act| match act {
        Act::EvidenceMissing { what } => Some(format!("what it said is not known: {what}")),
        _ => None,
    });
    missing.unwrap_or_else(|| "it said nothing".to_owned())
}
