//! A registry on this machine, with a node image in it.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use sidecheck_cluster::{
    engine::Engine,
    image::{Config, File, Image, Layer},
};

use crate::support::Daemon;

/// A registry with data and a port of its own.
pub(crate) struct Registry {
    daemon: Daemon,
    folder: tempfile::TempDir,
    /// Such as `127.0.0.1:40123`: the engine speaks plain HTTP to this machine.
    pub(crate) address: String,
}

impl Registry {
    /// Starts one. It takes a port that is free, and says which.
    pub(crate) fn start(state: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join("config.yml");
        let data = folder.path().join("data");
        let text = format!(
            "version: 0.1\nlog: {{level: info}}\nstorage: {{filesystem: {{rootdirectory: {}}}}}\nhttp: {{addr: '127.0.0.1:0'}}\n",
            data.display()
        );
        std::fs::write(&config, text).unwrap();
        let mut command = Command::new(program(state));
        command.arg("serve").arg(&config);
        let mut daemon = Daemon::start(command, folder.path().join("log"));
        let address = daemon.wait(Duration::from_secs(20), |said| {
            let (_, after) = said.split_once("listening on 127.0.0.1:")?;
            let port: String = after.chars().take_while(char::is_ascii_digit).collect();
            (after.len() > port.len()).then(|| format!("127.0.0.1:{port}"))
        });
        Self { daemon, folder, address }
    }

    pub(crate) fn stop(&mut self) {
        self.daemon.stop();
    }

    /// The name of the one image in it.
    pub(crate) fn image(&self) -> String {
        format!("{}/node:v1.28.15", self.address)
    }

    /// Pushes a small image that exists nowhere else, and removes it from the engine, so that a pull is a true one.
    /// A real node image would share its layers with those that the engine has, and nothing would be pulled. Returns
    /// the digest, such as `sha256:01..`.
    pub(crate) async fn publish(&self, engine: &Engine) -> String {
        let name = self.image();
        let file = File { path: PathBuf::from("kind/version"), mode: 0o644, bytes: name.clone().into_bytes() };
        let archive = self.folder.path().join("image.tar");
        Image::new(Layer::of_files(&[file]).unwrap(), &Config::default()).write(&name, &archive).unwrap();
        engine.docker(["load", "--input"]).arg(&archive).run().await.unwrap();
        engine.docker(["push", "--quiet", &name]).run().await.unwrap();
        let digest = engine.docker(["image", "inspect", "--format", "{{index .RepoDigests 0}}", &name]).run().await.unwrap();
        let digest = digest.text().split_once('@').unwrap().1.to_owned();
        remove(engine, &self.address).await;
        digest
    }

    /// Changes the manifest of that digest on disk, as a broken or hostile registry would.
    pub(crate) fn tamper(&self, digest: &str) {
        let hex = digest.trim_start_matches("sha256:");
        let blob = format!("data/docker/registry/v2/blobs/sha256/{}/{hex}/data", &hex[..2]);
        let path = self.folder.path().join(blob);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replacen("\"schemaVersion\": 2", "\"schemaVersion\":  2", 1)).unwrap();
        assert_ne!(std::fs::read_to_string(&path).unwrap(), text);
    }
}

/// Debian's `docker-registry`, from PATH or from where `scripts/setup --tests` puts it.
fn program(state: &Path) -> PathBuf {
    let own = state.join("bin/docker-registry");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found =
        std::env::split_paths(&path).map(|folder| folder.join("docker-registry")).chain([own]).find(|file| file.is_file());
    found.expect("docker-registry is missing; to get it: scripts/setup --tests")
}

/// The ids of the images whose names begin with a registry's address.
pub(crate) async fn images(engine: &Engine, address: &str) -> Vec<String> {
    let filter = format!("reference={address}/*");
    let ids = engine.docker(["images", "--all", "--quiet", "--no-trunc", "--filter", &filter]).run().await.unwrap().text();
    ids.lines().map(str::to_owned).collect()
}

/// Removes all images of a registry from the engine.
pub(crate) async fn remove(engine: &Engine, address: &str) {
    for id in images(engine, address).await {
        engine.docker(["rmi", "--force", &id]).run().await.unwrap();
    }
    assert_eq!(images(engine, address).await, Vec::<String>::new());
}
