//! Where the lines go: a file, which is rotated, and stdout.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use crate::args::{Rotate, Writes};
use crate::failure::Failure;

/// The places that each line is written to.
#[derive(Debug)]
pub(super) struct Outlet {
    file: Option<Log>,
    stdout: bool,
}

#[derive(Debug)]
struct Log {
    file: File,
    path: PathBuf,
    rotate: Option<Rotate>,
    /// Lines of this incarnation since the file is this one.
    lines: u64,
}

impl Outlet {
    pub(super) fn open(writes: &Writes) -> Result<Self, Failure> {
        let file = writes.to.as_ref().map(|path| {
            let file = open(path)?;
            Ok(Log { file, path: path.clone(), rotate: writes.rotate, lines: 0 })
        });
        Ok(Outlet { file: file.transpose()?, stdout: writes.stdout })
    }

    /// How many lines the next write may have: the file is rotated between writes.
    pub(super) fn room(&self) -> u64 {
        let log = self.file.as_ref();
        let rotate = log.and_then(|log| log.rotate.map(|rotate| (rotate.every, log.lines)));
        rotate.map_or(u64::MAX, |(every, lines)| if lines < every { every - lines } else { every })
    }

    /// Writes whole lines, each in one write.
    pub(super) fn write(&mut self, text: &[u8], lines: u64) -> Result<(), Failure> {
        if let Some(log) = &mut self.file {
            log.write(text, lines)?;
        }
        if self.stdout {
            // The lock keeps other threads' acts out of the middle.
            let mut stdout = io::stdout().lock();
            stdout.write_all(text).and_then(|()| stdout.flush()).map_err(Failure::unseen("write to", Path::new("stdout")))?;
        }
        Ok(())
    }
}

impl Log {
    fn write(&mut self, text: &[u8], lines: u64) -> Result<(), Failure> {
        if let Some(rotate) = self.rotate
            && self.lines >= rotate.every
        {
            self.turn(rotate).map_err(Failure::unseen("rotate", &self.path))?;
            if !rotate.truncates {
                self.file = open(&self.path)?;
            }
            self.lines = 0;
        }
        // A part of a line would be a fault of the log's writer, which no reader may be blamed for.
        let taken = self.file.write(text).map_err(Failure::unseen("append to", &self.path))?;
        if taken < text.len() {
            let short = io::Error::other(format!("only {taken} of {} bytes were taken", text.len()));
            return Err(Failure::unseen("append to", &self.path)(short));
        }
        self.lines += lines;
        Ok(())
    }

    fn turn(&self, rotate: Rotate) -> io::Result<()> {
        let older = |n: u32| if n == 0 { self.path.clone() } else { PathBuf::from(format!("{}.{n}", self.path.display())) };
        for n in (1..rotate.keep).rev() {
            match fs::rename(older(n), older(n + 1)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        match (rotate.truncates, rotate.keep) {
            (true, 0) => self.file.set_len(0),
            (true, _) => fs::copy(&self.path, older(1)).and_then(|_| self.file.set_len(0)),
            (false, 0) => fs::remove_file(&self.path),
            (false, _) => fs::rename(&self.path, older(1)),
        }
    }
}

fn open(path: &Path) -> Result<File, Failure> {
    OpenOptions::new().append(true).create(true).mode(0o666).open(path).map_err(Failure::unseen("open", path))
}
