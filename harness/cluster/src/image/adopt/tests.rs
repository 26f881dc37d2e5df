use std::{
    collections::BTreeMap,
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use super::*;
use crate::image::{Config, File as ImageFile, Image, Layer, archive::architecture};

type Entries = BTreeMap<String, Vec<u8>>;

fn write(folder: &Path, entries: &Entries) -> PathBuf {
    let path = folder.join("given.tar");
    let mut tar = tar::Builder::new(fs::File::create(&path).unwrap());
    for (name, bytes) in entries {
        layer::append(&mut tar, name, 0o644, bytes).unwrap();
    }
    tar.finish().unwrap();
    path
}

fn read(path: &Path) -> Entries {
    let mut archive = tar::Archive::new(fs::File::open(path).unwrap());
    let read = |entry: io::Result<tar::Entry<'_, fs::File>>| {
        let mut entry = entry.unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        (entry.path().unwrap().display().to_string(), bytes)
    };
    archive.entries().unwrap().map(read).collect()
}

fn json_of(entries: &Entries, name: &str) -> Value {
    serde_json::from_slice(&entries[name]).unwrap()
}

/// What `docker save theirs/agent:1` would write.
fn docker_archive(folder: &Path) -> PathBuf {
    let file = ImageFile { path: "agent".into(), mode: 0o755, bytes: b"agent".to_vec() };
    let path = folder.join("docker.tar");
    Image::new(Layer::of_files(&[file]).unwrap(), &Config::default()).write("theirs/agent:1", &path).unwrap();
    path
}

/// An OCI layout with an image for each of two architectures, and an attestation.
fn oci_entries(size_of_layer: usize) -> Entries {
    let mut entries = Entries::from([("oci-layout".to_owned(), b"{\"imageLayoutVersion\":\"1.0.0\"}".to_vec())]);
    let mut add = |bytes: Vec<u8>, kind: &str| {
        let digest = digest::of(&bytes);
        let descriptor = json!({"mediaType": kind, "digest": format!("sha256:{digest}"), "size": bytes.len()});
        entries.insert(format!("blobs/sha256/{digest}"), bytes);
        descriptor
    };
    let mut manifests = Vec::new();
    for platform in [architecture(), "riscv64", "unknown"] {
        let config = add(json!({"architecture": platform, "os": "linux"}).to_string().into_bytes(), "config");
        let mut layer = add(format!("layer for {platform}").into_bytes(), "layer");
        layer["size"] = json!(layer["size"].as_u64().unwrap() as usize + size_of_layer);
        let manifest = json!({"schemaVersion": 2, "config": config, "layers": [layer]}).to_string().into_bytes();
        let mut manifest = add(manifest, "application/vnd.oci.image.manifest.v1+json");
        let os = if platform == "unknown" { "unknown" } else { "linux" };
        manifest["platform"] = json!({"architecture": platform, "os": os});
        manifests.push(manifest);
    }
    let index = json!({"schemaVersion": 2, "manifests": manifests}).to_string().into_bytes();
    let mut top = add(index, "application/vnd.oci.image.index.v1+json");
    top["annotations"] = json!({"org.opencontainers.image.ref.name": "theirs/agent:2"});
    let index = json!({"schemaVersion": 2, "manifests": [top]}).to_string().into_bytes();
    entries.insert("index.json".to_owned(), index);
    entries
}

fn said(file: &Path) -> String {
    let cache = tempfile::tempdir().unwrap();
    let error = adopt("x", file, cache.path()).unwrap_err().to_string();
    assert!(error.contains(&file.display().to_string()), "{error}");
    assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 0, "nothing is left");
    error
}

#[test]
fn an_archive_of_docker_gets_our_name_and_keeps_its_content() {
    let (folder, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let given = docker_archive(folder.path());
    let adopted = adopt("fluent-bit", &given, cache.path()).unwrap();
    assert_eq!(adopted.called.as_deref(), Some("theirs/agent:1"));
    let (before, after) = (read(&given), read(&adopted.archive.path));
    let manifest = json_of(&after, "manifest.json");
    assert_eq!(manifest[0]["RepoTags"], json!([adopted.archive.name]));
    let id = digest::of(&before[manifest[0]["Config"].as_str().unwrap()]);
    assert_eq!(adopted.archive.name, format!("docker.io/sidecheck/agent-fluent-bit:{}", &id[..12]));
    for (name, bytes) in before.iter().filter(|(name, _)| *name != "manifest.json") {
        assert_eq!(&after[name], bytes);
    }
    assert_eq!(adopt("fluent-bit", &given, cache.path()).unwrap(), adopted);
}

#[test]
fn of_an_oci_layout_only_the_image_for_this_machine_is_taken() {
    let (folder, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let given = write(folder.path(), &oci_entries(0));
    let adopted = adopt("vector", &given, cache.path()).unwrap();
    assert_eq!(adopted.called.as_deref(), Some("theirs/agent:2"));
    let after = read(&adopted.archive.path);
    let index = json_of(&after, "index.json");
    assert_eq!(index["manifests"].as_array().unwrap().len(), 1);
    assert_eq!(index["manifests"][0]["annotations"], json!({"io.containerd.image.name": adopted.archive.name}));
    let layers: Vec<_> = after.values().filter(|bytes| bytes.starts_with(b"layer for")).collect();
    assert_eq!(layers, [format!("layer for {}", architecture()).as_bytes()]);
    assert_eq!(after.len(), 5, "layout, index, manifest, configuration and layer: {:?}", after.keys());
}

#[test]
fn a_file_that_is_no_usable_archive_is_told_with_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let given = |bytes: &[u8]| {
        let path = folder.path().join("bad");
        fs::write(&path, bytes).unwrap();
        path
    };
    assert!(said(&folder.path().join("none.tar")).contains("No such file"));
    assert!(said(&given(&[0x1f, 0x8b, 8, 0])).contains("compressed"));
    assert!(said(&given(b"hello, this is no archive at all")).contains("no whole tar archive"));
    assert!(said(&write(folder.path(), &Entries::from([("a".to_owned(), vec![1])]))).contains("neither what `docker save`"));
    let docker = fs::read(docker_archive(folder.path())).unwrap();
    assert!(said(&given(&docker[..docker.len() / 2])).contains("no whole tar archive"));
}

#[test]
fn an_archive_of_something_else_is_told_with_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let mut entries = read(&docker_archive(folder.path()));
    let mut manifest = json_of(&entries, "manifest.json");
    let layer = manifest[0]["Layers"][0].as_str().unwrap().to_owned();
    let config = manifest[0]["Config"].as_str().unwrap().to_owned();

    let two = json!([manifest[0], manifest[0]]).to_string().into_bytes();
    let kept = entries.insert("manifest.json".to_owned(), two).unwrap();
    assert!(said(&write(folder.path(), &entries)).contains("2 images"));
    entries.insert("manifest.json".to_owned(), kept);

    let bytes = entries.remove(&layer).unwrap();
    assert!(said(&write(folder.path(), &entries)).contains(&format!("layer {layer} is missing")));
    entries.insert(layer, bytes);

    manifest = json_of(&entries, &config);
    manifest["architecture"] = json!("s390x");
    entries.insert(config, manifest.to_string().into_bytes());
    assert!(said(&write(folder.path(), &entries)).contains("for s390x, and this machine is"));

    assert!(said(&write(folder.path(), &oci_entries(1))).contains("missing or cut off"));
}
