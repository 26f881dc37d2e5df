//! An OCI layout: `index.json` names manifests, which lie with all the rest under `blobs/` by their digests.

use serde_json::{Value, json};

use super::{Contents, Found, check_architecture};
use crate::image::archive::architecture;

const INDEXES: [&str; 2] =
    ["application/vnd.oci.image.index.v1+json", "application/vnd.docker.distribution.manifest.list.v2+json"];
/// What containerd calls an image, and what others do.
const NAMES: [&str; 2] = ["io.containerd.image.name", "org.opencontainers.image.ref.name"];

pub(super) fn find(contents: &Contents, name: impl Fn(&str) -> String) -> Result<Found, String> {
    let index = contents.json("index.json")?;
    let called = NAMES.iter().find_map(|key| index["manifests"][0]["annotations"][key].as_str());
    let mut descriptor = choose(&index)?.clone();
    let mut depth = 0;
    while descriptor["mediaType"].as_str().is_some_and(|kind| INDEXES.contains(&kind)) {
        depth += 1;
        if depth > 4 {
            return Err("its indexes name each other".to_owned());
        }
        descriptor = choose(&contents.json(&blob(&descriptor)?)?)?.clone();
    }
    let manifest_blob = blob(&descriptor)?;
    let manifest = contents.json(&manifest_blob)?;
    let config = blob(&manifest["config"])?;
    check_architecture(&contents.json(&config)?)?;
    let mut keep = vec![manifest_blob, config.clone()];
    for layer in manifest["layers"].as_array().into_iter().flatten() {
        let path = blob(layer)?;
        if !contents.is_whole(&path, layer["size"].as_u64()) {
            return Err(format!("it is incomplete: layer {path} is missing or cut off"));
        }
        keep.push(path);
    }
    let id = config.rsplit('/').next().unwrap_or_default().to_owned();
    // Of the names, only ours stays.
    descriptor["annotations"] = json!({NAMES[0]: name(&id)});
    let index = json!({"schemaVersion": 2, "manifests": [descriptor]}).to_string().into_bytes();
    let layout = json!({"imageLayoutVersion": "1.0.0"}).to_string().into_bytes();
    let written = vec![("oci-layout", layout), ("index.json", index)];
    Ok(Found { id, called: called.map(str::to_owned), keep, written })
}

/// The one entry of an index that is for this machine.
fn choose(index: &Value) -> Result<&Value, String> {
    let entries: Vec<&Value> = index["manifests"].as_array().into_iter().flatten().collect();
    let architecture_of = |entry: &Value| entry["platform"]["architecture"].as_str().map(str::to_owned);
    let fitting: Vec<&&Value> = entries
        .iter()
        .filter(|entry| architecture_of(entry).is_none_or(|theirs| theirs == architecture()))
        .filter(|entry| entry["platform"]["os"].as_str().is_none_or(|os| os == "linux"))
        .collect();
    match fitting.as_slice() {
        [entry] => Ok(entry),
        [] => {
            let theirs: Vec<String> = entries.iter().filter_map(|entry| architecture_of(entry)).collect();
            Err(format!("it has no image for {}, only for: {}", architecture(), theirs.join(", ")))
        }
        several => Err(format!("it has {} images: give an archive of one", several.len())),
    }
}

/// Where a descriptor's content lies.
fn blob(descriptor: &Value) -> Result<String, String> {
    let digest = descriptor["digest"].as_str().and_then(|digest| digest.split_once(':'));
    let is_plain = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric());
    match digest {
        Some((algorithm, hex)) if is_plain(algorithm) && is_plain(hex) && hex.len() >= 32 => {
            Ok(format!("blobs/{algorithm}/{hex}"))
        }
        _ => Err("one of its descriptors has no digest".to_owned()),
    }
}
