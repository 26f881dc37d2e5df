//! Where tests find the project, its state and the clusters, and how one case is run there.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use anyhow::Context as _;
use futures::future::join_all;
use sidecheck::{
    case::{Case, Shared},
    catalog::{Catalog, Listed},
    evidence::RunDir,
    images::{ImageSources, Images},
    run::{Finished, Globs, Interrupt, Plan, Progress, Schedule, run_case},
};
use sidecheck_cluster::{
    Cluster, Clusters, Progress as Listener,
    lease::{Leases, Use},
    matrix,
    paths::{Paths, Variables},
};
use sidecheck_core::{agent::Agent, verdict::Verdict};

use crate::disturbance::Disturbance;

/// The project's folder and the state.
pub(crate) struct Place {
    pub(crate) paths: Paths,
    variables: Variables,
}

impl Place {
    pub(crate) fn find() -> anyhow::Result<Self> {
        let variables = Variables::of_process();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the suites stand in the project's folder")?;
        Ok(Self { paths: Paths::find(Some(root), &variables, root)?, variables })
    }

    /// Runs cases side by side, which must fit the matrix, on a cluster that must be up.
    pub(crate) async fn run(
        &self,
        catalog: Catalog,
        listed: Vec<Listed>,
        entry: &str,
        dir: &RunDir,
    ) -> anyhow::Result<Vec<Finished>> {
        let catalog = Catalog { scenarios: listed.clone(), ..catalog };
        let (cluster, shared) = self.open(catalog, entry, dir).await?;
        let cases: Vec<Case> = listed.into_iter().map(|listed| Case::new(&cluster, Arc::new(listed))).collect();
        let finished = cases.iter().map(|case| Box::pin(run_case(case, &shared, dir, &self.paths)));
        Ok(join_all(finished).await)
    }

    /// Runs all scenarios that do something to their cluster, on one that must be up.
    pub(crate) async fn run_disruptions(&self, entry: &str, dir: &RunDir) -> anyhow::Result<Vec<Finished>> {
        let mut catalog = Catalog::load(&self.paths.root)?;
        catalog.scenarios.retain(|listed| listed.scenario.needs_cluster_alone());
        let scenarios = catalog.scenarios.clone();
        let (cluster, shared) = self.open(catalog, entry, dir).await?;
        let schedule = Schedule::new(&scenarios, &cluster, &shared, 1);
        let mut finished = Vec::new();
        for batch in schedule.alone {
            finished.extend(batch.run(&shared, dir, &self.paths).await);
        }
        Ok(finished)
    }

    /// Runs one case while something is done to its cluster, with nobody else on it.
    pub(crate) async fn run_disturbed(
        &self,
        listed: Listed,
        entry: &str,
        dir: &RunDir,
        disturbance: Disturbance,
    ) -> anyhow::Result<Vec<Verdict>> {
        let (case, shared) = self.prepare(Catalog::load(&self.paths.root)?, listed, entry, dir).await?;
        let alone = Leases::of_cluster(&self.paths, &case.cluster.name).acquire(Use::Exclusive, || ()).await?;
        let case_dir = dir.case(entry, &case.listed.name, 1)?;
        let room = alone.slots().next().unwrap_or_default();
        disturbance.prepare(&case.cluster).await?;
        let (report, disturbed) = tokio::join!(case.run(room, &shared, &case_dir), disturbance.happen(&case.cluster));
        disturbance.mend(&case.cluster).await?;
        disturbed?;
        let report = report?;
        anyhow::ensure!(report.clean_up_problem.is_none(), "left behind: {:?}", report.clean_up_problem);
        Ok(report.verdicts)
    }

    async fn prepare(&self, catalog: Catalog, listed: Listed, entry: &str, dir: &RunDir) -> anyhow::Result<(Case, Shared)> {
        let catalog = Catalog { scenarios: vec![listed.clone()], ..catalog };
        let (cluster, shared) = self.open(catalog, entry, dir).await?;
        Ok((Case::new(&cluster, Arc::new(listed)), shared))
    }

    /// The cluster with the images for the scenarios of the catalog that apply to it.
    async fn open(&self, catalog: Catalog, entry: &str, dir: &RunDir) -> anyhow::Result<(Arc<Cluster>, Shared)> {
        Plan::new(&matrix::load(&self.paths)?, &catalog, &[entry.to_owned()], Globs { named: &[], nightly: true })?;
        let clusters = Clusters::connect(&self.variables, self.paths.clone()).await?;
        let cluster = Arc::new(Cluster::open(entry, &self.paths, &clusters.engine)?);
        let applying = catalog.scenarios.iter().filter(|listed| listed.scenario.needs.unmet(&cluster.environment).is_none());
        let applying: Vec<&Listed> = applying.collect();
        let agents = applying.iter().flat_map(|listed| catalog.agents_of(&listed.scenario)).collect();
        let mut shared = Shared {
            run: dir.run.clone(),
            catalog: Arc::new(catalog.clone()),
            witness_image: String::new(),
            agent_images: BTreeMap::new(),
            missing_images: BTreeMap::new(),
            interrupt: Interrupt::on_signals()?,
            progress: Progress::quiet(),
        };
        if !applying.is_empty() {
            let (images, missing) = self.images(&clusters, &cluster, agents).await?;
            shared.witness_image.clone_from(&images.witness.name);
            shared.agent_images = images.agent_names().into_iter().chain(missing).collect();
            shared.missing_images = images.missing;
        }
        Ok((cluster, shared))
    }

    /// Loads the images of the witness and of the agents. The agent `missing` has one that no node has.
    async fn images(
        &self,
        clusters: &Clusters,
        cluster: &Cluster,
        mut agents: BTreeMap<String, Agent>,
    ) -> anyhow::Result<(Images, Option<(String, String)>)> {
        let missing = agents.remove("missing").map(|_| ("missing".to_owned(), "sidecheck/agent-missing:0".to_owned()));
        let sources = ImageSources { engine: Some(clusters.engine.clone()), ..ImageSources::default() };
        let images = Images::prepare(&self.paths, &agents, &sources, &Progress::quiet()).await?;
        clusters.load(cluster, &images.all(), &Listener::none()).await?;
        Ok((images, missing))
    }
}
