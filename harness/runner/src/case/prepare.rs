//! Before the first step: namespace, watches, sink and agent configuration.

use std::{sync::Arc, time::Duration};

use serde_json::Value;
use sidecheck_cluster::Cluster;
use sidecheck_core::{
    agent::Protocol,
    trace::{Act, Witness},
};

use super::{Case, Shared, goal, record::Record, room};
use crate::{
    act::Objects,
    catalog::Listed,
    manifest::{Context, SINK_NAME},
    observe::{Board, Kind, Observer, kinds},
    run::{Group, Member},
};

/// How long the sink's pod may take to be ready. It starts in 2 to 3 s here; the rest is for a busy machine.
const SINK_BUDGET: Duration = Duration::from_secs(60);

/// A case that is ready for its first step, or that could not be prepared (`obstacle`).
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) label: String,
    pub(super) cluster: Arc<Cluster>,
    pub(super) context: Context,
    pub(super) record: Record,
    pub(super) board: Board,
    pub(super) objects: Option<Objects>,
    pub(super) observer: Option<Observer>,
    /// What the observer watches.
    pub(super) kinds: Vec<Kind>,
    pub(super) has_sink: bool,
    pub(super) obstacle: Option<String>,
    /// The others that do the same to the cluster, in a scenario that does something to it.
    pub(super) member: Option<Member>,
}

pub(super) async fn prepare(case: &Case, room: usize, shared: &Shared) -> Stage {
    let scenario = &case.listed.scenario;
    let agents = shared.catalog.agents_of(scenario);
    let agents = agents.into_iter().map(|(name, agent)| {
        let image = shared.agent_images.get(&name).cloned().unwrap_or_default();
        (name, (agent, image))
    });
    let context = Context {
        run: shared.run.clone(),
        namespace: room::name(room),
        key: case.key(&shared.run),
        node: case.cluster.nodes().next().unwrap_or_default().to_owned(),
        witness_image: shared.witness_image.clone(),
        agents: agents.collect(),
    };
    let mut stage = Stage {
        label: case.label(),
        cluster: Arc::clone(&case.cluster),
        context,
        record: Record::new(),
        board: Board::new(),
        objects: None,
        observer: None,
        kinds: kinds(scenario),
        has_sink: scenario.sink.is_some(),
        obstacle: None,
        member: case.group.as_ref().map(Group::join),
    };
    if let Err(error) = stage.set_up(&case.listed, shared).await {
        stage.obstacle = Some(error);
    }
    stage
}

impl Stage {
    async fn set_up(&mut self, listed: &Listed, shared: &Shared) -> Result<(), String> {
        let client = self.cluster.client().await.map_err(|error| format!("failed to reach the API server: {error}"))?;
        let objects = Objects::new(client.clone(), &self.context.namespace);
        self.objects = Some(objects.clone());
        room::take(&objects, &self.context, &listed.name).await?;
        let observer = Observer::start(&client, &self.context.namespace, &self.kinds, &self.board, &self.record.sender).await;
        self.observer = Some(observer.map_err(|error| format!("failed to open the watches: {error}"))?);
        let sink_host = match listed.scenario.sink {
            Some(protocol) => self.start_sink(&objects, shared, protocol).await?,
            None => String::new(),
        };
        for config in self.context.agent_configs(&sink_host) {
            self.record.note(Witness::Harness, Act::Applied { object: config.clone() });
            objects.create(&config).await?;
        }
        Ok(())
    }

    /// Starts the sink and returns its address.
    async fn start_sink(&self, objects: &Objects, shared: &Shared, protocol: Protocol) -> Result<String, String> {
        let mut changes = self.board.subscribe();
        objects.create(&self.context.sink(protocol)).await?;
        let _waiting = shared.progress.waiting(&self.label, "wait until the sink is ready");
        let ready = async {
            loop {
                if let Some(address) = self.sink_address() {
                    return address;
                }
                // The board outlives this wait, so its sender is never gone.
                let _ = changes.changed().await;
            }
        };
        tokio::select! {
            address = ready => Ok(address),
            () = shared.interrupt.wait() => Err("interrupted by the user".to_owned()),
            () = tokio::time::sleep(SINK_BUDGET) => {
                let seen = self.sink().as_ref().map_or_else(|| "no pod".to_owned(), goal::pod_summary);
                Err(format!("the sink was not ready within {} s; last seen: {seen}", SINK_BUDGET.as_secs()))
            }
        }
    }

    /// The sink's pod as it was last seen.
    pub(super) fn sink(&self) -> Option<Value> {
        self.board.of_kind("Pod").into_iter().find(|pod| pod["metadata"]["name"] == SINK_NAME)
    }

    fn sink_address(&self) -> Option<String> {
        let sink = self.sink()?;
        let conditions = sink.pointer("/status/conditions").and_then(Value::as_array)?;
        let ready = conditions.iter().any(|condition| condition["type"] == "Ready" && condition["status"] == "True");
        ready.then(|| sink["status"]["podIP"].as_str().map(str::to_owned)).flatten()
    }
}
