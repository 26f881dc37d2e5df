//! Image archives in the format of `docker save`: a configuration, a layer, and a manifest that names both.

use std::{io, path::Path};

use serde_json::json;

use super::{
    cache, digest,
    error::ImageError,
    layer::{self, Layer},
};

/// How containers of an image start, where their pod doesn't say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    /// The program and its first arguments; empty: the pod must name one.
    pub entrypoint: Vec<String>,
    /// Variables.
    pub env: Vec<(String, String)>,
    /// The folder to start in; none: the root.
    pub working_dir: Option<String>,
}

/// An image for this machine's architecture.
#[derive(Debug, Clone)]
pub struct Image {
    layer: Layer,
    config: Vec<u8>,
    id: String,
}

impl Image {
    /// An image of one layer. The same layer and configuration give the same image, byte for byte.
    pub fn new(layer: Layer, config: &Config) -> Self {
        let env: Vec<String> = config.env.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let config = json!({
            "architecture": architecture(),
            "os": "linux",
            "created": "1970-01-01T00:00:00Z",
            "config": {"Entrypoint": config.entrypoint, "Env": env, "WorkingDir": config.working_dir.as_deref().unwrap_or("/")},
            "rootfs": {"type": "layers", "diff_ids": [format!("sha256:{}", layer.digest())]},
            "history": [{"created": "1970-01-01T00:00:00Z", "created_by": "sidecheck"}],
        });
        let config = config.to_string().into_bytes();
        let id = digest::of(&config);
        Self { layer, config, id }
    }

    /// The image's identity: the digest of its configuration, which holds the digest of its layer.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Writes the archive to `path`, under the name `name:tag`. The file appears only when it is complete.
    pub fn write(&self, name: &str, path: &Path) -> Result<(), ImageError> {
        cache::publish(path, |file| self.pack(name, file))
    }

    fn pack(&self, name: &str, file: &mut dyn io::Write) -> io::Result<()> {
        let (config, layer) = (format!("{}.json", self.id), format!("{}.tar", self.layer.digest()));
        let manifest = json!([{"Config": config, "RepoTags": [name], "Layers": [layer]}]).to_string();
        let mut tar = tar::Builder::new(file);
        layer::append(&mut tar, &config, 0o644, &self.config)?;
        layer::append(&mut tar, &layer, 0o644, self.layer.tar())?;
        layer::append(&mut tar, "manifest.json", 0o644, manifest.as_bytes())?;
        tar.finish()
    }
}

/// This machine's architecture, in the words of images.
pub(super) fn architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, io::Read as _, path::PathBuf};

    use serde_json::Value;

    use super::*;
    use crate::image::File;

    fn image() -> Image {
        let file = File { path: PathBuf::from("bin/hello"), mode: 0o755, bytes: b"hello".to_vec() };
        let config = Config {
            entrypoint: vec!["/bin/hello".to_owned()],
            env: vec![("A".to_owned(), "b=c".to_owned())],
            working_dir: Some("/bin".to_owned()),
        };
        Image::new(Layer::of_files(&[file]).unwrap(), &config)
    }

    fn entries(tar: &[u8]) -> BTreeMap<String, Vec<u8>> {
        let mut archive = tar::Archive::new(tar);
        let read = |entry: io::Result<tar::Entry<'_, &[u8]>>| {
            let mut entry = entry.unwrap();
            assert_eq!(entry.header().mtime().unwrap(), 0);
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            (entry.path().unwrap().display().to_string(), bytes)
        };
        archive.entries().unwrap().map(read).collect()
    }

    #[test]
    fn what_the_manifest_names_is_there_under_its_digest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/image.tar");
        image().write("docker.io/sidecheck/hello:1", &path).unwrap();

        let entries = entries(&std::fs::read(path).unwrap());
        let manifest: Value = serde_json::from_slice(&entries["manifest.json"]).unwrap();
        assert_eq!(manifest[0]["RepoTags"], json!(["docker.io/sidecheck/hello:1"]));
        let (config, layer) = (manifest[0]["Config"].as_str().unwrap(), manifest[0]["Layers"][0].as_str().unwrap());
        assert_eq!(config, format!("{}.json", digest::of(&entries[config])));
        let config: Value = serde_json::from_slice(&entries[config]).unwrap();
        assert_eq!(config["rootfs"]["diff_ids"], json!([format!("sha256:{}", digest::of(&entries[layer]))]));
        assert_eq!(config["config"], json!({"Entrypoint": ["/bin/hello"], "Env": ["A=b=c"], "WorkingDir": "/bin"}));
        assert_eq!(super::tests::entries(&entries[layer])["bin/hello"], b"hello");
    }

    #[test]
    fn the_same_content_gives_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let written = ["1", "2"].map(|name| {
            let path = folder.path().join(name);
            image().write("a:1", &path).unwrap();
            std::fs::read(path).unwrap()
        });
        assert_eq!(written[0], written[1]);
    }
}
