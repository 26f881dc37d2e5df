//! Watches on one namespace, opened before anything is created in it.

use std::time::Duration;

use futures::{StreamExt, TryStreamExt};
use jiff::Timestamp;
use kube::{
    Api, Client,
    api::{ApiResource, DynamicObject, ListParams, WatchEvent, WatchParams},
    core::GroupVersionKind,
};
use serde_json::Value;
use sidecheck_core::trace::{Act, Event, PodId, Stamp, Witness};
use tokio::{sync::mpsc, task::JoinSet};

use super::{Board, kinds::Kind};

/// Running watches. They end when this is dropped.
#[derive(Debug)]
pub(crate) struct Observer {
    watches: JoinSet<()>,
}

impl Observer {
    /// Opens the watches and returns once each has its starting point, so that nothing created afterwards is missed.
    ///
    /// # Errors
    /// The API server refuses or does not answer the first list.
    pub(crate) async fn start(
        client: &Client,
        namespace: &str,
        kinds: &[Kind],
        board: &Board,
        events: &mpsc::UnboundedSender<Event>,
    ) -> kube::Result<Self> {
        let mut watches = JoinSet::new();
        for &(api_version, kind) in kinds {
            let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
            let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, version, kind));
            let api: Api<DynamicObject> = Api::namespaced_with(client.clone(), namespace, &resource);
            let start = resource_version(&api).await?;
            let follow = Follow { api, kind, board: board.clone(), events: events.clone() };
            watches.spawn(follow.run(start));
        }
        Ok(Self { watches })
    }

    /// Ends the watches.
    pub(crate) async fn stop(mut self) {
        self.watches.shutdown().await;
    }
}

async fn resource_version(api: &Api<DynamicObject>) -> kube::Result<String> {
    Ok(api.list(&ListParams::default().limit(1)).await?.metadata.resource_version.unwrap_or_else(|| "0".to_owned()))
}

/// One watch.
struct Follow {
    api: Api<DynamicObject>,
    kind: &'static str,
    board: Board,
    events: mpsc::UnboundedSender<Event>,
}

impl Follow {
    async fn run(self, mut version: String) {
        loop {
            let cause = match self.until_broken(&mut version).await {
                // The server closes each watch after a while; going on from the same version loses nothing.
                Ok(()) => continue,
                Err(cause) => cause,
            };
            let kind = Some(self.kind.to_owned());
            self.send(event(None, Act::WatchGap { kind, cause: format!("watch of {}: {cause}", self.kind) }));
            tokio::time::sleep(Duration::from_millis(500)).await;
            if let Ok(newest) = self.catch_up().await {
                version = newest;
            }
        }
    }

    /// Reads the objects as they are now, so that whoever waits sees what happened in the gap; returns where the watch goes on.
    async fn catch_up(&self) -> kube::Result<String> {
        let list = self.api.list(&ListParams::default()).await?;
        let version = list.metadata.resource_version.clone().unwrap_or_else(|| "0".to_owned());
        let there: Vec<Option<String>> = list.items.iter().map(|object| object.metadata.uid.clone()).collect();
        for object in list.items {
            self.seen("modified", object);
        }
        for gone in self.board.of_kind(self.kind) {
            let object: Result<DynamicObject, _> = serde_json::from_value(gone);
            if let Some(object) = object.ok().filter(|object| !there.contains(&object.metadata.uid)) {
                self.seen("deleted", object);
            }
        }
        Ok(version)
    }

    async fn until_broken(&self, version: &mut String) -> Result<(), String> {
        let parameters = WatchParams::default().timeout(290);
        let stream = self.api.watch(&parameters, version).await.map_err(|error| error.to_string())?;
        let mut stream = stream.boxed();
        while let Some(change) = stream.try_next().await.map_err(|error| error.to_string())? {
            let (change, object) = match change {
                WatchEvent::Added(object) => ("added", object),
                WatchEvent::Modified(object) => ("modified", object),
                WatchEvent::Deleted(object) => ("deleted", object),
                WatchEvent::Bookmark(bookmark) => {
                    version.clone_from(&bookmark.metadata.resource_version);
                    continue;
                }
                WatchEvent::Error(status) => return Err(status.message.clone()),
            };
            if let Some(newest) = &object.metadata.resource_version {
                version.clone_from(newest);
            }
            self.seen(change, object);
        }
        Ok(())
    }

    fn seen(&self, change: &str, mut object: DynamicObject) {
        object.metadata.managed_fields = None;
        let mut value = serde_json::to_value(&object).unwrap_or(Value::Null);
        value["kind"] = Value::from(self.kind);
        self.board.note(change, &value);
        let pod = (self.kind == "Pod")
            .then(|| PodId { name: object.metadata.name.unwrap_or_default(), uid: object.metadata.uid.unwrap_or_default() });
        self.send(event(pod, Act::Seen { change: change.to_owned(), object: value }));
    }

    fn send(&self, event: Event) {
        // The receiver is gone only when the case is over.
        let _ = self.events.send(event);
    }
}

/// An event of the API server, stamped with the client's clock.
fn event(pod: Option<PodId>, act: Act) -> Event {
    let now = Timestamp::now();
    Event {
        seq: 0,
        witness: Witness::Api,
        node: None,
        pod,
        container: None,
        incarnation: None,
        at: Some(Stamp { earliest: now, latest: now }),
        line: None,
        act,
    }
}
