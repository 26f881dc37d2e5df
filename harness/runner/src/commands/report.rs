//! `sidecheck report`: a run as one HTML page.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use sidecheck_core::{trace::Trace, verdict::Exit};

use super::{recorded, summary};
use crate::{
    evidence::TRACE,
    report,
    show::{CaseSummary, out},
};

#[derive(Debug, Args)]
pub(super) struct ReportArguments {
    /// A run's folder, its `summary.json`, or a folder of case summaries (`*.json`).
    #[arg(default_value = "runs/latest")]
    path: PathBuf,
    /// Where the page is written.
    #[arg(long, short, default_value = "report.html")]
    output: PathBuf,
}

pub(super) fn report(arguments: &ReportArguments) -> anyhow::Result<Exit> {
    let summary = summary::read(&arguments.path)?;
    let page = report::page(&summary, |case| trace(&arguments.path, case));
    let output = &arguments.output;
    std::fs::write(output, page).with_context(|| format!("failed to write {}", output.display()))?;
    out(format!("{}: {} cases", output.display(), summary.cases.len()));
    Ok(summary.exit())
}

/// The evidence of a case, where it was written, or below the run's folder, if that was moved.
fn trace(run: &Path, case: &CaseSummary) -> Result<Trace, String> {
    let evidence = PathBuf::from(case.evidence.as_ref().ok_or("there is no evidence")?);
    let moved = evidence.file_name().map(|name| run.join(&case.entry).join(name));
    let places = [Some(evidence.clone()), moved].into_iter().flatten().map(|folder| folder.join(TRACE));
    let file = places.into_iter().find(|file| file.is_file());
    let file = file.ok_or_else(|| format!("{} is not there any more", evidence.join(TRACE).display()))?;
    recorded::read(&file).map_err(|error| format!("{error:#}"))
}
