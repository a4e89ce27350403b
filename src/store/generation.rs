//! How what another process does reaches a server at once: two numbers in a small file.
//!
//! Whoever changes the token puts another number in the first place once that is committed, before anybody is answered.
//! Whoever checks a token compares the number (no database) and, where it has moved, reads the token again: it then sees
//! the commit. Whoever commits anything does the same in the second place.
//!
//! The numbers are drawn by chance, so that two who write at once need not know of each other, and a file that took the
//! place of another is told from it.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;

use super::Error;
use super::opened::OpenedFile;

/// Where the second number stands.
const COMMIT: u64 = 8;

/// Both numbers, read at the same moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signs {
    /// Moves whenever the token may have changed.
    pub token: u64,
    /// Another one behind each commit; 0 before the first one.
    pub commit: u64,
}

/// The file with the numbers.
pub(super) struct Generation {
    path: PathBuf,
    file: Mutex<(File, OpenedFile)>,
}

impl Generation {
    pub(super) fn open(path: &Path) -> Result<Generation, Error> {
        Ok(Generation { path: path.to_owned(), file: Mutex::new(open(path)?) })
    }

    /// The numbers now; one that was never written is 0.
    pub(super) fn now(&self) -> Result<Signs, Error> {
        let mut bytes = [0; 2 * size_of::<u64>()];
        self.with(|file| read_at(file, 0, &mut bytes))?;
        let numbers = u128::from_le_bytes(bytes);
        Ok(Signs { token: numbers as u64, commit: (numbers >> 64) as u64 })
    }

    /// Says that the token may have changed.
    pub(super) fn token_changed(&self) -> Result<(), Error> {
        self.with(|file| write_at(file, 0, &another()))
    }

    /// Says that there was a commit.
    pub(super) fn committed(&self) -> Result<(), Error> {
        self.with(|file| write_at(file, COMMIT, &another()))
    }

    /// Uses the file that has the name now: those who opened it before and after it was removed would see nothing of each
    /// other.
    fn with<T>(&self, work: impl FnOnce(&File) -> io::Result<T>) -> Result<T, Error> {
        let mut opened = self.file.lock();
        if !opened.1.is_in_place() {
            *opened = open(&self.path)?;
        }
        Ok(work(&opened.0)?)
    }
}

fn open(path: &Path) -> Result<(File, OpenedFile), Error> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // Others may read and write it meanwhile, but neither delete nor replace it.
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 0x1 | 0x2);
    Ok((options.open(path)?, OpenedFile::at(path)?))
}

/// A number that was not there before; 0 stands for none.
fn another() -> [u8; 8] {
    rand::random::<u64>().max(1).to_le_bytes()
}

#[cfg(unix)]
fn read_at(file: &File, at: u64, bytes: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, at)
}

#[cfg(unix)]
fn write_at(file: &File, at: u64, bytes: &[u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

#[cfg(windows)]
fn read_at(file: &File, at: u64, bytes: &mut [u8]) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, bytes, at)
}

#[cfg(windows)]
fn write_at(file: &File, at: u64, bytes: &[u8]) -> io::Result<()> {
    match std::os::windows::fs::FileExt::seek_write(file, bytes, at)? {
        written if written == bytes.len() => Ok(()),
        _ => Err(io::ErrorKind::WriteZero.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_has_it_open_sees_the_others_also_after_it_was_removed_or_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("generation");
        let (one, other) = (Generation::open(&path).unwrap(), Generation::open(&path).unwrap());
        assert_eq!(one.now().unwrap(), Signs { token: 0, commit: 0 });
        let moves = || {
            for (writer, reader) in [(&one, &other), (&other, &one)] {
                let before = reader.now().unwrap();
                writer.token_changed().unwrap();
                let after = reader.now().unwrap();
                assert!(after.token != before.token && after.commit == before.commit);
                writer.committed().unwrap();
                assert_ne!(reader.now().unwrap().commit, after.commit);
            }
        };
        moves();
        // Windows refuses both while it is open.
        let _ = std::fs::remove_file(&path);
        moves();
        let copy = folder.path().join("copy");
        std::fs::copy(&path, &copy).unwrap();
        let _ = std::fs::rename(&copy, &path);
        moves();
    }
}
