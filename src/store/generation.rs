//! How a change of the token reaches a server at once when another process makes it: a number in a small file.
//!
//! Whoever changes the token raises the number inside the write transaction, before its commit. Whoever checks a token
//! compares the number (one positioned read, no database) and, where it has moved, reads the token again behind the same
//! write lock: it then sees the commit, or that there was none. There is no moment in which a replaced token passes.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use super::Error;

/// The number, and the file that it is in.
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

    /// The number now; a file that is still empty says 0.
    pub(super) fn now(&self) -> Result<u64, Error> {
        let mut bytes = [0; 8];
        match read_at_start(&self.file, &mut bytes)? {
            8 => Ok(u64::from_le_bytes(bytes)),
            _ => Ok(0),
        }
    }

    /// Raises the number. The caller holds the store's write lock.
    pub(super) fn raise(&self) -> Result<(), Error> {
        Ok(write_at_start(&self.file, &self.now()?.wrapping_add(1).to_le_bytes())?)
    }
}

#[cfg(unix)]
fn read_at_start(file: &File, bytes: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, 0)
}

#[cfg(unix)]
fn write_at_start(file: &File, bytes: &[u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, 0)
}

#[cfg(windows)]
fn read_at_start(file: &File, bytes: &mut [u8]) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, bytes, 0)
}

#[cfg(windows)]
fn write_at_start(file: &File, bytes: &[u8]) -> io::Result<()> {
    match std::os::windows::fs::FileExt::seek_write(file, bytes, 0)? {
        written if written == bytes.len() => Ok(()),
        _ => Err(io::ErrorKind::WriteZero.into()),
    }
}
