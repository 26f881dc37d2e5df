//! The newest state of each object, and a signal for whoever waits for a change.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use serde_json::Value;
use tokio::sync::watch;

/// Kind, name and uid.
type Key = (String, String, String);

/// The newest states; cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Board {
    objects: Arc<Mutex<BTreeMap<Key, Value>>>,
    changed: watch::Sender<u64>,
}

impl Board {
    pub(crate) fn new() -> Self {
        Self { objects: Arc::default(), changed: watch::Sender::new(0) }
    }

    /// Notes a new state, or that the object is gone.
    pub(crate) fn note(&self, change: &str, object: &Value) {
        let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        let key = (text("/kind"), text("/metadata/name"), text("/metadata/uid"));
        {
            let mut objects = self.objects.lock().expect("no holder of the board panics");
            if change == "deleted" {
                objects.remove(&key);
            } else {
                objects.insert(key, object.clone());
            }
        }
        self.changed.send_modify(|version| *version += 1);
    }

    /// The objects of that kind that exist, by name. Scenarios write kinds in small letters.
    pub(crate) fn of_kind(&self, kind: &str) -> Vec<Value> {
        let objects = self.objects.lock().expect("no holder of the board panics");
        objects.iter().filter(|((of, _, _), _)| of.eq_ignore_ascii_case(kind)).map(|(_, object)| object.clone()).collect()
    }

    /// A receiver that wakes at each change from now on.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }
}
