//! Checks that an open file still has its name. On Unix, others can delete, move or replace the file meanwhile;
//! anything written after that would go into an orphaned file.

use std::io;
use std::path::{Path, PathBuf};

use crate::store::Error;

/// Device and inode of a file. On other systems only its existence is checked, because Windows lets no process
/// delete or move a file that SQLite has open.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = ();

/// A file that was opened, with its path and identity.
pub(in crate::store) struct OpenedFile {
    path: PathBuf,
    identity: Identity,
}

impl OpenedFile {
    /// Captures the identity of the file at `path`. Must be called right after opening it.
    pub(in crate::store) fn at(path: &Path) -> Result<OpenedFile, Error> {
        Ok(OpenedFile { path: path.to_owned(), identity: identity(path)? })
    }

    /// Returns `Moved` if the file no longer has its name.
    pub(in crate::store) fn ensure_in_place(&self) -> Result<(), Error> {
        if self.is_in_place() { Ok(()) } else { Err(Error::Moved) }
    }

    /// Returns `true` if the file still has its name. Takes one `stat` call, about a microsecond.
    pub(in crate::store) fn is_in_place(&self) -> bool {
        identity(&self.path).is_ok_and(|now| now == self.identity)
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> io::Result<Identity> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).map(|file| (file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> io::Result<Identity> {
    std::fs::metadata(path).map(|_| ())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_moved_or_replaced_file_is_detected() {
        let folder = tempfile::tempdir().unwrap();
        let [path, aside] = ["file", "aside"].map(|name| folder.path().join(name));
        std::fs::write(&path, "1").unwrap();
        let file = OpenedFile::at(&path).unwrap();
        std::fs::write(&path, "2").unwrap();
        assert!(file.is_in_place(), "the file may be written to");
        std::fs::rename(&path, &aside).unwrap();
        assert!(!file.is_in_place());
        std::fs::copy(&aside, &path).unwrap();
        assert!(!file.is_in_place(), "a copy is another file");
        std::fs::rename(&aside, &path).unwrap();
        assert!(file.is_in_place(), "the original file is back");
    }
}
