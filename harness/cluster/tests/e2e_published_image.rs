//! The published node image, from a real registry on this machine. Needs a Docker engine here, and Debian's
//! `docker-registry` (`scripts/setup --tests`).

#![expect(clippy::unwrap_used, reason = "so a test fails; clippy spares only the functions that are marked as tests")]

#[path = "support/registry.rs"]
mod registry;
mod support;

use std::{
    os::unix::fs::PermissionsExt as _,
    sync::{Arc, Mutex},
};

use registry::Registry;
use sidecheck_cluster::{
    Progress,
    engine::Engine,
    node_image::{self, NodeImage, NodeImageError, Origin},
    paths::{Paths, Variables},
};
use sidecheck_core::matrix::Entry;

/// A registry with an image in it, an engine that lacks that image, and a project whose recipe only notes that a build
/// was asked for.
struct Bench {
    registry: Registry,
    engine: Engine,
    digest: String,
    project: tempfile::TempDir,
    paths: Paths,
    said: Arc<Mutex<Vec<String>>>,
}

impl Bench {
    async fn new() -> Self {
        let variables = Variables::of_process();
        let real = Paths::find(Some(support::root()), &variables, support::root()).unwrap();
        let engine = Engine::find(&variables, &real).await.unwrap();
        let registry = Registry::start(&real.state);
        let digest = registry.publish(&engine).await;
        let project = tempfile::tempdir().unwrap();
        let paths = Paths { root: project.path().join("root"), state: project.path().join("state") };
        let recipe = paths.root.join("clusters/node-image");
        std::fs::create_dir_all(&recipe).unwrap();
        let builds = project.path().join("builds");
        for (program, line) in
            [("tag", format!("echo {}/built:v$1", registry.address)), ("build", format!("echo \"$@\" >>{}", builds.display()))]
        {
            std::fs::write(recipe.join(program), format!("#!/bin/sh\n{line}\n")).unwrap();
            std::fs::set_permissions(recipe.join(program), std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        Self { registry, engine, digest, project, paths, said: Arc::default() }
    }

    async fn resolve(&self, image: &str) -> Result<NodeImage, NodeImageError> {
        let text = format!("{{release: 1.28.15, expect_gates: {{}}, image: '{image}'}}");
        let entry = Entry::parse("entry.yaml", "entry", &text).unwrap();
        let said = Arc::clone(&self.said);
        let progress = Progress::new(move |line| said.lock().unwrap().push(line.to_owned()));
        node_image::resolve(&entry, &self.engine, &self.paths, &progress).await
    }

    /// The releases for which a build from source was asked.
    fn builds(&self) -> String {
        std::fs::read_to_string(self.project.path().join("builds")).unwrap_or_default()
    }

    /// The image is neither in the engine nor did anybody begin to build one.
    async fn assert_nothing_was_done(&self) {
        assert_eq!(self.builds(), "", "no build is started");
        assert!(!self.paths.state.exists(), "nothing is left in the state folder");
        assert_eq!(registry::images(&self.engine, &self.registry.address).await, Vec::<String>::new());
    }

    /// The image comes from a build, with a note that says `why` the published one does not.
    async fn assert_built(&self, image: &str, why: &str) {
        let resolved = self.resolve(image).await.unwrap();
        let reference = format!("{}/built:v1.28.15", self.registry.address);
        assert_eq!((resolved.reference, resolved.origin), (reference, Origin::Built));
        assert_eq!(self.builds(), "1.28.15\n");
        let note = resolved.note.unwrap();
        assert!(note.contains(why), "{note}");
        let said = self.said.lock().unwrap().join("\n");
        assert!(said.contains(image) && said.contains(why) && said.contains("built from source instead"), "{said}");
    }
}

impl Drop for Bench {
    /// Removes what was pulled, also after a failure.
    fn drop(&mut self) {
        let (engine, address) = (self.engine.clone(), self.registry.address.clone());
        let remove = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(registry::remove(&engine, &address));
        };
        let removed = std::thread::spawn(remove).join();
        assert!(removed.is_ok() || std::thread::panicking(), "images of {} are left", self.registry.address);
    }
}

#[tokio::test]
async fn published_image_is_pulled_by_its_digest_and_kept() {
    let mut bench = Bench::new().await;
    let image = format!("{}@{}", bench.registry.image(), bench.digest);
    assert_eq!(bench.engine.image_id(&image).await.unwrap(), None);

    let published = NodeImage { reference: image.clone(), origin: Origin::Published, note: None };
    assert_eq!(bench.resolve(&image).await.unwrap(), published);
    assert!(bench.engine.image_id(&image).await.unwrap().is_some());

    bench.registry.stop();
    assert_eq!(bench.resolve(&image).await.unwrap(), published, "no registry is asked for what is there");
    assert_eq!(*bench.said.lock().unwrap(), [format!("pulling {image}")]);
    assert_eq!(bench.builds(), "");
}

#[tokio::test]
async fn wrong_digest_is_an_error_and_starts_no_build() {
    let bench = Bench::new().await;
    let image = format!("{}@sha256:{}", bench.registry.image(), "5eed".repeat(16));
    let error = bench.resolve(&image).await.unwrap_err();
    assert!(matches!(&error, NodeImageError::Mismatch { image: named, .. } if *named == image), "{error:?}");
    let message = error.to_string();
    assert!(message.contains(&image) && message.contains("but not with the digest sha256:5eed"), "{message}");
    bench.assert_nothing_was_done().await;
}

#[tokio::test]
async fn image_that_does_not_have_its_digest_is_an_error_and_starts_no_build() {
    let bench = Bench::new().await;
    bench.registry.tamper(&bench.digest);
    let image = format!("{}@{}", bench.registry.image(), bench.digest);
    let error = bench.resolve(&image).await.unwrap_err();
    assert!(matches!(&error, NodeImageError::Mismatch { .. }), "{error:?}");
    assert!(error.to_string().contains(&image), "{error}");
    bench.assert_nothing_was_done().await;
}

#[tokio::test]
async fn image_that_was_never_published_is_built() {
    let bench = Bench::new().await;
    let image = format!("{}/node:v1.28.99@{}", bench.registry.address, "sha256:".to_owned() + &"5eed".repeat(16));
    bench.assert_built(&image, "manifest unknown").await;
}

#[tokio::test]
async fn image_whose_registry_is_down_is_built() {
    let mut bench = Bench::new().await;
    bench.registry.stop();
    let image = format!("{}@{}", bench.registry.image(), bench.digest);
    bench.assert_built(&image, "connection refused").await;
}
