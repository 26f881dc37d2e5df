//! All YAML of the project goes through here, so that the library behind it can change in one place.

use serde::{Serialize, de::DeserializeOwned};

/// A text that is not what it should be, with its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct YamlError {
    /// The file's name as the user gave it.
    pub file: String,
    /// Line, counted from 1; 1 where the library knows no place.
    pub line: u64,
    /// What is wrong, in one sentence.
    pub message: String,
}

/// Reads one value from `text`; `file` only names it in errors.
///
/// # Errors
/// [`YamlError`] with file and line: bad syntax, an unknown key, a wrong type, a missing key, a repeated key.
pub fn from_str<T: DeserializeOwned>(file: &str, text: &str) -> Result<T, YamlError> {
    serde_yaml::from_str(text).map_err(|error| {
        let error = error.without_snippet();
        let line = error.location().map_or(1, |place| place.line());
        YamlError { file: file.to_owned(), line, message: first_sentence(&error.to_string()) }
    })
}

/// Writes a value as YAML text.
///
/// # Errors
/// A value that YAML can't express (none of the project's types).
pub fn to_string<T: Serialize>(value: &T) -> Result<String, YamlError> {
    serde_yaml::to_string(value).map_err(|error| YamlError { file: "(output)".to_owned(), line: 1, message: error.to_string() })
}

/// The library prints its message on the first line, and ends it with the place, which we print ourselves.
fn first_sentence(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    line.split(" at line ").next().unwrap_or(line).trim().to_owned()
}
