//! Progress for people, on stderr: a line when something ends, and now and then what is being waited for.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// Waits shorter than this are nobody's business.
const WORTH_TELLING: Duration = Duration::from_secs(8);

/// Where progress is shown; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    quiet: bool,
    waits: Arc<Mutex<BTreeMap<String, (String, Instant)>>>,
}

/// A wait that is shown until this is dropped.
#[derive(Debug)]
pub struct Waiting {
    progress: Progress,
    label: String,
}

impl Progress {
    /// Progress that is shown.
    pub fn shown() -> Self {
        Self::default()
    }

    /// Progress that nobody sees, for tests under a runner with its own output.
    pub fn quiet() -> Self {
        Self { quiet: true, ..Self::default() }
    }

    /// Shows a line.
    pub fn say(&self, line: &str) {
        if !self.quiet {
            eprintln!("{line}");
        }
    }

    /// Notes what a case is doing now.
    pub fn waiting(&self, label: &str, what: &str) -> Waiting {
        let mut waits = self.waits.lock().expect("no holder of the waits panics");
        waits.insert(label.to_owned(), (what.to_owned(), Instant::now()));
        Waiting { progress: self.clone(), label: label.to_owned() }
    }

    /// Tells every ten seconds what is being waited for; never returns.
    pub async fn tell(&self) {
        let mut tick = tokio::time::interval(Duration::from_secs(10));
        loop {
            tick.tick().await;
            for line in self.long_waits() {
                self.say(&line);
            }
        }
    }

    fn long_waits(&self) -> Vec<String> {
        let waits = self.waits.lock().expect("no holder of the waits panics");
        let long = waits.iter().filter(|(_, (_, since))| since.elapsed() >= WORTH_TELLING);
        long.map(|(label, (what, since))| format!("  ... {label}: {what}, for {} s", since.elapsed().as_secs())).collect()
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Ok(mut waits) = self.progress.waits.lock() {
            waits.remove(&self.label);
        }
    }
}
