//! Printing results, also into a pipe that somebody closes early, such as `sidecheck list | head`.

use std::{fmt::Display, io::Write as _};

/// Prints a text and a newline to stdout. A reader that has gone away ends the process quietly, with the code that a shell
/// gives to a program ended by SIGPIPE.
pub(crate) fn out(text: impl Display) {
    if let Err(error) = writeln!(std::io::stdout().lock(), "{text}") {
        let code = if error.kind() == std::io::ErrorKind::BrokenPipe { 141 } else { 3 };
        std::process::exit(code);
    }
}
