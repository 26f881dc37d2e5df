//! What `state.sh` says.

use std::{collections::BTreeMap, str::FromStr};

use jiff::Timestamp;

/// What one node is doing, at one instant.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct NodeState {
    /// The node's wall clock.
    pub(crate) now: Timestamp,
    /// systemd's word for the kubelet, such as `active`.
    pub(crate) kubelet: String,
    /// When the kubelet's process was started.
    pub(crate) kubelet_started: Option<Timestamp>,
    /// What the kubelet's health endpoint says: `ok`, or why it says nothing.
    pub(crate) healthz: String,
    /// systemd's word for the recorder.
    pub(crate) recorder: String,
    /// The last beat of the heartbeat, where there is one.
    pub(crate) beat: Option<Timestamp>,
    /// What is put aside, such as `stopped/kube-apiserver.yaml`.
    pub(crate) aside: Vec<String>,
    /// Whether somebody listens on the API server's port.
    pub(crate) api_server_listens: bool,
    /// The gates that the manifests want, as the flag; empty where there is none.
    pub(crate) wanted: BTreeMap<String, String>,
    /// The components that run.
    pub(crate) processes: BTreeMap<String, Process>,
}

/// A running component.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Process {
    pub(crate) pid: u32,
    /// The flag that sets its gates; empty where there is none.
    pub(crate) gates: String,
}

impl NodeState {
    /// Whether the API server's manifest has been taken away.
    pub(crate) fn api_server_is_stopped(&self) -> bool {
        self.aside.iter().any(|file| file == "stopped/kube-apiserver.yaml")
    }

    /// The process of a component.
    pub(crate) fn pid_of(&self, name: &str) -> Option<u32> {
        self.processes.get(name).map(|process| process.pid)
    }
}

impl FromStr for NodeState {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut state = Self::default();
        for line in text.lines() {
            let (name, value) = line.split_once(' ').unwrap_or((line, ""));
            match name {
                "now" => state.now = time(value)?,
                "kubelet" => value.clone_into(&mut state.kubelet),
                "kubelet-started" => state.kubelet_started = Some(time(value)?),
                "healthz" => value.clone_into(&mut state.healthz),
                "recorder" => value.clone_into(&mut state.recorder),
                "beat" => state.beat = Some(time(value)?),
                "aside" => state.aside.push(value.to_owned()),
                "api-server" => state.api_server_listens = true,
                "wanted" => {
                    let (name, gates) = value.split_once(' ').unwrap_or((value, ""));
                    state.wanted.insert(name.to_owned(), gates.to_owned());
                }
                "process" => {
                    let (name, process) = process(value).ok_or_else(|| format!("`{line}` is no process"))?;
                    state.processes.insert(name, process);
                }
                _ => return Err(format!("`{line}` is not known")),
            }
        }
        if state.now == Timestamp::default() { Err("it has no `now`".to_owned()) } else { Ok(state) }
    }
}

fn time(nanoseconds: &str) -> Result<Timestamp, String> {
    let read = nanoseconds.parse().ok().and_then(|number| Timestamp::from_nanosecond(number).ok());
    read.ok_or_else(|| format!("`{nanoseconds}` is no time"))
}

fn process(value: &str) -> Option<(String, Process)> {
    let mut words = value.splitn(3, ' ');
    let (name, pid, gates) = (words.next()?, words.next()?.parse().ok()?, words.next().unwrap_or_default());
    Some((name.to_owned(), Process { pid, gates: gates.to_owned() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lines_are_read() {
        let text = "now 1796077548307640102\nkubelet active\nrecorder active\nkubelet-started 1796077548000000000\nhealthz ok\n\
            beat 1796077547000000000\naside stopped/kube-apiserver.yaml\napi-server listens\nwanted kube-scheduler \n\
            wanted kube-apiserver --feature-gates=A=true\nprocess kube-scheduler 12 \n\
            process kube-apiserver 13 --feature-gates=A=true,B=false";
        let state: NodeState = text.parse().unwrap();
        assert_eq!(state.kubelet_started.unwrap().as_second(), 1_796_077_548);
        assert!(state.api_server_is_stopped() && state.api_server_listens);
        assert_eq!(state.wanted["kube-scheduler"], "");
        assert_eq!(state.processes["kube-scheduler"], Process { pid: 12, gates: String::new() });
        assert_eq!(state.processes["kube-apiserver"].gates, "--feature-gates=A=true,B=false");
    }

    #[test]
    fn what_is_no_state_is_an_error() {
        for text in ["", "kubelet active", "now soon", "now 1796077548307640102\nprocess x"] {
            assert!(text.parse::<NodeState>().is_err(), "{text}");
        }
    }
}
