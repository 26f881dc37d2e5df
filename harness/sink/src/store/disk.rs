//! The file under the store.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

/// What can be written to and made durable. A trait, so that a test can hold a sync back.
pub(crate) trait Disk: Send + 'static {
    /// Writes all of it at the end.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Returns when everything appended is durable.
    fn sync(&mut self) -> io::Result<()>;
}

impl Disk for File {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

/// Opens the file for appending, and makes its folder when it is missing.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().append(true).read(true).create(true).open(path)?;
    // A line that an earlier sink was killed in stays alone, rather than spoil the next one.
    if file.seek(SeekFrom::End(0))? > 0 {
        file.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            file.write_all(b"\n")?;
        }
    }
    Ok(file)
}
