//! The bulk interface: a line that says what to do, then a line with the document.
//! <https://www.elastic.co/guide/en/elasticsearch/reference/7.17/docs-bulk.html>

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::fields;
use crate::protocol::Origin;
use crate::record::{self, Batch};

/// What a request asks for, read.
#[derive(Debug)]
pub(super) struct Bulk {
    pub(super) batch: Batch,
    items: Vec<Item>,
}

#[derive(Debug)]
struct Item {
    action: &'static str,
    index: String,
    id: String,
    /// Why the document isn't stored.
    refused: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Action {
    Index(Target),
    Create(Target),
    Update(Target),
    Delete(Target),
}

/// Agents send more than that, such as a pipeline.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Target {
    #[serde(rename = "_index")]
    index: Option<String>,
    #[serde(rename = "_id")]
    id: Option<String>,
}

/// Reads a request to the index that its path names, if any.
///
/// # Errors
/// A line that should be an action is none: nothing after it can be trusted.
pub(super) fn read(origin: Origin, index: &str, body: &[u8]) -> Result<Bulk, String> {
    let (body, lossy) = record::text(body);
    let mut bulk = Bulk { batch: Batch::new(origin), items: Vec::new() };
    let mut lines = body.lines().enumerate().filter(|(_, line)| !line.is_empty());
    while let Some((number, line)) = lines.next() {
        let action = serde_json::from_str(line).map_err(|error| format!("line {} is no action: {error}", number + 1))?;
        let (action, target, takes) = match action {
            Action::Index(target) => ("index", target, true),
            Action::Create(target) => ("create", target, true),
            Action::Update(target) => ("update", target, false),
            Action::Delete(target) => ("delete", target, false),
        };
        // Only a deletion has no line of its own.
        let refused = match if action == "delete" { None } else { Some(lines.next()) } {
            Some(None) => return Err(format!("the document of line {} is missing", number + 1)),
            Some(Some((_, document))) if takes => bulk.add(document, lossy).err(),
            _ => Some(format!("{action} is not known here: a log is only added to")),
        };
        let index = target.index.unwrap_or_else(|| index.to_owned());
        let id = target.id.unwrap_or_else(|| format!("{}-{number}", origin.from.port()));
        bulk.items.push(Item { action, index, id, refused });
    }
    Ok(bulk)
}

impl Bulk {
    fn add(&mut self, document: &str, lossy: bool) -> Result<(), String> {
        let object: &RawValue = serde_json::from_str(document).map_err(|error| format!("failed to parse: {error}"))?;
        let message = fields::message(object).map_err(|error| format!("failed to parse: {error}"))?;
        let lossy = lossy && message.contains('\u{fffd}');
        self.batch.add(&message, lossy);
        Ok(())
    }

    /// Why the first of the documents that aren't stored isn't.
    pub(super) fn refused(&self) -> Option<String> {
        self.items.iter().find_map(|item| item.refused.clone())
    }

    /// What to answer once the rest is durable.
    pub(super) fn answer(&self) -> Value {
        let errors = self.items.iter().any(|item| item.refused.is_some());
        json!({"took": 1, "errors": errors, "items": self.items.iter().map(Item::answer).collect::<Vec<_>>()})
    }
}

impl Item {
    fn answer(&self) -> Value {
        let mut answer = json!({"_index": self.index, "_type": "_doc", "_id": self.id});
        match &self.refused {
            None => {
                answer["_version"] = 1.into();
                answer["result"] = "created".into();
                answer["_shards"] = json!({"total": 1, "successful": 1, "failed": 0});
                answer["status"] = 201.into();
            }
            Some(why) => {
                answer["status"] = 400.into();
                answer["error"] = json!({"type": "mapper_parsing_exception", "reason": why});
            }
        }
        json!({ self.action: answer })
    }
}
