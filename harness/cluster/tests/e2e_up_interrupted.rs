//! `up` that is given up half way leaves nothing: no container, no kubeconfig, nothing for `gc`. Needs a Docker engine
//! here that has the node image of 1.29, which `sidecheck up 1.29` builds.

#![expect(clippy::unwrap_used, reason = "so a test fails; clippy spares only the functions that are marked as tests")]

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use sidecheck_cluster::{
    Clusters, Progress,
    command::Command,
    paths::{Paths, Variables},
};
use sidecheck_core::matrix::Entry;
use tokio::sync::mpsc;

const RELEASE: &str = "1.29.15";

/// While the node's container is being made, and while its control plane starts.
#[tokio::test]
async fn dropped_at_once() {
    up_and_drop("interrupted-at-once", Duration::from_millis(200)).await;
}

#[tokio::test]
async fn dropped_half_way() {
    up_and_drop("interrupted", Duration::from_secs(3)).await;
}

/// Drops `up` so long after kind began to make the cluster.
async fn up_and_drop(name: &str, after: Duration) {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut variables = Variables::of_process();
    let real = Paths::find(Some(root), &variables, root).unwrap();
    find_tools_of(&real, &mut variables);
    // The same folder each time: what a killed test leaves is removed by the next one's `up`.
    let paths = Paths { root: root.into(), state: PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name) };
    let clusters = Clusters::connect(&variables, paths.clone()).await.unwrap();
    assert_image(&clusters).await;

    let entry = Entry::parse("entry.yaml", name, &format!("{{release: {RELEASE}, expect_gates: {{}}}}")).unwrap();
    let (said, mut lines) = mpsc::unbounded_channel();
    let progress = Progress::new(move |line| _ = said.send(line.to_owned()));
    let drop_time = async {
        while !lines.recv().await.unwrap().starts_with("kind: ") {}
        tokio::time::sleep(after).await;
    };
    tokio::select! {
        up = clusters.up(&entry, &[], &progress) => panic!("it is over before it could be dropped: {up:?}"),
        () = drop_time => {}
    }

    let cluster = sidecheck_cluster::cluster::name_of(name);
    let filter = format!("label=io.x-k8s.kind.cluster={cluster}");
    let left = clusters.engine.docker(["ps", "--all", "--filter", &filter]).arg("--quiet").run().await.unwrap();
    assert_eq!(left.text(), "", "a container is left");
    assert!(!paths.cluster(&cluster).exists(), "the folder with the kubeconfig is left");
    assert_eq!(clusters.list().await.unwrap(), []);
    assert_eq!(clusters.gc(Duration::ZERO, &Progress::none()).await.unwrap(), Vec::<String>::new());
    std::fs::remove_dir_all(&paths.state).unwrap();
}

/// kind and the engine may be those that `scripts/setup` keeps in the real state folder.
fn find_tools_of(real: &Paths, variables: &mut Variables) {
    let folders = variables.path.iter().flat_map(std::env::split_paths).chain([real.state.join("bin")]);
    variables.path = Some(std::env::join_paths(folders).unwrap());
    if variables.docker_host.is_none() && real.engine_socket().exists() {
        variables.docker_host = Some(format!("unix://{}", real.engine_socket().display()));
    }
}

/// Without the image, `up` would build one for minutes.
async fn assert_image(clusters: &Clusters) {
    let tag = Command::new(clusters.paths.root.join("clusters/node-image/tag")).arg(RELEASE).run().await.unwrap().text();
    let image = clusters.engine.image_id(&tag).await.unwrap();
    assert!(image.is_some(), "the engine has no image {tag}; to make it: sidecheck up 1.29");
}
