//! Saying what is being done and waited for, to whoever asked for it.

use std::{fmt, sync::Arc};

/// A listener for lines of progress; whoever starts a long act brings one along, and so knows which act speaks.
#[derive(Clone)]
pub struct Progress(Arc<dyn Fn(&str) + Send + Sync>);

impl Progress {
    /// Passes each line to `listener`.
    pub fn new(listener: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(listener))
    }

    /// Listens to nothing.
    pub fn none() -> Self {
        Self::new(|_| ())
    }

    /// Says one line.
    pub fn say(&self, line: impl AsRef<str>) {
        (self.0)(line.as_ref());
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}
