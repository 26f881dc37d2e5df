//! `sidecheck timeline`: a recorded case as a table of events.

use std::path::PathBuf;

use clap::Args;
use sidecheck_core::verdict::Exit;

use super::recorded;
use crate::show::{out, timeline};

#[derive(Debug, Args)]
pub(super) struct TimelineArguments {
    /// A case's folder, a trace file, or a run's folder.
    case: PathBuf,
}

pub(super) fn timeline_of(arguments: &TimelineArguments) -> anyhow::Result<Exit> {
    for file in recorded::traces(&arguments.case)? {
        let trace = recorded::read(&file)?;
        let header = &trace.header;
        let (scenario, environment) = (&header.scenario_name, &header.environment);
        out(format!("{scenario} on {} ({}), times in UTC", environment.entry, environment.release));
        out(timeline(&trace));
        out("");
    }
    Ok(Exit::AsExpected)
}
