//! What `docker save` writes: `manifest.json` names configuration and layers of each image.

use serde_json::{Value, json};

use super::{Contents, Found, check_architecture, digest};

/// They say how images are called.
const NAMES: [&str; 4] = ["manifest.json", "repositories", "index.json", "oci-layout"];

pub(super) fn find(contents: &Contents, name: impl Fn(&str) -> String) -> Result<Found, String> {
    let manifest = contents.json("manifest.json")?;
    let images = manifest.as_array().map(Vec::as_slice).unwrap_or_default();
    let [image] = images else { return Err(format!("it has {} images: give an archive of one", images.len())) };
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let config = text(&image["Config"]).ok_or("its manifest.json names no configuration")?;
    let layers: Vec<String> = image["Layers"].as_array().into_iter().flatten().filter_map(text).collect();
    if let Some(missing) = layers.iter().find(|layer| !contents.is_whole(layer, None)) {
        return Err(format!("it is incomplete: layer {missing} is missing"));
    }
    check_architecture(&contents.json(&config)?)?;
    let id = digest::of(contents.bytes(&config)?);
    let manifest = json!([{"Config": config, "RepoTags": [name(&id)], "Layers": layers}]).to_string().into_bytes();
    Ok(Found {
        id,
        called: image["RepoTags"].get(0).and_then(text),
        // All of them: older engines write a layer that is there twice as a link.
        keep: contents.names().filter(|name| !NAMES.contains(&name.as_str())).cloned().collect(),
        written: vec![("manifest.json", manifest)],
    })
}
