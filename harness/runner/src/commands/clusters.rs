//! `sidecheck up`, `down` and `gc`.

use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use sidecheck_cluster::{Cluster, Clusters, ImageArchive};
use sidecheck_core::{matrix::Entry, verdict::Exit};
use tokio::task::JoinSet;

use super::Setting;
use crate::{
    images::{AskedImages, Images},
    run::{Interrupt, Progress, choose_entries},
    show::out,
};

#[derive(Debug, Args)]
pub(super) struct UpArguments {
    /// Entries of the matrix, or exact releases such as `1.29.0` or `1.28.15,SidecarContainers=true`; the default pair when
    /// none is given.
    entries: Vec<String>,
    #[command(flatten)]
    images: AskedImages,
}

#[derive(Debug, Args)]
pub(super) struct DownArguments {
    /// Entries whose clusters are taken down.
    #[arg(required_unless_present = "all")]
    entries: Vec<String>,
    /// Takes down every cluster that sidecheck made.
    #[arg(long, conflicts_with = "entries")]
    all: bool,
}

#[derive(Debug, Args)]
pub(super) struct GcArguments {
    /// Namespaces of runs that began more than this many minutes ago go, too.
    #[arg(long, value_name = "MINUTES", default_value_t = 60)]
    older_than: u64,
}

pub(super) async fn up(setting: &Setting, arguments: &UpArguments) -> anyhow::Result<Exit> {
    let entries = choose_entries(&setting.matrix()?, &arguments.entries)?;
    let catalog = setting.catalog()?;
    arguments.images.check(&catalog)?;
    let progress = Progress::shown();
    let mut sources = arguments.images.sources(&setting.paths, &progress).await?;
    let interrupt = Interrupt::on_signals().context("failed to listen for Ctrl-C")?;
    let clusters = setting.clusters().await?;
    // Before anything is made for clusters that could never come up.
    clusters.engine.check_privileged().await?;
    sources.engine = Some(clusters.engine.clone());
    // Those that no scenario names may take minutes to be made, for nothing.
    let named = catalog.scenarios.iter().flat_map(|listed| catalog.agents_of(&listed.scenario)).collect();
    let agents = arguments.images.with_required(named, &catalog);
    let images = Images::prepare(&setting.paths, &agents, &sources, &progress).await?;
    arguments.images.check_required(&images)?;
    let images = images.all();
    let mut tasks = JoinSet::new();
    for entry in entries {
        let (clusters, images, progress, interrupt) = (clusters.clone(), images.clone(), progress.clone(), interrupt.clone());
        tasks.spawn(async move {
            tokio::select! {
                cluster = bring_up(&clusters, &entry, &images, &progress) => cluster.map(drop),
                () = interrupt.wait() => Err(anyhow::anyhow!("interrupted by the user before cluster {} was up", entry.name)),
            }
        });
    }
    let mut exit = Exit::AsExpected;
    while let Some(ended) = tasks.join_next().await {
        if let Err(error) = ended? {
            eprintln!("sidecheck: {error:#}");
            exit = Exit::Undecided;
        }
    }
    Ok(if interrupt.is_raised() { Exit::Interrupted } else { exit })
}

/// Brings one cluster up, saying so.
pub(super) async fn bring_up(
    clusters: &Clusters,
    entry: &Entry,
    images: &[ImageArchive],
    progress: &Progress,
) -> anyhow::Result<Cluster> {
    let cluster = clusters.up(entry, images, &listener(entry, progress)).await;
    let cluster = cluster.with_context(|| format!("failed to bring up cluster {}", entry.name))?;
    progress.say(&format!(
        "{}: up, Kubernetes {} verified at {:.0}",
        entry.name, cluster.environment.release, cluster.environment.created
    ));
    Ok(cluster)
}

/// Shows what is said about an entry's cluster, with its name before it.
pub(super) fn listener(entry: &Entry, progress: &Progress) -> sidecheck_cluster::Progress {
    let (name, shown) = (entry.name.clone(), progress.clone());
    sidecheck_cluster::Progress::new(move |line| shown.say(&format!("{name}: {line}")))
}

pub(super) async fn down(setting: &Setting, arguments: &DownArguments) -> anyhow::Result<Exit> {
    let clusters = setting.clusters().await?;
    let entries: Vec<String> = if arguments.all {
        clusters.list().await?.into_iter().map(|listed| listed.entry).collect()
    } else {
        let name = |text: &String| match Entry::exact(text) {
            Some(Ok(entry)) => entry.name,
            _ => text.clone(),
        };
        arguments.entries.iter().map(name).collect()
    };
    for entry in entries {
        let listener = sidecheck_cluster::Progress::new(|line| eprintln!("{line}"));
        let was_there = clusters.down(&entry, &listener).await?;
        out(format!("cluster {entry} {}", if was_there { "is down" } else { "was not up" }));
    }
    Ok(Exit::AsExpected)
}

pub(super) async fn gc(setting: &Setting, arguments: &GcArguments) -> anyhow::Result<Exit> {
    let listener = sidecheck_cluster::Progress::new(|line| eprintln!("{line}"));
    let age = Duration::from_secs(60 * arguments.older_than);
    for removed in setting.clusters().await?.gc(age, &listener).await? {
        out(format!("removed {removed}"));
    }
    Ok(Exit::AsExpected)
}
