//! What is in an archive: the sizes of all entries, and the content of the small ones, which are the JSON documents.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read as _},
    path::Path,
};

use serde_json::Value;

/// A manifest or configuration has some kilobytes, a layer some megabytes.
const SMALL: u64 = 1 << 20;
/// The first bytes of files that gzip, zstd, xz and bzip2 have compressed.
const COMPRESSED: [&[u8]; 4] = [&[0x1f, 0x8b], &[0x28, 0xb5, 0x2f, 0xfd], &[0xfd, b'7', b'z', b'X', b'Z'], b"BZh"];

/// The entries of an archive by name.
pub(super) struct Contents(BTreeMap<String, Entry>);

struct Entry {
    /// In bytes; none of a link.
    size: Option<u64>,
    small: Option<Vec<u8>>,
}

impl Contents {
    pub(super) fn read(file: &Path) -> Result<Self, String> {
        let opened = File::open(file).map_err(|error| error.to_string())?;
        let mut reader = io::BufReader::new(opened);
        let start = io::BufRead::fill_buf(&mut reader).map_err(|error| error.to_string())?;
        if COMPRESSED.iter().any(|magic| start.starts_with(magic)) {
            return Err("it is compressed: unpack it first, for example with gunzip".to_owned());
        }
        let mut entries = BTreeMap::new();
        let mut read = || {
            for entry in tar::Archive::new(&mut reader).entries()? {
                let mut entry = entry?;
                let name = name(&entry)?;
                let kind = entry.header().entry_type();
                let size = kind.is_file().then(|| entry.size());
                let mut small = Vec::new();
                if size.is_some_and(|size| size <= SMALL) {
                    entry.read_to_end(&mut small)?;
                }
                if !kind.is_dir() {
                    entries.insert(name, Entry { size, small: size.filter(|size| *size <= SMALL).map(|_| small) });
                }
            }
            io::Result::Ok(())
        };
        read().map_err(|error| format!("it is no whole tar archive ({error})"))?;
        Ok(Self(entries))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }

    /// Whether the entry is there, with that size where it is known.
    pub(super) fn is_whole(&self, name: &str, size: Option<u64>) -> bool {
        self.0.get(name).is_some_and(|entry| size.is_none() || entry.size == size)
    }

    pub(super) fn bytes(&self, name: &str) -> Result<&[u8], String> {
        let bytes = self.0.get(name).and_then(|entry| entry.small.as_deref());
        bytes.ok_or_else(|| format!("it is incomplete: {name} is missing or no small file"))
    }

    pub(super) fn json(&self, name: &str) -> Result<Value, String> {
        serde_json::from_slice(self.bytes(name)?).map_err(|error| format!("its {name} is no JSON ({error})"))
    }
}

/// An entry's name without a leading `./`.
pub(super) fn name(entry: &tar::Entry<'_, impl io::Read>) -> io::Result<String> {
    let path = entry.path()?;
    Ok(path.strip_prefix("./").unwrap_or(&path).to_string_lossy().into_owned())
}
