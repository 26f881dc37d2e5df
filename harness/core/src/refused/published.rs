//! What the kubelet published about an agent's container in one pod.

use jiff::Timestamp;
use serde_json::Value;

use crate::{
    lives::{OBSTACLES, containers, status::statuses},
    trace::{Act, PodId, Trace},
};

#[derive(Debug, Default)]
pub(super) struct Published<'a> {
    /// Whether the container has a startup probe.
    pub(super) probed: bool,
    /// Whether it was published as started: with a startup probe, that one has succeeded.
    pub(super) started: bool,
    /// Why it can't be created, in words.
    pub(super) obstacle: Option<String>,
    /// How often it had been restarted when it was last seen to wait for its next restart.
    pub(super) backs_off: Option<u64>,
    /// Its last exit code.
    pub(super) code: Option<i32>,
    /// The last message of an incarnation that failed: an agent's is what it logged last.
    pub(super) message: Option<&'a str>,
    /// When it was first seen to run without being started.
    pub(super) unready_since: Option<Timestamp>,
    /// When the pod's deletion was first seen to be asked for.
    pub(super) deleting_since: Option<Timestamp>,
}

impl<'a> Published<'a> {
    pub(super) fn of(trace: &'a Trace, pod: &PodId, container: &str) -> Self {
        let mut published = Self::default();
        for event in &trace.events {
            let Act::Seen { object, .. } = &event.act else { continue };
            if PodId::of(object).as_ref() != Some(pod) {
                continue;
            }
            let at = event.at.map(|at| at.earliest);
            if object.pointer("/metadata/deletionTimestamp").is_some() {
                published.deleting_since = published.deleting_since.or(at);
            }
            published.probed |= is_probed(object, container);
            if let Some(status) = statuses(object).find(|status| status["name"] == container) {
                published.read(status, at);
            }
        }
        published
    }

    fn read(&mut self, status: &'a Value, at: Option<Timestamp>) {
        let text = |pointer: &str| status.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        self.started |= status["started"] == true;
        if status.pointer("/state/running").is_some() && status["started"] != true {
            self.unready_since = self.unready_since.or(at);
        }
        let (reason, message) = (text("/state/waiting/reason"), text("/state/waiting/message"));
        if OBSTACLES.contains(&reason) {
            let what = if reason.contains("Image") { "its image can't be had" } else { "its container can't be created" };
            let message = if message.is_empty() { String::new() } else { format!(" ({message})") };
            self.obstacle = Some(format!("{what}: {reason}{message}"));
        }
        if reason == "CrashLoopBackOff" {
            self.backs_off = status["restartCount"].as_u64().or(Some(0));
        }
        for ended in ["/lastState/terminated", "/state/terminated"].into_iter().filter_map(|pointer| status.pointer(pointer)) {
            self.code = ended["exitCode"].as_i64().and_then(|code| i32::try_from(code).ok()).or(self.code);
            self.message = ended["message"].as_str().filter(|message| !message.trim().is_empty()).or(self.message);
        }
    }
}

fn is_probed(object: &Value, container: &str) -> bool {
    containers(object).any(|one| one["name"] == container && one.get("startupProbe").is_some())
}
