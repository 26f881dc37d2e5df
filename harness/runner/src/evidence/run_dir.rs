//! One folder per run, below the folder of all runs.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use jiff::{Timestamp, tz::TimeZone};
use serde::Serialize;

use super::CaseDir;

/// The folder of a run.
#[derive(Debug, Clone)]
pub struct RunDir {
    /// The run's name: time in UTC and a few random characters, unlike any other's.
    pub run: String,
    /// The folder.
    pub path: PathBuf,
}

impl RunDir {
    /// Makes a new folder below `runs`, and points the link `latest` to it.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn create(runs: &Path) -> anyhow::Result<Self> {
        std::fs::create_dir_all(runs).with_context(|| format!("failed to make the folder {}", runs.display()))?;
        let time = Timestamp::now().to_zoned(TimeZone::UTC).strftime("%Y%m%d-%H%M%S-").to_string();
        // tempfile picks random characters and makes the folder in one step, so two runs can't share one.
        let made = tempfile::Builder::new().prefix(&time).rand_bytes(4).tempdir_in(runs);
        let path = made.with_context(|| format!("failed to make a run's folder in {}", runs.display()))?.keep();
        let run = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
        let lower = runs.join(&run);
        if lower != path {
            std::fs::rename(&path, &lower).with_context(|| format!("failed to name the folder {}", lower.display()))?;
        }
        let latest = runs.join("latest");
        // A link that can't be made costs nothing but convenience.
        let _ = std::fs::remove_file(&latest);
        let _ = std::os::unix::fs::symlink(&run, &latest);
        Ok(Self { run, path: lower })
    }

    /// Opens the folder of that name, or makes it: for several processes that make one run together.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn open(runs: &Path, run: &str) -> anyhow::Result<Self> {
        let path = runs.join(run);
        std::fs::create_dir_all(&path).with_context(|| format!("failed to make the folder {}", path.display()))?;
        Ok(Self { run: run.to_owned(), path })
    }

    /// The folder of one case: `<entry>/<suite>-<scenario>`, with the repetition behind it when there are several.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn case(&self, entry: &str, scenario: &str, repetition: u32) -> anyhow::Result<CaseDir> {
        CaseDir::create(self.path.join(entry).join(case_name(scenario, repetition)))
    }

    /// Writes a JSON file into the run's folder.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> anyhow::Result<()> {
        let path = self.path.join(name);
        std::fs::write(&path, serde_json::to_string_pretty(value)? + "\n")
            .with_context(|| format!("failed to write {}", path.display()))
    }
}

/// The name of a case's folder, such as `ordering.stop-on-delete`, or `ordering.stop-on-delete.2` when it was run before.
pub fn case_name(scenario: &str, repetition: u32) -> String {
    let name = scenario.replace('/', ".");
    if repetition > 1 { format!("{name}.{repetition}") } else { name }
}
