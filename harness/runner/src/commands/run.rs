//! `sidecheck run`.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use clap::Args;
use sidecheck_cluster::{Cluster, Clusters};
use sidecheck_core::{matrix::Entry, verdict::Exit};
use tokio::{sync::mpsc, task::JoinSet};

use super::{Setting, clusters};
use crate::{
    case::{Case, Shared},
    evidence::RunDir,
    images::{AskedImages, Images},
    run::{Batch, CaseResult, Finished, Globs, Interrupt, Plan, Progress, Schedule, Settling, await_places, finished, run_in},
    show::{self, Asked, RunSummary, out},
};

#[derive(Debug, Args)]
pub(super) struct RunArguments {
    /// A cluster entry, or an exact release such as `1.29.0` or `1.28.15,SidecarContainers=true`; may be given several times.
    /// The default pair when none is given.
    #[arg(long, value_name = "ENTRY")]
    cluster: Vec<String>,
    /// Only scenarios that match, such as `ordering/*`; may be given several times.
    #[arg(long, value_name = "GLOB")]
    scenario: Vec<String>,
    /// Runs each scenario this many times. One about an agent is run fewer times, where that settles whether it loses lines.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// The share of runs, in percent, for `--repeat`: a scenario about an agent is settled when the runs so far tell whether it
    /// loses lines in more of them or in fewer.
    #[arg(long, value_name = "PERCENT", default_value_t = show::SETTLE_AT, value_parser = percent)]
    settle_at: f64,
    /// Runs what is left to nightly runs, too: every agent in every placement, and what takes long.
    #[arg(long)]
    nightly: bool,
    /// Brings clusters up that are not; the first one runs while the next one is still being made.
    #[arg(long)]
    up: bool,
    /// Writes the results as JSON to this file, too.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Where runs are kept; `runs` in the project's folder when not given.
    #[arg(long, value_name = "FOLDER")]
    runs: Option<PathBuf>,
    #[command(flatten)]
    images: AskedImages,
}

/// A share between none and all.
fn percent(text: &str) -> Result<f64, String> {
    let percent: f64 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    if percent > 0.0 && percent < 100.0 { Ok(percent) } else { Err("it must be more than 0 and less than 100".to_owned()) }
}

/// What the tasks of a run share.
struct Run {
    setting: Setting,
    clusters: Clusters,
    shared: Shared,
    images: Images,
    dir: RunDir,
    plan: Plan,
    asked: Asked,
    settling: Settling,
    up: bool,
    began: Instant,
}

pub(super) async fn run(setting: &Setting, arguments: &RunArguments) -> anyhow::Result<Exit> {
    let catalog = setting.catalog()?;
    let globs = Globs { named: &arguments.scenario, nightly: arguments.nightly };
    let plan = Plan::new(&setting.matrix()?, &catalog, &arguments.cluster, globs)?;
    arguments.images.check(&catalog)?;
    let progress = Progress::shown();
    let mut sources = arguments.images.sources(&setting.paths, &progress).await?;
    let interrupt = Interrupt::on_signals().context("failed to listen for Ctrl-C")?;
    let clusters = setting.clusters().await?;
    if arguments.up {
        // Before anything is made for clusters that could never come up.
        clusters.engine.check_privileged().await?;
    }
    sources.engine = Some(clusters.engine.clone());
    let named = plan.scenarios.iter().flat_map(|listed| catalog.agents_of(&listed.scenario)).collect();
    let agents = arguments.images.with_required(named, &catalog);
    let images = Images::prepare(&setting.paths, &agents, &sources, &progress).await?;
    arguments.images.check_required(&images)?;
    let runs = arguments.runs.clone().unwrap_or_else(|| setting.paths.root.join("runs"));
    let dir = RunDir::create(&runs)?;
    let shared = Shared {
        run: dir.run.clone(),
        catalog: Arc::new(catalog),
        witness_image: images.witness.name.clone(),
        agent_images: images.agent_names(),
        missing_images: images.missing.clone(),
        interrupt: interrupt.clone(),
        progress: progress.clone(),
    };
    let run = Run {
        setting: setting.clone(),
        clusters,
        shared,
        images,
        dir,
        plan,
        asked: Asked { repeat: arguments.repeat, settle_at: arguments.settle_at },
        settling: Settling::new(arguments.repeat, arguments.settle_at),
        up: arguments.up,
        began: Instant::now(),
    };
    let run = Arc::new(run);
    let teller = tokio::spawn(async move { progress.tell().await });
    let (finished, problems) = all_clusters(&run).await;
    teller.abort();
    conclude(&run, &finished, &problems, arguments.json.as_ref())
}

/// Runs on all clusters side by side; each starts as soon as it is up.
async fn all_clusters(run: &Arc<Run>) -> (Vec<Finished>, Vec<anyhow::Error>) {
    let (sender, mut receiver) = mpsc::unbounded_channel();
    let mut tasks = JoinSet::new();
    for entry in run.plan.entries.clone() {
        let (run, sender) = (Arc::clone(run), sender.clone());
        tasks.spawn(async move { one_cluster(&run, &entry, &sender).await });
    }
    drop(sender);
    let mut finished = Vec::new();
    while let Some(case) = receiver.recv().await {
        run.shared.progress.say(&show::result_line(&case));
        finished.push(case);
    }
    let mut problems = Vec::new();
    while let Some(ended) = tasks.join_next().await {
        problems.extend(ended.map_err(anyhow::Error::from).and_then(|result| result).err());
    }
    (finished, problems)
}

async fn one_cluster(run: &Arc<Run>, entry: &Entry, results: &mpsc::UnboundedSender<Finished>) -> anyhow::Result<()> {
    let cluster = tokio::select! {
        cluster = cluster(run, entry) => Arc::new(cluster?),
        () = run.shared.interrupt.wait() => anyhow::bail!("interrupted by the user before cluster {} was up", entry.name),
    };
    let schedule = Schedule::new(&run.plan.scenarios, &cluster, &run.shared, run.asked.repeat);
    for (case, reason) in schedule.not_applicable {
        // The receiver outlives all cases.
        let _ = results.send(finished(&case, Duration::ZERO, CaseResult::NotApplicable { reason }));
    }
    // What needs a cluster alone leaves the machine with little to do but to wait. So that the others' scenarios fill that time,
    // the last cluster ends with it, and the others begin with it.
    if run.plan.entries.last().is_some_and(|last| last.name == entry.name) {
        side_by_side(run, schedule.side_by_side, results).await?;
        alone(run, schedule.alone, results).await
    } else {
        alone(run, schedule.alone, results).await?;
        side_by_side(run, schedule.side_by_side, results).await
    }
}

async fn side_by_side(run: &Arc<Run>, due: Vec<Case>, results: &mpsc::UnboundedSender<Finished>) -> anyhow::Result<()> {
    let mut cases = JoinSet::new();
    for case in due {
        if run.settling.leaves_out(&case) {
            continue;
        }
        // Places are waited for here, one case after the other: a thousand waiting cases must not all try their luck.
        let Some(places) = await_places(&case, &run.shared, &run.setting.paths).await? else {
            // Interrupted: what has not begun is left out.
            break;
        };
        // Others have ended while it waited.
        if run.settling.leaves_out(&case) {
            continue;
        }
        let (run, results) = (Arc::clone(run), results.clone());
        cases.spawn(async move {
            tell(&run, &results, run_in(places, &case, &run.shared, &run.dir).await);
        });
    }
    while let Some(ended) = cases.join_next().await {
        ended.context("a case panicked")?;
    }
    Ok(())
}

async fn alone(run: &Arc<Run>, due: Vec<Batch>, results: &mpsc::UnboundedSender<Finished>) -> anyhow::Result<()> {
    for batch in due {
        let batch = batch.without(|case| run.settling.leaves_out(case));
        if batch.is_empty() {
            continue;
        }
        let Some(alone) = batch.await_alone(&run.shared, &run.setting.paths).await? else { break };
        for case in batch.run_in(alone, &run.shared, &run.dir, &run.setting.paths).await {
            tell(run, results, case);
        }
    }
    Ok(())
}

/// Hands a result on. It is counted here and not by the receiver, so that the next case is asked about with all before it.
fn tell(run: &Run, results: &mpsc::UnboundedSender<Finished>, case: Finished) {
    let settled = run.settling.note(&case);
    // The receiver outlives all cases.
    let _ = results.send(case);
    if let Some(line) = settled {
        run.shared.progress.say(&line);
    }
}

async fn cluster(run: &Run, entry: &Entry) -> anyhow::Result<Cluster> {
    let images = run.images.all();
    if run.up {
        return clusters::bring_up(&run.clusters, entry, &images, &run.shared.progress).await;
    }
    let cluster = Cluster::open(&entry.name, &run.setting.paths, &run.clusters.engine)?;
    run.clusters.load(&cluster, &images, &clusters::listener(entry, &run.shared.progress)).await?;
    Ok(cluster)
}

/// A path as the user would type it: from the current folder, where it lies below that.
fn shown(path: &Path) -> String {
    let current = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&current).unwrap_or(path).display().to_string()
}

/// Prints and writes the results; the exit code says the worst of them.
fn conclude(run: &Run, finished: &[Finished], problems: &[anyhow::Error], json: Option<&PathBuf>) -> anyhow::Result<Exit> {
    let interrupted = run.shared.interrupt.is_raised();
    let entries = run.plan.entries.iter().map(|entry| entry.name.clone()).collect();
    let summary = RunSummary { asked: Some(run.asked), ..RunSummary::new(&run.dir.run, entries, interrupted, finished) };
    run.dir.write_json("summary.json", &summary)?;
    if let Some(file) = json {
        let text = serde_json::to_string_pretty(&summary)? + "\n";
        std::fs::write(file, text).with_context(|| format!("failed to write {}", file.display()))?;
    }
    if !finished.is_empty() {
        out("");
        show::tables(&summary);
    }
    let waits = finished.iter().filter(|case| matches!(case.result, CaseResult::Judged { .. })).filter_map(|case| {
        let listed = run.plan.scenarios.iter().find(|listed| listed.name == case.scenario)?;
        Some(listed.scenario.least_time().duration())
    });
    if let Some(longest) = waits.clone().max() {
        let sum: Duration = waits.sum();
        let (sum, longest) = (sum.as_secs(), longest.as_secs());
        out(format!("\nThe scenarios themselves wait {sum} s in all, the longest of them {longest} s."));
    }
    let folder = shown(&run.dir.path);
    out(format!("{} {:.0} s.", show::closing(&summary), run.began.elapsed().as_secs_f64()));
    out(format!("Evidence: {folder}\nTo derive the verdicts again: sidecheck judge {folder}"));
    for problem in problems {
        eprintln!("sidecheck: {problem:#}");
    }
    if interrupted {
        return Ok(Exit::Interrupted);
    }
    let broken = !problems.is_empty() || finished.iter().any(|case| matches!(case.result, CaseResult::Broken { .. }));
    let code = summary.exit();
    Ok(if code == Exit::AsExpected && broken { Exit::Undecided } else { code })
}
