//! `sidecheck summary`: the table of what is on disk.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use sidecheck_core::verdict::Exit;

use super::BadInput;
use crate::show::{self, CaseSummary, RunSummary, out};

#[derive(Debug, Args)]
pub(super) struct SummaryArguments {
    /// `summary.json` of a run, or a folder of case summaries (`*.json`).
    path: PathBuf,
}

pub(super) fn summary(arguments: &SummaryArguments) -> anyhow::Result<Exit> {
    let path = &arguments.path;
    let summary = if path.is_dir() { folder(path)? } else { file(path)? };
    out(show::verdict_table(&summary, show::colours()));
    out((show::explanations(&summary) + &show::flips(&summary)).trim_end());
    out(show::closing(&summary));
    Ok(Exit::of(summary.cases.iter().flat_map(|case| &case.verdicts)))
}

fn file<T: serde::de::DeserializeOwned>(path: &std::path::Path) -> anyhow::Result<T> {
    let text = std::fs::read_to_string(path).map_err(|error| BadInput(format!("failed to read {}: {error}", path.display())))?;
    serde_json::from_str(&text).map_err(|error| BadInput(format!("{}:{}: {error}", path.display(), error.line())).into())
}

fn folder(path: &std::path::Path) -> anyhow::Result<RunSummary> {
    let mut cases: Vec<CaseSummary> = Vec::new();
    for entry in std::fs::read_dir(path).with_context(|| format!("failed to read {}", path.display()))? {
        let entry = entry?.path();
        if entry.extension().is_some_and(|ending| ending == "json") {
            cases.push(file(&entry)?);
        }
    }
    let run = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(RunSummary::of_cases(&run, cases))
}
