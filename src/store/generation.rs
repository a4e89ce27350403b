//! How what another process does reaches a server at once: two numbers in a small file.
//!
//! Whoever changes the token raises the first one inside the write transaction, before its commit. Whoever checks a token
//! compares the number (one positioned read, no database) and, where it has moved, reads the token again behind the same
//! write lock: it then sees the commit, or that there was none. There is no moment in which a replaced token passes.
//!
//! Whoever commits anything puts another number in the second place, before anybody is answered.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use super::Error;

/// Where the second number stands.
const COMMIT: u64 = 8;

/// The file with the numbers.
pub(super) struct Generation {
    file: File,
}

impl Generation {
    pub(super) fn open(path: &Path) -> Result<Generation, Error> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        Ok(Generation { file: options.open(path)? })
    }

    /// The token's number now; a file that is still empty says 0.
    pub(super) fn now(&self) -> Result<u64, Error> {
        self.number(0)
    }

    /// Raises the token's number. The caller holds the store's write lock.
    pub(super) fn raise(&self) -> Result<(), Error> {
        Ok(write_at(&self.file, 0, &self.now()?.wrapping_add(1).to_le_bytes())?)
    }

    /// The last commit's number; 0 before the first one.
    pub(super) fn commit(&self) -> Result<u64, Error> {
        self.number(COMMIT)
    }

    /// Says that there was a commit. A number by chance, so that two who do so at once need not know of each other.
    pub(super) fn committed(&self) -> Result<(), Error> {
        Ok(write_at(&self.file, COMMIT, &rand::random::<u64>().to_le_bytes())?)
    }

    fn number(&self, at: u64) -> Result<u64, Error> {
        let mut bytes = [0; 8];
        match read_at(&self.file, at, &mut bytes)? {
            8 => Ok(u64::from_le_bytes(bytes)),
            _ => Ok(0),
        }
    }
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
