//! The folder of one case.
//!
//! `trace.jsonl` alone decides; everything else is there for people: `scenario.yaml`, `environment.json`,
//! `expectations.json`, `applied/` and `read-back/` (manifests), `node/` (raw texts), and `verdicts.json`.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sidecheck_cluster::recorder::NodeEvidence;
use sidecheck_core::{
    trace::{Act, Trace},
    verdict::Verdict,
    yaml,
};

/// The file that alone decides.
pub(crate) const TRACE: &str = "trace.jsonl";

/// The folder of one case.
#[derive(Debug, Clone)]
pub struct CaseDir {
    path: PathBuf,
}

impl CaseDir {
    pub(super) fn create(path: PathBuf) -> anyhow::Result<Self> {
        std::fs::create_dir_all(&path).with_context(|| format!("failed to make the folder {}", path.display()))?;
        Ok(Self { path })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn write_trace(&self, trace: &Trace) -> anyhow::Result<()> {
        self.write(TRACE, trace.to_text())?;
        let header = &trace.header;
        self.write("scenario.yaml", yaml::to_string(&header.scenario)?)?;
        self.write("environment.json", pretty(&header.environment)?)?;
        let expectations = sidecheck_core::expectations(&header.scenario, &header.deviations, &header.environment)?;
        self.write("expectations.json", pretty(&expectations)?)?;
        for (folder, object) in trace.events.iter().filter_map(|event| match &event.act {
            Act::Applied { object } => Some(("applied", object)),
            Act::ReadBack { object } => Some(("read-back", object)),
            _ => None,
        }) {
            let text =
                |pointer: &str| object.pointer(pointer).and_then(|value| value.as_str()).unwrap_or("object").to_lowercase();
            self.write(&format!("{folder}/{}-{}.yaml", text("/kind"), text("/metadata/name")), yaml::to_string(object)?)?;
        }
        Ok(())
    }

    /// The node's own texts, as they were when they were collected.
    pub(crate) fn write_node(&self, name: &str, node: &NodeEvidence) -> anyhow::Result<()> {
        let folder = format!("node/{name}");
        self.write(&format!("{folder}/containerd-events.log"), &node.events)?;
        self.write(&format!("{folder}/containerd-journal.log"), &node.journal)?;
        for (path, bytes) in &node.files {
            self.write(&format!("{folder}/{path}"), bytes)?;
        }
        Ok(())
    }

    pub(crate) fn write_verdicts(&self, verdicts: &[Verdict]) -> anyhow::Result<()> {
        self.write("verdicts.json", verdicts_text(verdicts)?)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
        let path = self.path.join(name);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).with_context(|| format!("failed to make the folder {}", folder.display()))?;
        }
        std::fs::write(&path, content).with_context(|| format!("failed to write {}", path.display()))
    }
}

/// The text of `verdicts.json`: the same bytes for the same verdicts.
pub(crate) fn verdicts_text(verdicts: &[Verdict]) -> anyhow::Result<String> {
    pretty(verdicts)
}

fn pretty<T: serde::Serialize + ?Sized>(value: &T) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}
