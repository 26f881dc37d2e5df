//! One test: a scenario file on a cluster entry.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context as _;
use sidecheck::{
    case::{Case, Shared},
    catalog::{self, Catalog},
    evidence::RunDir,
    images::Images,
    run::{CaseResult, Finished, Interrupt, Plan, Progress, run_case},
    show::{self, CaseSummary, RunSummary},
};
use sidecheck_cluster::{
    Cluster, Clusters, Progress as Listener, matrix,
    paths::{Paths, Variables},
};
use sidecheck_core::verdict::Exit;

/// Runs the scenario on the entry's cluster, which must be up, and fails unless every verdict is as expected.
///
/// A scenario that does not apply passes, and its reason is counted and named: every test leaves a summary of its case in
/// `runs/tests-<id>/results`, which `sidecheck summary` prints as a table.
///
/// # Errors
/// A broken promise, an undecided one, or a cluster that is not up: the message says what to do.
pub async fn check(scenario: &Path, entry: &Path) -> anyhow::Result<()> {
    let variables = Variables::of_process();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the suites stand in the project's folder")?;
    let paths = Paths::find(Some(root), &variables, root)?;
    let dir = run_dir(&paths)?;
    let finished = run(scenario, entry, &paths, &variables, &dir).await?;
    let summary = CaseSummary::of(&finished);
    let name = format!("{}.{}.json", finished.entry, finished.scenario.replace('/', "."));
    write_result(&dir, &name, &summary)?;
    assert_as_expected(&dir, finished)
}

async fn run(scenario: &Path, entry: &Path, paths: &Paths, variables: &Variables, dir: &RunDir) -> anyhow::Result<Finished> {
    let mut catalog = Catalog::load(&paths.root)?;
    let listed = catalog::read_scenario(&paths.root, scenario)?;
    catalog.scenarios = vec![listed.clone()];
    let name = entry.file_stem().context("a cluster entry is a file")?.to_string_lossy().into_owned();
    Plan::new(&matrix::load(paths)?, &catalog, std::slice::from_ref(&name), &[])?;
    let clusters = Clusters::connect(variables, paths.clone()).await?;
    let cluster = Arc::new(Cluster::open(&name, paths, &clusters.engine)?);
    let images = match listed.scenario.needs.unmet(&cluster.environment) {
        Some(_) => None,
        None => {
            let images = Images::prepare(paths, &catalog.agents_of(&listed.scenario), &Progress::quiet()).await?;
            clusters.load(&cluster, &images.all(), &Listener::none()).await?;
            Some(images)
        }
    };
    let shared = Shared {
        run: dir.run.clone(),
        catalog: Arc::new(catalog),
        witness_image: images.as_ref().map(|images| images.witness.name.clone()).unwrap_or_default(),
        agent_images: images.as_ref().map_or_else(BTreeMap::new, Images::agent_names),
        interrupt: Interrupt::on_signals()?,
        progress: Progress::quiet(),
    };
    let case = Case { cluster, listed: Arc::new(listed), repetition: 1 };
    Ok(run_case(&case, &shared, dir, paths).await)
}

/// All tests of one nextest run share a folder.
fn run_dir(paths: &Paths) -> anyhow::Result<RunDir> {
    let runs = paths.root.join("runs");
    match std::env::var("NEXTEST_RUN_ID") {
        Ok(id) => RunDir::open(&runs, &format!("tests-{id}")),
        Err(_) => RunDir::create(&runs),
    }
}

fn write_result(dir: &RunDir, name: &str, summary: &CaseSummary) -> anyhow::Result<()> {
    let results: PathBuf = dir.path.join("results");
    std::fs::create_dir_all(&results).with_context(|| format!("failed to make the folder {}", results.display()))?;
    dir.write_json(&format!("results/{name}"), summary)
}

fn assert_as_expected(dir: &RunDir, finished: Finished) -> anyhow::Result<()> {
    let summary = RunSummary::new(&dir.run, vec![finished.entry.clone()], false, std::slice::from_ref(&finished));
    println!("{}", show::result_line(&finished));
    let text = show::explanations(&summary);
    match &finished.result {
        CaseResult::NotApplicable { .. } => Ok(()),
        CaseResult::Broken { error } => anyhow::bail!("the case could not be run: {error}"),
        CaseResult::Judged { verdicts, clean_up_problem, .. } => {
            anyhow::ensure!(Exit::of(verdicts) == Exit::AsExpected, "not as expected:{text}");
            anyhow::ensure!(clean_up_problem.is_none(), "{text}");
            Ok(())
        }
    }
}
