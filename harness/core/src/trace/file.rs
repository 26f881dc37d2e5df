//! Trace files: written in one go when a scenario has been collected, read with clear messages.

use super::{End, Event, FORMAT, Header, Trace};

/// A file that is no usable trace.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct TraceError {
    /// The file's name as the user gave it.
    pub file: String,
    /// Line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl Trace {
    /// The trace as the text of its file.
    pub fn to_text(&self) -> String {
        let json = |value: serde_json::Result<String>| value.expect("types of the trace always serialize");
        let mut text = json(serde_json::to_string(&self.header));
        text.push('\n');
        for event in &self.events {
            text.push_str(&json(serde_json::to_string(event)));
            text.push('\n');
        }
        text.push_str(&json(serde_json::to_string(&End { events: self.events.len() as u64 })));
        text.push('\n');
        text
    }

    /// Reads a trace; `file` only names it in errors.
    ///
    /// # Errors
    /// With file and line: a file of something else, a trace of a newer format, a line that is damaged, a missing end,
    /// events that are not numbered one after the other.
    pub fn parse(file: &str, text: &str) -> Result<Self, TraceError> {
        let fail = |line: usize, message: String| TraceError { file: file.to_owned(), line, message };
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        let Some((_, first)) = lines.next() else {
            return Err(fail(1, "the trace is empty".to_owned()));
        };
        let header = parse_header(first).map_err(|message| fail(1, message))?;
        let mut events: Vec<Event> = Vec::new();
        for (number, line) in lines.by_ref() {
            if let Ok(end) = serde_json::from_str::<End>(line) {
                if end.events != events.len() as u64 {
                    return Err(fail(number, format!("the trace says {} events, but holds {}", end.events, events.len())));
                }
                if let Some((extra, _)) = lines.next() {
                    return Err(fail(extra, "there are lines after the end of the trace".to_owned()));
                }
                return Ok(Self { header, events });
            }
            let event: Event =
                serde_json::from_str(line).map_err(|error| fail(number, format!("no event of a trace: {error}")))?;
            if event.seq != events.len() as u64 {
                return Err(fail(
                    number,
                    format!("event {} stands where {} is expected: lines are missing or moved", event.seq, events.len()),
                ));
            }
            events.push(event);
        }
        Err(fail(
            events.len() + 1,
            format!("the trace is truncated: it ends after {} events without its last line", events.len()),
        ))
    }
}

fn parse_header(line: &str) -> Result<Header, String> {
    let value: serde_json::Value = serde_json::from_str(line).map_err(|error| format!("not a sidecheck trace: {error}"))?;
    if value.get("trace").and_then(serde_json::Value::as_str) != Some("sidecheck") {
        return Err("not a sidecheck trace: the first line has no `\"trace\":\"sidecheck\"`".to_owned());
    }
    let format = value.get("format").and_then(serde_json::Value::as_u64).unwrap_or(0);
    if format > u64::from(FORMAT) {
        return Err(format!("the trace has format {format}, this version reads up to {FORMAT}: use a newer sidecheck"));
    }
    serde_json::from_value(value).map_err(|error| format!("damaged header: {error}"))
}
