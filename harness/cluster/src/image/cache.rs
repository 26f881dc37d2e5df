//! Files that appear complete or not at all.

use std::{fs, io, io::Write as _, os::unix::fs::PermissionsExt as _, path::Path};

use super::error::ImageError;

/// Writes a file beside `path` and renames it into place, so that others find the old one, a complete new one, or none.
/// Makes the folder when it is missing.
pub(super) fn publish(path: &Path, write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> Result<(), ImageError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(ImageError::file("create", folder))?;
    let temporary = tempfile::NamedTempFile::new_in(folder).map_err(ImageError::file("create a file in", folder))?;
    let mut buffered = io::BufWriter::with_capacity(1 << 20, temporary);
    write(&mut buffered).map_err(ImageError::file("write", path))?;
    buffered.flush().map_err(ImageError::file("write", path))?;
    let temporary = buffered.into_inner().map_err(|error| ImageError::file("write", path)(error.into_error()))?;
    // Temporary files are private; an archive is no secret, and an engine may run as another user.
    let shared = fs::Permissions::from_mode(0o644);
    temporary.as_file().set_permissions(shared).map_err(ImageError::file("share", path))?;
    temporary.persist(path).map(drop).map_err(|error| ImageError::file("write", path)(error.error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_leaves_the_old_file_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        publish(&path, |file| file.write_all(b"old")).unwrap();
        let failed = publish(&path, |file| {
            file.write_all(b"half of the new one")?;
            Err(io::Error::other("enough"))
        });
        let error = failed.unwrap_err().to_string();
        assert_eq!(error, format!("failed to write {}", path.display()));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
