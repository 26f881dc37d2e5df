//! Files by which the harness tells a running container something: in the folder `tell` of the evidence.
//!
//! A file's presence and age are all that counts, never its content.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use crate::failure::Failure;
use crate::identity::Identity;

/// How often something is looked for that another process brings about: a few system calls, for a few seconds.
pub(crate) const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// One thing to be told.
#[derive(Debug)]
pub(crate) struct Tell {
    /// For this pod, and for all pods: whoever makes the file may not know the pod's uid.
    paths: [PathBuf; 2],
}

impl Tell {
    /// The file `name`, or that with the pod's uid before it: `tell/<uid>.<name>`.
    pub(crate) fn of(identity: &Identity, name: &str) -> Self {
        let folder = identity.evidence.join("tell");
        Tell { paths: [folder.join(format!("{}.{name}", identity.uid)), folder.join(name)] }
    }

    /// When it was told last.
    pub(crate) fn at(&self) -> Result<Option<SystemTime>, Failure> {
        let mut newest = None;
        for path in &self.paths {
            match fs::metadata(path).and_then(|file| file.modified()) {
                Ok(at) => newest = newest.max(Some(at)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(Failure::unseen("look at", path)(error)),
            }
        }
        Ok(newest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    #[test]
    fn the_newer_of_the_two_files_counts() {
        let evidence = tempfile::tempdir().expect("must be made");
        let identity = Identity {
            pod: "web-0".to_owned(),
            uid: "c0ffee".to_owned(),
            container: "app".to_owned(),
            run: "r1".to_owned(),
            evidence: evidence.path().to_owned(),
        };
        let tell = Tell::of(&identity, "app.exit");
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let touch = |name: &str, seconds| {
            let file = File::create(evidence.path().join("tell").join(name)).expect(name);
            file.set_modified(at(seconds)).expect(name);
        };
        assert_eq!(tell.at().expect("no folder is no failure"), None);
        fs::create_dir(evidence.path().join("tell")).expect("must be made");
        touch("other.exit", 9);
        touch("decaf.app.exit", 9);
        assert_eq!(tell.at().expect("must be readable"), None);
        touch("app.exit", 5);
        assert_eq!(tell.at().expect("must be readable"), Some(at(5)));
        touch("c0ffee.app.exit", 4);
        assert_eq!(tell.at().expect("must be readable"), Some(at(5)));
        touch("c0ffee.app.exit", 6);
        assert_eq!(tell.at().expect("must be readable"), Some(at(6)));
    }
}
