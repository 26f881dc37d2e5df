//! Questions to the API server.

use serde_json::Value;
use sidecheck_core::{
    scenario::{Ask, Scenario},
    trace::{Act, Witness},
};

use super::prepare::Stage;
use crate::act::{Objects, Reply};

impl Stage {
    /// Puts the question, and notes the answer, whatever it is.
    pub(super) async fn ask(&self, objects: &Objects, step: usize, ask: &Ask, scenario: &Scenario) -> Result<(), String> {
        let reply = match (&ask.create, &ask.patch) {
            (Some(created), _) => {
                let object = self.context.submitted(created);
                self.record.note(Witness::Harness, Act::Applied { object: object.clone() });
                objects.try_create(&object).await?
            }
            (None, Some(change)) => {
                let workload = scenario.workload();
                let (api_version, kind) = (workload.api_version(), workload.kind());
                let change = self.context.text_filled_in(&change.to_string());
                let change: Value = serde_json::from_str(&change).map_err(|error| format!("no JSON any more: {error}"))?;
                self.record.note(Witness::Harness, Act::Applied { object: change.clone() });
                objects.try_patch(api_version, kind, workload.name(), ask.subresource.as_deref(), &change).await?
            }
            (None, None) => return Err("the question asks nothing".to_owned()),
        };
        let Reply { code, causes, message, object } = reply;
        self.record.note(Witness::Api, Act::Answered { step, code, causes, message, object });
        Ok(())
    }
}
