//! What is wrong with the content of a file, beyond what its types can say.

use crate::yaml::YamlError;

/// What is wrong, and a text that stands on the line where it is.
pub(crate) struct Wrong {
    needle: String,
    message: String,
}

impl Wrong {
    pub(crate) fn new(needle: impl Into<String>, message: impl Into<String>) -> Self {
        Self { needle: needle.into(), message: message.into() }
    }

    /// With its place: the line that `line_of` finds the needle on.
    pub(crate) fn placed(self, file: &str, line_of: impl FnOnce(&str) -> u64) -> YamlError {
        YamlError { file: file.to_owned(), line: line_of(&self.needle), message: self.message }
    }
}
