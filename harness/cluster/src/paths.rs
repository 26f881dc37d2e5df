//! Where things are: the project's own files, and the folder in which sidecheck keeps state.

use std::path::{Path, PathBuf};

/// The variables that say where things are. The program reads them once, at its edge, and passes them in.
#[derive(Debug, Clone, Default)]
pub struct Variables {
    /// `SIDECHECK_ROOT`: the project's folder.
    pub root: Option<PathBuf>,
    /// `SIDECHECK_STATE`: where clusters, images and an engine of our own are kept.
    pub state: Option<PathBuf>,
    /// `XDG_CACHE_HOME`.
    pub cache_home: Option<PathBuf>,
    /// `HOME`.
    pub home: Option<PathBuf>,
    /// `DOCKER_HOST`: the engine that the user chose.
    pub docker_host: Option<String>,
    /// `PATH`: where programs are looked for.
    pub path: Option<std::ffi::OsString>,
}

impl Variables {
    /// Reads the variables of this process; an empty one counts as unset.
    pub fn of_process() -> Self {
        let read = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        Self {
            root: read("SIDECHECK_ROOT").map(PathBuf::from),
            state: read("SIDECHECK_STATE").map(PathBuf::from),
            cache_home: read("XDG_CACHE_HOME").map(PathBuf::from),
            home: read("HOME").map(PathBuf::from),
            docker_host: read("DOCKER_HOST").and_then(|value| value.into_string().ok()),
            path: read("PATH"),
        }
    }
}

/// The project's folder and the state folder, both absolute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// The project: has `clusters/matrix`.
    pub root: PathBuf,
    /// What sidecheck keeps between runs; may not exist yet.
    pub state: PathBuf,
}

/// Why a folder could not be told.
#[derive(Debug, thiserror::Error)]
pub enum PathsError {
    /// The folder that was named has no matrix.
    #[error("{} is not the project's folder: it has no {MATRIX}", .0.display())]
    NotRoot(PathBuf),
    /// No folder from the current one upwards has a matrix.
    #[error("no {MATRIX} in {} or above it: run inside the project, or set SIDECHECK_ROOT", .0.display())]
    NoRoot(PathBuf),
    /// No variable says where state may be kept.
    #[error("nowhere to keep state: set SIDECHECK_STATE, or HOME")]
    NoState,
}

const MATRIX: &str = "clusters/matrix";

impl Paths {
    /// Finds both folders: the root is `explicit`, else `SIDECHECK_ROOT`, else the nearest folder from `current`
    /// upwards that has `clusters/matrix`; the state is `SIDECHECK_STATE`, else `sidecheck` in the cache folder.
    pub fn find(explicit: Option<&Path>, variables: &Variables, current: &Path) -> Result<Self, PathsError> {
        let root = match explicit.or(variables.root.as_deref()) {
            Some(named) if named.join(MATRIX).is_dir() => current.join(named),
            Some(named) => return Err(PathsError::NotRoot(named.to_owned())),
            None => current
                .ancestors()
                .find(|folder| folder.join(MATRIX).is_dir())
                .ok_or_else(|| PathsError::NoRoot(current.to_owned()))?
                .to_owned(),
        };
        let state = match (&variables.state, &variables.cache_home, &variables.home) {
            (Some(state), _, _) => state.clone(),
            (None, Some(cache), _) => cache.join("sidecheck"),
            (None, None, Some(home)) => home.join(".cache/sidecheck"),
            (None, None, None) => return Err(PathsError::NoState),
        };
        Ok(Self { root, state: current.join(state) })
    }

    /// The folder of the matrix.
    pub fn matrix(&self) -> PathBuf {
        self.root.join(MATRIX)
    }

    /// What is kept about one cluster.
    pub fn cluster(&self, name: &str) -> PathBuf {
        self.state.join("clusters").join(name)
    }

    /// The lock file for `what`; outside of the folder that it guards, which may be removed while it is held.
    pub fn lock(&self, what: &str) -> PathBuf {
        self.state.join("locks").join(what)
    }

    /// The lease slots of one cluster.
    pub fn leases(&self, name: &str) -> PathBuf {
        self.state.join("leases").join(name)
    }

    /// The socket of the engine that `scripts/setup` starts where there is none.
    pub fn engine_socket(&self) -> PathBuf {
        self.state.join("engine/docker.sock")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join(MATRIX)).unwrap();
        std::fs::create_dir_all(folder.path().join("suites/jobs")).unwrap();
        folder
    }

    #[test]
    fn root_is_found_from_a_folder_below_it() {
        let project = project();
        let variables = Variables { home: Some("/home/ada".into()), ..Variables::default() };
        let paths = Paths::find(None, &variables, &project.path().join("suites/jobs")).unwrap();
        assert_eq!(paths.root, project.path());
        assert_eq!(paths.state, Path::new("/home/ada/.cache/sidecheck"));
    }

    #[test]
    fn explicit_root_wins_and_must_have_a_matrix() {
        let (project, other) = (project(), tempfile::tempdir().unwrap());
        let variables = Variables { root: Some(other.path().into()), state: Some("state".into()), ..Variables::default() };
        let paths = Paths::find(Some(project.path()), &variables, Path::new("/home/ada")).unwrap();
        assert_eq!((paths.root.as_path(), paths.state.as_path()), (project.path(), Path::new("/home/ada/state")));
        assert!(matches!(Paths::find(None, &variables, project.path()), Err(PathsError::NotRoot(_))));
    }

    #[test]
    fn nowhere_to_look_is_an_error() {
        let (project, other) = (project(), tempfile::tempdir().unwrap());
        let variables = Variables { cache_home: Some("/cache".into()), ..Variables::default() };
        assert!(matches!(Paths::find(None, &variables, other.path()), Err(PathsError::NoRoot(_))));
        assert_eq!(Paths::find(None, &variables, project.path()).unwrap().state, Path::new("/cache/sidecheck"));
        assert!(matches!(Paths::find(None, &Variables::default(), project.path()), Err(PathsError::NoState)));
    }
}
