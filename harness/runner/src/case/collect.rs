//! After the last step: the sink's, the nodes' and the API server's evidence becomes one trace.

use std::{sync::Arc, time::Duration};

use jiff::Timestamp;
use sidecheck_cluster::{
    Cluster,
    recorder::{self, NodeEvidence},
};
use sidecheck_core::{
    evidence,
    scenario::{Disruption, Scenario, Step},
    trace::{Act, Event, FORMAT, Header, RULES, Trace, Witness},
};

use super::{Case, Shared, clean_up::Judged, prepare::Stage, said};
use crate::{
    act::Objects,
    evidence::CaseDir,
    manifest::{Context, SINK_NAME},
};

/// How long the sink may take to store what has arrived and to end.
const SINK_END: Duration = Duration::from_secs(20);

/// A case whose steps are over.
#[derive(Debug)]
pub(super) struct Acted(Stage);

/// A case of which everything is known that will ever be known.
#[derive(Debug)]
pub(super) struct Collected {
    pub(super) cluster: Arc<Cluster>,
    pub(super) context: Context,
    pub(super) objects: Option<Objects>,
    events: Vec<Event>,
    nodes: Vec<(String, NodeEvidence)>,
}

impl Acted {
    pub(super) fn new(stage: Stage) -> Self {
        Self(stage)
    }

    /// Collects. What can't be had is noted in the trace as missing, with the reason.
    pub(super) async fn collect(self, scenario: &Scenario) -> Collected {
        let Self(mut stage) = self;
        said::note(&stage, scenario.workload().pod()).await;
        if let (true, Some(objects)) = (stage.has_sink, &stage.objects)
            && let Err(what) = end_sink(&stage, objects).await
        {
            stage.record.note(Witness::Sink, Act::EvidenceMissing { what });
        }
        let nodes = collect_nodes(&stage).await;
        if let Some(observer) = stage.observer.take() {
            observer.stop().await;
        }
        let mut events = stage.record.take();
        let reboots = reboots(&events, scenario);
        let calibrated_ms = stage.cluster.environment.runtime_resolution_ms;
        for (name, evidence) in &nodes {
            events.extend(node_events(name, evidence, &stage.context, (calibrated_ms, &reboots)));
        }
        Collected { cluster: stage.cluster, context: stage.context, objects: stage.objects, events, nodes }
    }
}

/// Ends the sink, so that all that reached it is on disk, and waits until its container has ended: the pod itself may stay
/// for another quarter of a minute on a busy node.
async fn end_sink(stage: &Stage, objects: &Objects) -> Result<(), String> {
    objects.delete("v1", "Pod", SINK_NAME).await?;
    let mut changes = stage.board.subscribe();
    let ended = async {
        while stage.sink().is_some_and(|sink| sink.pointer("/status/containerStatuses/0/state/terminated").is_none()) {
            // The board outlives this wait, so its sender is never gone.
            let _ = changes.changed().await;
        }
    };
    let ended = tokio::time::timeout(SINK_END, ended).await;
    ended.map_err(|_| format!("the sink did not end within {} s: lines may still have been on their way", SINK_END.as_secs()))
}

/// What each node recorded; of one that does not give it, none of its witnesses has a word.
async fn collect_nodes(stage: &Stage) -> Vec<(String, NodeEvidence)> {
    let mut nodes = Vec::new();
    for node in stage.cluster.nodes() {
        match recorder::collect(&stage.cluster.engine, node, stage.record.began, &stage.context.key).await {
            Ok(evidence) => nodes.push((node.to_owned(), evidence)),
            Err(error) => {
                for witness in [Witness::Program, Witness::Runtime, Witness::Sink, Witness::Node] {
                    stage.record.note(witness, Act::EvidenceMissing { what: error.to_string() });
                }
            }
        }
    }
    nodes
}

/// When the scenario itself rebooted nodes: from begin to end of each such step.
fn reboots(events: &[Event], scenario: &Scenario) -> Vec<(Timestamp, Timestamp)> {
    let steps = scenario.steps.iter().enumerate().filter(|(_, step)| **step == Step::Disrupt(Disruption::RebootNode));
    let at = |wanted: &dyn Fn(&Act) -> bool| events.iter().find(|event| wanted(&event.act)).and_then(|event| event.at);
    let windows = steps.filter_map(|(index, _)| {
        let began = at(&|act| matches!(act, Act::StepBegan { step } if *step == index))?;
        let ended = at(&|act| matches!(act, Act::StepEnded { step, .. } if *step == index))?;
        Some((began.earliest, ended.latest))
    });
    windows.collect()
}

type Calibration<'a> = (u64, &'a [(Timestamp, Timestamp)]);

fn node_events(node: &str, collected: &NodeEvidence, context: &Context, (calibrated_ms, reboots): Calibration<'_>) -> Vec<Event> {
    let late_ms = evidence::heartbeat::longest_delay_ms(&collected.heartbeat, reboots);
    let mut events = vec![evidence::resolution(node, calibrated_ms, late_ms)];
    for (path, bytes) in &collected.files {
        let text = String::from_utf8_lossy(bytes);
        match path.as_str() {
            // Counts first: the record's own, which knows more of the pod, comes later and is the last word.
            produced if produced.starts_with("produced/") => events.extend(evidence::produced::parse(node, produced, &text)),
            "witness.jsonl" => events.extend(evidence::program::parse(node, &text)),
            "sink/lines.jsonl" => events.extend(evidence::sink::read(node, bytes.as_slice())),
            _ => {}
        }
    }
    events.extend(evidence::runtime::parse(
        node,
        &context.namespace,
        &collected.events,
        &collected.journal,
        calibrated_ms + late_ms,
    ));
    events.extend(evidence::heartbeat::parse(node, &collected.heartbeat));
    events.extend(evidence::recorder::parse(node, &collected.recorder_starts));
    events
}

impl Collected {
    /// Judges the trace and writes everything down, the trace first.
    ///
    /// # Errors
    /// The disk refuses, or no expectation can be derived.
    pub(super) fn judge(self, case: &Case, shared: &Shared, dir: &CaseDir) -> anyhow::Result<Judged> {
        let header = Header {
            trace: "sidecheck".to_owned(),
            format: FORMAT,
            rules: RULES,
            sidecheck: env!("CARGO_PKG_VERSION").to_owned(),
            run: shared.run.clone(),
            namespace: self.context.namespace.clone(),
            scenario_name: case.listed.name.clone(),
            scenario: case.listed.scenario.clone(),
            deviations: case.listed.deviations(&shared.catalog),
            environment: self.cluster.environment.clone(),
        };
        let trace = Trace::new(header, self.events);
        dir.write_trace(&trace)?;
        for (name, evidence) in &self.nodes {
            dir.write_node(name, evidence)?;
        }
        let verdicts = sidecheck_core::judge(&trace)?;
        dir.write_verdicts(&verdicts)?;
        Ok(Judged { cluster: self.cluster, context: self.context, objects: self.objects, verdicts })
    }
}
