//! `sidecheck summary`: the table of what is on disk.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use sidecheck_core::verdict::Exit;

use super::BadInput;
use crate::show::{self, CaseSummary, LineTable, RunSummary, out};

#[derive(Debug, Args)]
pub(super) struct SummaryArguments {
    /// A run's folder, its `summary.json`, or a folder of case summaries (`*.json`).
    path: PathBuf,
    /// Only the table of log lines: which agent delivers them, in which situation.
    #[arg(long)]
    lines: bool,
    /// How that table is printed.
    #[arg(long, value_enum, requires = "lines")]
    format: Option<Format>,
}

/// How the table of log lines is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// For a terminal, as wide as that is.
    #[default]
    Terminal,
    /// For a document.
    Markdown,
    /// A JSON array with an object per cell.
    Json,
}

pub(super) fn summary(arguments: &SummaryArguments) -> anyhow::Result<Exit> {
    let summary = read(&arguments.path)?;
    if arguments.lines {
        lines(&LineTable::of(&summary), arguments.format.unwrap_or_default())?;
    } else {
        show::tables(&summary);
        out(show::closing(&summary));
    }
    Ok(summary.exit())
}

/// Reads a run's folder, its summary, or a folder of case summaries.
pub(super) fn read(path: &Path) -> anyhow::Result<RunSummary> {
    let of_run = path.join("summary.json");
    match (path.is_dir(), of_run.is_file()) {
        (true, true) => file(&of_run),
        (true, false) => folder(path),
        (false, _) => file(path),
    }
}

fn lines(table: &LineTable, format: Format) -> anyhow::Result<()> {
    match format {
        Format::Json => out(serde_json::to_string_pretty(&table.cells)?),
        _ if table.cells.is_empty() => out("There is no case about an agent."),
        Format::Markdown => out(table.markdown().trim_end()),
        Format::Terminal => out(table.terminal(show::terminal_width(), show::colours()).trim_end()),
    }
    Ok(())
}

fn file<T: serde::de::DeserializeOwned>(path: &Path) -> anyhow::Result<T> {
    let text = std::fs::read_to_string(path).map_err(|error| BadInput(format!("failed to read {}: {error}", path.display())))?;
    serde_json::from_str(&text).map_err(|error| BadInput(format!("{}:{}: {error}", path.display(), error.line())).into())
}

fn folder(path: &Path) -> anyhow::Result<RunSummary> {
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
