//! Lines of `ctr events`, such as
//! `2026-11-30 19:30:14.756998255 +0000 UTC k8s.io /tasks/exit {"container_id":"..","id":"..","exited_at":".."}`.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

/// Something that happened to a task.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Happened {
    /// When it was told.
    pub(super) at: Timestamp,
    /// The id of the container.
    pub(super) container: String,
    pub(super) topic: Topic,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Topic {
    /// The container's process runs.
    Start,
    /// A command in the container runs.
    ExecStarted { exec: String },
    /// The container's process (id = container) or a command in it has ended.
    Exit { id: String, status: i32, exited_at: Timestamp },
}

#[derive(Deserialize)]
struct Task {
    container_id: String,
    #[serde(default)]
    exec_id: Option<String>,
    #[serde(default)]
    id: Option<String>,
    /// Absent when it is 0.
    #[serde(default)]
    exit_status: u32,
    #[serde(default)]
    exited_at: Option<Value>,
}

/// Reads one line; `Ok(None)` for what is not about starts and exits.
pub(super) fn happened(line: &str) -> Result<Option<Happened>, String> {
    let mut fields = line.splitn(7, ' ');
    let (Some(day), Some(time), Some("+0000"), Some("UTC"), Some(_namespace), Some(topic), Some(json)) =
        (fields.next(), fields.next(), fields.next(), fields.next(), fields.next(), fields.next(), fields.next())
    else {
        return Err("it is no event of containerd".to_owned());
    };
    let at: Timestamp = format!("{day}T{time}Z").parse().map_err(|_| format!("`{day} {time}` is no time"))?;
    if !matches!(topic, "/tasks/start" | "/tasks/exec-started" | "/tasks/exit") {
        return Ok(None);
    }
    let task: Task = serde_json::from_str(json).map_err(|error| format!("{topic}: {error}"))?;
    let lacks = |field: &str| format!("{topic} without `{field}`");
    let topic = match topic {
        "/tasks/start" => Topic::Start,
        "/tasks/exec-started" => Topic::ExecStarted { exec: task.exec_id.ok_or_else(|| lacks("exec_id"))? },
        _ => Topic::Exit {
            id: task.id.ok_or_else(|| lacks("id"))?,
            status: task.exit_status.cast_signed(),
            exited_at: instant(&task.exited_at.ok_or_else(|| lacks("exited_at"))?).ok_or("its `exited_at` is no time")?,
        },
    };
    Ok(Some(Happened { at, container: task.container_id, topic }))
}

/// containerd 1.6 writes a text, newer ones the fields of a protobuf timestamp, of which a 0 is absent.
fn instant(exited_at: &Value) -> Option<Timestamp> {
    match exited_at {
        Value::String(text) => text.parse().ok(),
        Value::Object(fields) => {
            let number = |name: &str| fields.get(name).map_or(Some(0), Value::as_i64);
            Timestamp::new(number("seconds")?, i32::try_from(number("nanos")?).ok()?).ok()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("must be a time")
    }

    #[test]
    fn both_forms_of_exited_at_are_read() {
        let old = r#"2026-11-30 19:30:14.756998255 +0000 UTC k8s.io /tasks/exit {"container_id":"c","id":"c","pid":7,"exit_status":143,"exited_at":"2026-11-30T19:30:14.75697926Z"}"#;
        let new = r#"2026-11-30 19:30:14.756998255 +0000 UTC k8s.io /tasks/exit {"container_id":"c","id":"c","pid":7,"exit_status":143,"exited_at":{"seconds":1796067014,"nanos":756979260}}"#;
        let expected = Topic::Exit { id: "c".to_owned(), status: 143, exited_at: at("2026-11-30T19:30:14.75697926Z") };
        assert_eq!(happened(old).expect("must parse").expect("must count").topic, expected);
        assert_eq!(happened(new).expect("must parse").expect("must count").topic, expected);
    }

    #[test]
    fn whole_seconds_and_a_status_of_0_have_no_digits() {
        let line = r#"2026-11-30 19:30:14 +0000 UTC k8s.io /tasks/exit {"container_id":"c","id":"x","exited_at":{"seconds":1796067014}}"#;
        let exit = happened(line).expect("must parse").expect("must count");
        assert_eq!(exit.at, at("2026-11-30T19:30:14Z"));
        assert_eq!(exit.topic, Topic::Exit { id: "x".to_owned(), status: 0, exited_at: at("2026-11-30T19:30:14Z") });
    }

    #[test]
    fn other_topics_are_left_out_and_damage_is_told() {
        let other = r#"2026-11-30 19:30:03.9 +0000 UTC k8s.io /snapshot/prepare {"key":"k"}"#;
        assert_eq!(happened(other), Ok(None));
        assert!(happened("2026-11-30 19:30:14.75 +0000 UTC k8s.io /tasks/exit {\"container_id\":\"c\"").is_err());
        assert!(happened("19:30:14.75 something else").is_err());
    }
}
