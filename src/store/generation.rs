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

    /// The numbers now; one that was never written is 0.
    pub(super) fn now(&self) -> Result<Signs, Error> {
        let mut bytes = [0; 2 * size_of::<u64>()];
        read_at(&self.file, 0, &mut bytes)?;
        let numbers = u128::from_le_bytes(bytes);
        Ok(Signs { token: numbers as u64, commit: (numbers >> 64) as u64 })
    }

    /// Raises the token's number. The caller holds the store's write lock.
    pub(super) fn raise(&self) -> Result<(), Error> {
        Ok(write_at(&self.file, 0, &self.now()?.token.wrapping_add(1).to_le_bytes())?)
    }

    /// Says that there was a commit. A number by chance, so that two who do so at once need not know of each other.
    pub(super) fn committed(&self) -> Result<(), Error> {
        Ok(write_at(&self.file, COMMIT, &rand::random::<u64>().to_le_bytes())?)
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
