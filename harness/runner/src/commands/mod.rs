//! The command line: one file per command.

mod clusters;
mod doctor;
mod judge;
mod list;
mod list_agents;
mod list_catalogue;
mod recorded;
mod report;
mod run;
mod setting;
mod summary;
mod timeline;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub(crate) use setting::Setting;
use sidecheck_core::verdict::Exit;

/// What the program was asked to do could not be done since the input is wrong: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct BadInput(pub(crate) String);

/// Asks real Kubernetes clusters whether native sidecars keep their promises.
///
/// sidecheck makes clusters with kind, runs scenarios on them, records what every witness saw, and judges the record.
///
/// First steps:
///   scripts/run                      everything: set-up, two clusters, all scenarios
///   sidecheck list                   scenarios, and where each applies
///   sidecheck run --scenario 'ordering/*' --cluster 1.29
///   sidecheck judge runs/latest      derives the verdicts again from the recorded run
///   sidecheck timeline runs/latest/1.29/ordering.stop-on-delete
///
/// Exit codes:
///   0    all as expected
///   1    a promise broke, or a known deviation did not show
///   2    wrong use or bad input
///   3    nothing broke, but something could not be decided
///   130  interrupted
#[derive(Debug, Parser)]
#[command(name = "sidecheck", version, verbatim_doc_comment)]
pub struct Arguments {
    /// The project's folder; found from the current folder upwards when not given.
    #[arg(long, global = true, value_name = "FOLDER")]
    root: Option<std::path::PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Runs scenarios on clusters and prints verdicts.
    Run(run::RunArguments),
    /// Lists scenarios with what applies where, and the clusters with their state; or the agents; or the catalogue of behaviours.
    List(list::ListArguments),
    /// Derives the verdicts again from a recorded run, and compares them with those on record.
    Judge(judge::JudgeArguments),
    /// Shows what the witnesses of a recorded case saw, in the order of time.
    Timeline(timeline::TimelineArguments),
    /// Prints the table of a run, or of several one-case runs such as tests leave behind.
    Summary(summary::SummaryArguments),
    /// Writes a run as one HTML page: verdicts, log lines, and for each case what was seen, drawn.
    Report(report::ReportArguments),
    /// Brings clusters up: builds or pulls what is missing, creates, verifies. Does nothing to one that is up.
    Up(clusters::UpArguments),
    /// Takes clusters down.
    Down(clusters::DownArguments),
    /// Removes what killed runs left behind: dead clusters, old namespaces, half-made files.
    Gc(clusters::GcArguments),
    /// Checks this machine, and says the command that mends each trouble.
    Doctor,
}

/// Runs the program.
pub async fn main(arguments: Arguments) -> ExitCode {
    match dispatch(arguments).await {
        Ok(exit) => ExitCode::from(exit.code()),
        Err(error) => {
            eprintln!("sidecheck: {error:#}");
            ExitCode::from(exit_of(&error).code())
        }
    }
}

async fn dispatch(arguments: Arguments) -> anyhow::Result<Exit> {
    let root = arguments.root.as_deref();
    match arguments.command {
        Command::Judge(judge) => judge::judge(&judge),
        Command::Timeline(timeline) => timeline::timeline_of(&timeline),
        Command::Summary(summary) => summary::summary(&summary),
        Command::Report(report) => report::report(&report),
        Command::Run(run) => run::run(&Setting::find(root)?, &run).await,
        Command::List(list) => list::list(&Setting::find(root)?, &list).await,
        Command::Up(up) => clusters::up(&Setting::find(root)?, &up).await,
        Command::Down(down) => clusters::down(&Setting::find(root)?, &down).await,
        Command::Gc(gc) => clusters::gc(&Setting::find(root)?, &gc).await,
        Command::Doctor => doctor::doctor(&Setting::find(root)?).await,
    }
}

/// Bad input is 2; all else that ends a command early means that we could not find out: 3.
fn exit_of(error: &anyhow::Error) -> Exit {
    let bad = error.chain().any(|cause| {
        cause.is::<BadInput>()
            || cause.is::<crate::run::PlanError>()
            || cause.is::<crate::catalog::CatalogError>()
            || cause.is::<crate::images::UnknownAgent>()
            || matches!(cause.downcast_ref(), Some(sidecheck_cluster::image::ImageError::Archive { .. }))
            || cause.is::<sidecheck_cluster::matrix::MatrixError>()
            || cause.is::<sidecheck_core::yaml::YamlError>()
            || cause.is::<sidecheck_core::trace::TraceError>()
            || cause.is::<sidecheck_cluster::paths::PathsError>()
    });
    if bad { Exit::BadInput } else { Exit::Undecided }
}
