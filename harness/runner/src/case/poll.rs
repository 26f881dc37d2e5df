//! Waits for what no watch shows: the record on the node, and what kubectl prints. They are polled.

use std::time::Duration;

use sidecheck_core::{
    scenario::{Kubectl, Point},
    trace::{Act, StepOutcome, Witness},
};
use tokio::time::Instant;

use super::{goal, prepare::Stage};
use crate::act;

/// Between two looks: a command in the node's container takes about 0.1 s of a core.
const LOOK_AGAIN: Duration = Duration::from_millis(700);

impl Stage {
    /// Waits until the record on the node has the moment.
    pub(super) async fn await_recorded(&self, point: &Point, budget: Duration) -> StepOutcome {
        match act::await_recorded(&self.cluster, &self.context.key, point, Instant::now() + budget).await {
            Ok(true) => StepOutcome::Done,
            Ok(false) => StepOutcome::TimedOut { last_seen: format!("the record has no {point}") },
            Err(cause) => StepOutcome::Failed { cause },
        }
    }

    /// Waits until kubectl prints it; what it printed last goes into the trace.
    pub(super) async fn await_printed(&self, step: usize, kubectl: &Kubectl, budget: Duration) -> StepOutcome {
        let end = Instant::now() + budget;
        let pod = goal::tested_pod(&self.board);
        let pod = pod.as_ref().and_then(|pod| pod["metadata"]["name"].as_str()).unwrap_or("pod");
        let args = self.context.text_filled_in(&kubectl.args).replace("{{pod}}", pod);
        let args: Vec<&str> = args.split_whitespace().collect();
        loop {
            let text = match act::kubectl(&self.cluster, &self.context.namespace, &args).await {
                Ok(text) => text,
                Err(cause) => return StepOutcome::Failed { cause },
            };
            let matches = kubectl.prints.is_match(&text);
            if !matches && Instant::now() < end {
                tokio::time::sleep(LOOK_AGAIN).await;
                continue;
            }
            // Lines without a match say nothing about the promise, and metrics have thousands.
            let shown: String = if matches {
                text.lines().filter(|line| kubectl.prints.is_match(line)).collect::<Vec<_>>().join("\n")
            } else {
                text.chars().take(2_000).collect()
            };
            // A pattern can span lines.
            let shown = if matches && !kubectl.prints.is_match(&shown) { text } else { shown };
            self.record.note(Witness::Harness, Act::Printed { step, text: shown.clone() });
            return if matches { StepOutcome::Done } else { StepOutcome::TimedOut { last_seen: shown } };
        }
    }
}
