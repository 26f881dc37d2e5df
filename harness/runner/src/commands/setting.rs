//! Where the command runs: folders, environment, data files.

use std::path::Path;

use anyhow::Context as _;
use sidecheck_cluster::{
    Clusters, matrix,
    paths::{Paths, Variables},
};
use sidecheck_core::matrix::Matrix;

use crate::catalog::Catalog;

/// What most commands need to know.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    pub(crate) paths: Paths,
    pub(crate) variables: Variables,
}

impl Setting {
    pub(crate) fn find(root: Option<&Path>) -> anyhow::Result<Self> {
        let variables = Variables::of_process();
        let current = std::env::current_dir().context("failed to tell the current folder")?;
        Ok(Self { paths: Paths::find(root, &variables, &current)?, variables })
    }

    pub(crate) fn matrix(&self) -> anyhow::Result<Matrix> {
        Ok(matrix::load(&self.paths)?)
    }

    pub(crate) fn catalog(&self) -> anyhow::Result<Catalog> {
        Ok(Catalog::load(&self.paths.root)?)
    }

    pub(crate) async fn clusters(&self) -> anyhow::Result<Clusters> {
        Ok(Clusters::connect(&self.variables, self.paths.clone()).await?)
    }
}
