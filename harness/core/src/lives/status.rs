//! Lives from the statuses that the kubelet published, as the API watch showed them.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::{Lives, Mark, Moment};
use crate::trace::{Act, Event, PodId, Stamp, Trace};

/// The kubelet copies the runtime's nanoseconds, and the API's time type cuts them to whole seconds.
const CUT: SignedDuration = SignedDuration::from_nanos(999_999_999);

/// Reasons of a waiting container that say that the machine or what it was given, not Kubernetes' promise, is the trouble.
pub const OBSTACLES: [&str; 6] = [
    "ErrImagePull",
    "ImagePullBackOff",
    "ErrImageNeverPull",
    "InvalidImageName",
    "CreateContainerConfigError",
    "CreateContainerError",
];

/// The table of what the kubelet published.
pub(super) fn lives(trace: &Trace) -> Lives {
    let mut reader = Reader {
        lives: Lives::default(),
        numbers: BTreeMap::new(),
        lag: SignedDuration::from_millis(trace.resolution_ms().cast_signed()),
    };
    for event in &trace.events {
        let Act::Seen { object, .. } = &event.act else { continue };
        let Some(pod) = PodId::of(object) else { continue };
        for status in statuses(object) {
            reader.read(&Source { event, object, pod: &pod, status });
        }
    }
    reader.lives
}

/// The statuses of init containers and mains in a pod object.
pub(crate) fn statuses(object: &Value) -> impl Iterator<Item = &Value> {
    ["/status/initContainerStatuses", "/status/containerStatuses"]
        .into_iter()
        .filter_map(|pointer| object.pointer(pointer).and_then(Value::as_array))
        .flatten()
}

/// One container status and where it stands.
struct Source<'a> {
    event: &'a Event,
    object: &'a Value,
    pod: &'a PodId,
    status: &'a Value,
}

struct Reader {
    lives: Lives,
    /// Which incarnation a container id is, by pod and id.
    numbers: BTreeMap<(PodId, String), u32>,
    /// The stamp under the cut one was itself taken a moment after the fact, by the runtime.
    lag: SignedDuration,
}

impl Reader {
    fn read(&mut self, source: &Source<'_>) {
        let count = source.status.get("restartCount").and_then(Value::as_u64).unwrap_or(0) as u32;
        if let Some(running) = source.status.pointer("/state/running") {
            if let Some(id) = source.status.get("containerID").and_then(Value::as_str) {
                self.numbers.insert((source.pod.clone(), id.to_owned()), count);
            }
            self.started(source, count, running);
        }
        if let Some(ended) = source.status.pointer("/state/terminated") {
            self.ended(source, count, ended);
        }
        if let Some(ended) = source.status.pointer("/lastState/terminated") {
            let id = ended.get("containerID").and_then(Value::as_str).unwrap_or_default();
            let known = self.numbers.get(&(source.pod.clone(), id.to_owned())).copied();
            // A container that waits for its restart still has the count of the incarnation that ended.
            let waits = source.status.pointer("/state/waiting").is_some();
            self.ended(source, known.unwrap_or(if waits { count } else { count.saturating_sub(1) }), ended);
        }
    }

    fn started(&mut self, source: &Source<'_>, number: u32, state: &Value) {
        let Some(mark) = self.mark(source, state, "startedAt", Moment::Started) else { return };
        if let Some(name) = name(source.status) {
            self.lives.entry(source.pod, name, number).started.get_or_insert(mark);
        }
    }

    fn ended(&mut self, source: &Source<'_>, number: u32, state: &Value) {
        if let Some(id) = state.get("containerID").and_then(Value::as_str) {
            self.numbers.insert((source.pod.clone(), id.to_owned()), number);
        }
        self.started(source, number, state);
        let Some(mark) = self.mark(source, state, "finishedAt", Moment::Exited) else { return };
        if let Some(name) = name(source.status) {
            let life = self.lives.entry(source.pod, name, number);
            life.ended.get_or_insert(mark);
            life.code = state.get("exitCode").and_then(Value::as_i64).map(|code| code as i32);
        }
    }

    /// `None` where the stamp is missing, or is the epoch, which stands for "not known".
    fn mark(&self, source: &Source<'_>, state: &Value, key: &str, moment: Moment) -> Option<Mark> {
        let cut: Timestamp = state.get(key)?.as_str()?.parse().ok()?;
        if cut.as_second() <= 0 {
            return None;
        }
        let mut mark = Mark::of(source.event, source.pod, name(source.status)?, moment);
        mark.at = Some(Stamp { earliest: cut.checked_sub(self.lag).ok()?, latest: cut.checked_add(CUT).ok()? });
        mark.said = Some(cut);
        mark.node = source.object.pointer("/spec/nodeName").and_then(Value::as_str).map(str::to_owned);
        Some(mark)
    }
}

/// The init containers and mains in the spec of a pod object, in their order.
pub fn containers(object: &Value) -> impl Iterator<Item = &Value> {
    let lists = ["/spec/initContainers", "/spec/containers"];
    lists.into_iter().filter_map(|pointer| object.pointer(pointer).and_then(Value::as_array)).flatten()
}

fn name(status: &Value) -> Option<&str> {
    status.get("name").and_then(Value::as_str)
}
