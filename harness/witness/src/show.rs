//! Reading a file of a container that has no shell.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use crate::complain;

/// Prints the bytes of a file. Exit code 0, or 1 when that can't be done.
pub(crate) fn show(file: &Path) -> u8 {
    let print = |bytes: Vec<u8>| {
        let mut stdout = io::stdout().lock();
        stdout.write_all(&bytes).and_then(|()| stdout.flush())
    };
    match fs::read(file).and_then(print) {
        Ok(()) => 0,
        Err(error) => {
            complain(&format!("failed to show {}: {error}", file.display()));
            1
        }
    }
}
