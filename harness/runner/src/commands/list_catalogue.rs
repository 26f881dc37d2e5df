//! `sidecheck list --catalogue`.

use clap::ValueEnum;
use sidecheck_core::{
    catalogue::{Claim, coverage, line_of_claim},
    matrix::Matrix,
    verdict::Exit,
};

use super::Setting;
use crate::{
    catalog::{Listed, read_catalogue},
    run::planned_environment,
    show::{coverage_tables, out, terminal_width},
};

/// How the catalogue is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Format {
    /// A table per section.
    #[default]
    Table,
    /// A JSON array with a row per behaviour.
    Json,
}

pub(super) fn list_catalogue(setting: &Setting, format: Format) -> anyhow::Result<Exit> {
    let (matrix, catalog) = (setting.matrix()?, setting.catalog()?);
    let catalogue = read_catalogue(&setting.paths.root)?;
    let claims: Vec<Claim> = catalog.scenarios.iter().flat_map(|listed| claims_on(listed, &matrix)).collect();
    let rows = coverage(&catalogue, &claims)?;
    match format {
        Format::Json => out(serde_json::to_string_pretty(&rows)?),
        Format::Table => {
            let entries: Vec<String> = matrix.entries.iter().map(|entry| entry.name.clone()).collect();
            out(coverage_tables(&rows, &entries, terminal_width()));
        }
    }
    Ok(Exit::AsExpected)
}

/// What a scenario claims to cover, with its place and the entries that it applies to.
fn claims_on(listed: &Listed, matrix: &Matrix) -> Vec<Claim> {
    let applies = matrix.entries.iter().filter(|entry| listed.scenario.needs.unmet(&planned_environment(entry)).is_none());
    let entries: Vec<String> = applies.map(|entry| entry.name.clone()).collect();
    let claim = |(behaviour, promise): (String, String)| Claim {
        scenario: listed.name.clone(),
        promise,
        file: listed.file.display().to_string(),
        line: line_of_claim(&listed.text, &behaviour),
        entries: entries.clone(),
        behaviour,
    };
    listed.scenario.claims().into_iter().map(claim).collect()
}
