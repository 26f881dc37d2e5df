//! One test: a scenario file on a cluster entry.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sidecheck::{
    catalog::{Catalog, Listed},
    evidence::{RunDir, case_name},
    run::{CaseResult, Finished},
    show::{self, CaseSummary, RunSummary},
};
use sidecheck_cluster::paths::Paths;
use sidecheck_core::{
    scenario::Scenario,
    verdict::{Exit, Verdict},
};

use crate::{disturbance::Disturbance, place::Place};

/// Without the first line rsyslogd says what is wrong, and runs on without doing anything.
const REFUSED: &str = "global(abortOnUncleanConfig=\"on\")\nthis is no configuration\n";

/// Runs the scenario on the entry's cluster, which must be up, and fails unless every verdict is as expected.
///
/// A scenario that does not apply passes, and its reason is counted and named: every test leaves a summary of its case in
/// `runs/tests-<id>/results`, which `sidecheck summary` prints as a table.
///
/// # Errors
/// A broken promise, an undecided one, or a cluster that is not up: the message says what to do.
pub async fn check(scenario: &Path, entry: &Path) -> anyhow::Result<()> {
    let place = Place::find()?;
    let catalog = Catalog::load(&place.paths.root)?;
    let nightly = std::env::var("NEXTEST_PROFILE").is_ok_and(|profile| profile == "nightly");
    let mut listed = catalog.read(&place.paths.root, scenario)?;
    listed.retain(|listed| nightly || !listed.nightly);
    if listed.is_empty() {
        println!("left to nightly runs: cargo nextest run --profile nightly");
        return Ok(());
    }
    let entry = entry.file_stem().context("a cluster entry is a file")?.to_string_lossy().into_owned();
    let dir = run_dir(&place.paths)?;
    conclude(&dir, &place.run(catalog, listed, &entry, &dir).await?)
}

/// Runs all scenarios that do something to the entry's cluster, which must be up: those that do the same together, and nobody
/// else on the cluster. Fails unless every verdict is as expected.
///
/// # Errors
/// As [`check`], for all scenarios that are not as expected.
pub async fn check_disruptions(entry: &Path) -> anyhow::Result<()> {
    let place = Place::find()?;
    let entry = entry.file_stem().context("a cluster entry is a file")?.to_string_lossy().into_owned();
    let dir = run_dir(&place.paths)?;
    conclude(&dir, &place.run_disruptions(&entry, &dir).await?)
}

/// Runs a scenario that is in no file, and returns what became of it, as expected or not. It may name the agent `missing`,
/// whose image no node has, and the configuration `rsyslog/refused`, with which rsyslogd ends at once.
///
/// # Errors
/// It could not be run, or did not apply.
pub async fn verdicts_of(text: &str, entry: &str) -> anyhow::Result<Vec<Verdict>> {
    let place = Place::find()?;
    let mut catalog = Catalog::load(&place.paths.root)?;
    let rsyslog = catalog.agents.get_mut("rsyslog").context("suites/agents/rsyslog.yaml")?;
    let missing = rsyslog.clone();
    let mut refused = rsyslog.configurations.get("lossless").context("the agent's lossless configuration")?.clone();
    for file in &mut refused.files {
        REFUSED.clone_into(&mut file.text);
    }
    rsyslog.configurations.insert("refused".to_owned(), refused);
    let scenario = Scenario::parse("(in the test)", text)?;
    let (name, file) = ("outcomes/made-to-happen".to_owned(), PathBuf::from("(in the test)"));
    let listed = Listed { name, file, text: text.to_owned(), scenario, deviations: vec![], nightly: false };
    let dir = tempfile::tempdir()?;
    let dir = RunDir::create(dir.path())?;
    catalog.agents.insert("missing".to_owned(), missing);
    match place.run(catalog, vec![listed], entry, &dir).await?.remove(0).result {
        CaseResult::Judged { verdicts, clean_up_problem: None, .. } => Ok(verdicts),
        other => anyhow::bail!("not judged and cleaned up: {other:?}"),
    }
}

/// Runs a scenario that is in no file while something happens to its cluster, on which nobody else is meanwhile.
///
/// # Errors
/// It could not be run, or the cluster could not be disturbed or mended.
pub async fn verdicts_under(disturbance: Disturbance, text: &str, entry: &str) -> anyhow::Result<Vec<Verdict>> {
    let place = Place::find()?;
    let (name, file) = (format!("outcomes/{disturbance:?}").to_lowercase(), PathBuf::from("(in the test)"));
    let scenario = Scenario::parse("(in the test)", text)?;
    let dir = tempfile::tempdir()?;
    let dir = RunDir::create(dir.path())?;
    let listed = Listed { name, file, text: text.to_owned(), scenario, deviations: vec![], nightly: false };
    Box::pin(place.run_disturbed(listed, entry, &dir, disturbance)).await
}

/// All tests of one nextest run share a folder.
fn run_dir(paths: &Paths) -> anyhow::Result<RunDir> {
    let runs = paths.root.join("runs");
    match std::env::var("NEXTEST_RUN_ID") {
        Ok(id) => RunDir::open(&runs, &format!("tests-{id}")),
        Err(_) => RunDir::create(&runs),
    }
}

/// Writes all results, and fails with all that are not as expected.
fn conclude(dir: &RunDir, finished: &[Finished]) -> anyhow::Result<()> {
    let mut wrong = Vec::new();
    for finished in finished {
        write_result(dir, finished)?;
        wrong.extend(assert_as_expected(dir, finished).err().map(|error| format!("{}: {error:#}", finished.scenario)));
    }
    anyhow::ensure!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    Ok(())
}

fn write_result(dir: &RunDir, finished: &Finished) -> anyhow::Result<()> {
    let name = format!("{}.{}.json", finished.entry, case_name(&finished.scenario, finished.repetition));
    let results: PathBuf = dir.path.join("results");
    std::fs::create_dir_all(&results).with_context(|| format!("failed to make the folder {}", results.display()))?;
    dir.write_json(&format!("results/{name}"), &CaseSummary::of(finished))
}

fn assert_as_expected(dir: &RunDir, finished: &Finished) -> anyhow::Result<()> {
    let summary = RunSummary::new(&dir.run, vec![finished.entry.clone()], false, std::slice::from_ref(finished));
    println!("{}", show::result_line(finished));
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
