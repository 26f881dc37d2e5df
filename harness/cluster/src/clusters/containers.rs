//! The containers that are nodes of clusters, ours and others.

use std::path::Path;

use super::Clusters;
use crate::{command::CommandError, kind::CLUSTER_LABEL};

/// A node's container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Container {
    /// kind's name for the cluster.
    pub(super) cluster: String,
    pub(super) running: bool,
    /// Whether this state folder made it.
    pub(super) ours: bool,
}

impl Clusters {
    /// The nodes of one cluster, whoever made it.
    pub(super) async fn containers(&self, name: &str) -> Result<Vec<Container>, CommandError> {
        let all = self.all_containers().await?;
        Ok(all.into_iter().filter(|container| container.cluster == name).collect())
    }

    /// The nodes of all clusters on the engine.
    pub(super) async fn all_containers(&self) -> Result<Vec<Container>, CommandError> {
        let format = format!("{{{{.Label \"{CLUSTER_LABEL}\"}}}} {{{{.State}}}} {{{{.Mounts}}}}");
        let filter = format!("label={CLUSTER_LABEL}");
        let list = self.engine.docker(["ps", "--all", "--no-trunc", "--filter", &filter, "--format", &format]);
        let text = list.run().await?.text();
        Ok(text.lines().filter_map(|line| container(line, |name| self.paths.cluster(name))).collect())
    }
}

/// Reads `CLUSTER STATE MOUNT,MOUNT,..`; the mark is the cluster's own folder among the mounts, see the configuration
/// that kind gets.
fn container(line: &str, folder: impl Fn(&str) -> std::path::PathBuf) -> Option<Container> {
    let mut words = line.splitn(3, ' ');
    let (cluster, state, mounts) = (words.next()?, words.next()?, words.next().unwrap_or_default());
    let mark = folder(cluster);
    let ours = mounts.split(',').any(|mount| Path::new(mount) == mark);
    Some(Container { cluster: cluster.to_owned(), running: state == "running", ours })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_tells_whose_a_container_is() {
        let read = |line| container(line, |name| Path::new("/state/clusters").join(name)).unwrap();
        let ours = read("sidecheck-1.29 running 0123abcd,/lib/modules,/state/clusters/sidecheck-1.29");
        assert_eq!(ours, Container { cluster: "sidecheck-1.29".into(), running: true, ours: true });
        let theirs = read("sidecheck-1.29 exited /lib/modules,/other/clusters/sidecheck-1.29");
        assert!(!theirs.ours && !theirs.running);
    }
}
