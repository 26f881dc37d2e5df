//! `sidecheck list`.

use clap::Args;
use sidecheck_cluster::clusters::State;
use sidecheck_core::{matrix::Entry, verdict::Exit};

use super::{
    Setting,
    list_agents::list_agents,
    list_catalogue::{Format, list_catalogue},
};
use crate::{
    catalog::Listed,
    run::planned_environment,
    show::{grid::plain_table, out},
};

/// What is listed.
#[derive(Debug, Args)]
pub(super) struct ListArguments {
    /// Lists every behaviour that upstream knows of, with the scenarios that cover it, or why none does.
    #[arg(long)]
    catalogue: bool,
    /// Lists the log agents: version, where the image comes from, what each reads and speaks, and its configurations with what
    /// its makers document about loss.
    #[arg(long, conflicts_with = "catalogue")]
    agents: bool,
    /// How the catalogue is printed.
    #[arg(long, value_enum, requires = "catalogue")]
    format: Option<Format>,
}

pub(super) async fn list(setting: &Setting, arguments: &ListArguments) -> anyhow::Result<Exit> {
    if arguments.catalogue {
        return list_catalogue(setting, arguments.format.unwrap_or_default());
    }
    if arguments.agents {
        return Ok(list_agents(&setting.catalog()?));
    }
    let (matrix, catalog) = (setting.matrix()?, setting.catalog()?);
    let mut table = plain_table(false);
    table.set_header(["scenario".to_owned()].into_iter().chain(matrix.entries.iter().map(|entry| entry.name.clone())));
    let scenarios = with_patterns_once(&catalog.scenarios);
    for (name, listed) in &scenarios {
        let cells = matrix.entries.iter().map(|entry| applies(listed, entry).to_owned());
        table.add_row(std::iter::once(name.clone()).chain(cells));
    }
    out(table.trim_fmt());
    for (name, listed) in scenarios {
        out(format!("\n{name}\n  {}", listed.scenario.about.trim()));
        for reason in matrix.entries.iter().filter_map(|entry| reason(listed, entry)) {
            out(format!("  {reason}"));
        }
    }
    out("\nClusters");
    let up = match setting.clusters().await {
        Ok(clusters) => clusters.list().await?,
        Err(error) => {
            out(format!("  no Docker engine, so none is up: {error:#}"));
            Vec::new()
        }
    };
    for entry in &matrix.entries {
        let state = up
            .iter()
            .find(|listed| listed.entry == entry.name)
            .map_or("not up".to_owned(), |listed| describe(listed.state).to_owned());
        let default = if entry.default { " (default)" } else { "" };
        out(format!("  {:<12} {:<9} {state}{default}", entry.name, entry.release.to_string()));
    }
    for listed in up.iter().filter(|listed| matrix.entry(&listed.entry).is_none()) {
        let release = listed.release.as_ref().map(ToString::to_string).unwrap_or_default();
        out(format!("  {:<12} {release:<9} {} (of an exact release)", listed.entry, describe(listed.state)));
    }
    Ok(Exit::AsExpected)
}

/// The scenarios with their names. Of those that are run with every agent, the first one stands for all: they follow each other.
fn with_patterns_once(all: &[Listed]) -> Vec<(String, &Listed)> {
    let alike = all.chunk_by(|one, next| situation(one).is_some() && situation(one) == situation(next));
    let named = alike.map(|cases| match situation(&cases[0]) {
        None => (cases[0].name.clone(), &cases[0]),
        Some(pattern) => {
            let nightly = cases.iter().filter(|case| case.nightly).count();
            (format!("{pattern}/* ({} cases, {nightly} of them nightly)", cases.len()), &cases[0])
        }
    });
    named.collect()
}

/// The name of the pattern that it was made from.
fn situation(listed: &Listed) -> Option<&str> {
    listed.scenario.tested.as_ref().map(|tested| tested.situation.as_str())
}

fn describe(state: State) -> &'static str {
    match state {
        State::Running => "up",
        State::Stopped => "stopped; `sidecheck up` makes it anew",
        State::Gone => "gone; `sidecheck up` makes it anew",
        State::HalfMade => "being made, or left half-made by a process that was killed (`sidecheck gc` removes it)",
        State::Failed => "not up; logs of a failed creation are kept",
    }
}

fn applies(listed: &Listed, entry: &Entry) -> &'static str {
    if listed.scenario.needs.unmet(&planned_environment(entry)).is_none() { "applies" } else { "-" }
}

fn reason(listed: &Listed, entry: &Entry) -> Option<String> {
    let reason = listed.scenario.needs.unmet(&planned_environment(entry))?;
    Some(format!("not on {}: {reason}", entry.name))
}
