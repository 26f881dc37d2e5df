//! A digest of this incarnation's acts in the termination message, which the kubelet publishes in the pod's status.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt as _;

use crate::acts::Act;
use crate::clock::Stamp;
use crate::identity::Identity;
use crate::json::Object;

/// The kubelet keeps 4 KiB for a container but only 12 KiB for all containers of a pod, so a dozen must fit.
const LIMIT: usize = 1024;
/// The acts at the beginning that are never dropped.
const HEAD: usize = 4;

/// The termination message under construction.
#[derive(Debug)]
pub(crate) struct Digest {
    /// None where there is no termination message to write, as outside Kubernetes.
    file: Option<File>,
    container: String,
    incarnation: u64,
    acts: Vec<String>,
    omitted: u64,
}

impl Digest {
    /// Opens the termination message: `/dev/termination-log`, or what `SIDECHECK_TERMINATION_LOG` names.
    pub(crate) fn open(identity: &Identity, incarnation: u64) -> Self {
        let path = std::env::var("SIDECHECK_TERMINATION_LOG").unwrap_or_else(|_| "/dev/termination-log".to_owned());
        let file = OpenOptions::new().write(true).open(path).ok();
        Digest { file, container: identity.container.clone(), incarnation, acts: Vec::new(), omitted: 0 }
    }

    /// Adds an act and rewrites the message. Only a copy of evidence, so failures are ignored.
    pub(crate) fn add(&mut self, act: Act<'_>, at: Stamp) {
        self.acts.push(format!("[\"{}\",{}]", act.name(), at.boot_ns));
        let mut text = self.text();
        while text.len() >= LIMIT && self.acts.len() > HEAD {
            self.acts.remove(HEAD);
            self.omitted += 1;
            text = self.text();
        }
        if let Some(file) = &self.file {
            // Shortened after the write, so that a kill in between leaves the newest acts readable.
            let _ = file.write_all_at(text.as_bytes(), 0).and_then(|()| file.set_len(text.len() as u64));
        }
    }

    fn text(&self) -> String {
        Object::new()
            .text("container", &self.container)
            .number("incarnation", self.incarnation)
            .number("omitted", self.omitted)
            .raw("acts", &format!("[{}]", self.acts.join(",")))
            .close()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_under_its_limit_and_keeps_the_first_and_the_newest() {
        let mut digest = Digest { file: None, container: "app".to_owned(), incarnation: 3, acts: Vec::new(), omitted: 0 };
        digest.add(Act::Started, Stamp { boot_ns: 1, wall_ns: 0 });
        for n in 0..100 {
            digest.add(Act::Term, Stamp { boot_ns: 1_000_000_000_000_000 + n, wall_ns: 0 });
        }
        let text = digest.text();
        assert!(text.len() < LIMIT, "{} bytes", text.len());
        let read: serde_json::Value = serde_json::from_str(&text).expect("must be JSON");
        let acts = read["acts"].as_array().expect("must be a list");
        assert_eq!(acts[0], serde_json::json!(["started", 1]));
        assert_eq!(acts.last(), Some(&serde_json::json!(["term", 1_000_000_000_000_099_u64])));
        assert_eq!(acts.len() as u64 + read["omitted"].as_u64().expect("must be a number"), 101);
    }
}
