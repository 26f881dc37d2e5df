//! Entries of containerd's journal, such as `time="2026-11-30T19:30:11.631757089Z" level=info msg="StartContainer for \"ID\""`.

use jiff::Timestamp;

/// An entry of interest.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) at: Timestamp,
    pub(super) said: Said,
}

/// What it says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// A sandbox was made for a pod.
    Sandbox { id: String, name: String, uid: String, namespace: String },
    /// A container was made in a sandbox.
    Created { id: String, sandbox: String, name: String },
    /// The call that starts a container came in.
    StartCalled { id: String },
    /// It returned.
    StartReturned { id: String },
    /// The stop signal is about to be sent.
    StopSignal { id: String },
    /// The kill signal is about to be sent.
    Kill { id: String },
}

/// Reads one line; `Ok(None)` for what is of no interest, foreign lines (a panic's trace) among it.
pub(super) fn entry(line: &str) -> Result<Option<Entry>, String> {
    let Some(rest) = line.strip_prefix("time=\"") else { return Ok(None) };
    let (at, rest) = rest.split_once('"').ok_or("its time has no end")?;
    let at = at.parse().map_err(|_| format!("`{at}` is no time"))?;
    // Messages of one word stand without quotes; none of those is of interest.
    let Some((_, quoted)) = rest.split_once(" msg=\"") else { return Ok(None) };
    let message = unquote(quoted).ok_or("its message has no end")?;
    Ok(said(&message).map(|said| Entry { at, said }))
}

/// A text in Go's quotes up to the closing one.
fn unquote(quoted: &str) -> Option<String> {
    let mut text = String::new();
    let mut chars = quoted.chars();
    loop {
        match chars.next()? {
            '"' => return Some(text),
            '\\' => text.push(chars.next()?),
            other => text.push(other),
        }
    }
}

fn said(message: &str) -> Option<Said> {
    let id = |text: &str| text.strip_prefix('"').and_then(|text| text.split('"').next()).map(str::to_owned);
    if let Some(rest) = message.strip_prefix("RunPodSandbox for ") {
        let (metadata, sandbox) = rest.split_once(" returns sandbox id ")?;
        return Some(Said::Sandbox {
            id: id(sandbox)?,
            name: field(metadata, "Name")?,
            uid: field(metadata, "Uid")?,
            namespace: field(metadata, "Namespace")?,
        });
    }
    if let Some(rest) = message.strip_prefix("CreateContainer within sandbox ") {
        let (call, made) = rest.split_once(" returns container id ")?;
        return Some(Said::Created { id: id(made)?, sandbox: id(call)?, name: field(call, "Name")? });
    }
    if let Some(rest) = message.strip_prefix("StartContainer for ") {
        let id = id(rest)?;
        let end = &rest[id.len() + 2..];
        return match end {
            "" => Some(Said::StartCalled { id }),
            " returns successfully" => Some(Said::StartReturned { id }),
            _ => None,
        };
    }
    if let Some(rest) = message.strip_prefix("Stop container ") {
        return rest.contains(" with signal ").then_some(Said::StopSignal { id: id(rest)? });
    }
    message.strip_prefix("Kill container ").and_then(id).map(|id| Said::Kill { id })
}

/// A field of a printed message: `Name:app,` as gogo's protobuf prints it, or `name:"app"` as Google's does.
fn field(metadata: &str, name: &str) -> Option<String> {
    let gogo = format!("{name}:");
    let google = format!("{}:\"", name.to_lowercase());
    let after = |key: &str| {
        let mut places = metadata.match_indices(key).map(|(place, _)| place);
        // Not the end of a longer name, such as the `uid` in `somethinguid`.
        let place = places.find(|place| !metadata[..*place].ends_with(|c: char| c.is_alphanumeric()))?;
        Some(&metadata[place + key.len()..])
    };
    let ends = |c: char| c == ',' || c == '}' || c == ' ';
    if let Some(rest) = after(&gogo) {
        return rest.split(ends).next().map(str::to_owned);
    }
    after(&google).and_then(|rest| rest.split('"').next()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said_in(message: &str) -> Option<Said> {
        let line = format!("time=\"2026-11-30T19:30:11.631757089Z\" level=info msg=\"{}\"", message.replace('"', "\\\""));
        entry(&line).expect("must parse").map(|entry| entry.said)
    }

    #[test]
    fn both_ways_of_printing_metadata_are_read() {
        let sandbox = |id: &str| Said::Sandbox { id: id.into(), name: "pod".into(), uid: "u-1".into(), namespace: "ns".into() };
        let old = r#"RunPodSandbox for &PodSandboxMetadata{Name:pod,Uid:u-1,Namespace:ns,Attempt:0,} returns sandbox id "s""#;
        let new = r#"RunPodSandbox for name:"pod" uid:"u-1" namespace:"ns" returns sandbox id "s""#;
        assert_eq!(said_in(old), Some(sandbox("s")));
        assert_eq!(said_in(new), Some(sandbox("s")));
        let created = || Said::Created { id: "c".into(), sandbox: "s".into(), name: "app".into() };
        let old = r#"CreateContainer within sandbox "s" for &ContainerMetadata{Name:app,Attempt:2,} returns container id "c""#;
        let new = r#"CreateContainer within sandbox "s" for name:"app" attempt:2 returns container id "c""#;
        assert_eq!(said_in(old), Some(created()));
        assert_eq!(said_in(new), Some(created()));
    }

    #[test]
    fn calls_and_signals_are_told_apart() {
        assert_eq!(said_in(r#"StartContainer for "c""#), Some(Said::StartCalled { id: "c".into() }));
        assert_eq!(said_in(r#"StartContainer for "c" returns successfully"#), Some(Said::StartReturned { id: "c".into() }));
        assert_eq!(said_in(r#"StartContainer for "c" failed"#), None);
        assert_eq!(said_in(r#"Stop container "c" with signal terminated"#), Some(Said::StopSignal { id: "c".into() }));
        assert_eq!(said_in(r#"StopContainer for "c" with timeout 30 (s)"#), None);
        assert_eq!(said_in(r#"Kill container "c""#), Some(Said::Kill { id: "c".into() }));
    }

    #[test]
    fn a_message_without_its_end_is_damage() {
        assert!(entry(r#"time="2026-11-30T19:30:11.631757089Z" level=info msg="Stop container \"c"#).is_err());
        assert!(entry(r#"time="yesterday" level=info msg="Kill container""#).is_err());
        assert_eq!(entry("goroutine 1 [running]:"), Ok(None));
    }
}
