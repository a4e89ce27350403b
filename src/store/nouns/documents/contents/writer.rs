//! Receiving a content into a temporary file.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::ContentStore;
use super::room::Reservation;
use crate::domain::ContentHash;
use crate::files;
use crate::store::Error;

/// Length in bytes of a stretch. After each stretch the free disk space is checked again and the stretch can be synced.
/// A content without an announced length reserves one stretch at a time.
pub(super) const STRETCH: u64 = 8 * 1024 * 1024;

/// A file with a temporary name. It is removed on drop.
pub(super) struct PartFile(Option<PathBuf>);

impl PartFile {
    /// Renames the file to its final path, which disables the removal on drop.
    pub(super) fn place(mut self, to: &Path) -> io::Result<()> {
        match &self.0 {
            Some(path) => files::rename(path, to)?,
            None => return Err(ErrorKind::NotFound.into()),
        }
        self.0 = None;
        Ok(())
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        let _ = self.0.take().map(fs::remove_file);
    }
}

/// A content that is being received. Its file is removed on drop.
pub struct ContentWriter {
    pub(super) store: ContentStore,
    // Before `part`, so that the file is closed before it is removed, as Windows requires.
    file: File,
    part: PartFile,
    room: Reservation,
    hash: Sha256,
    size: u64,
    /// Value of `size` when [`ContentWriter::stretch`] last returned a file.
    synced: u64,
    opening: [u8; 2],
}

impl ContentWriter {
    pub(super) fn new(store: ContentStore, path: PathBuf, file: File, room: Reservation) -> ContentWriter {
        let part = PartFile(Some(path));
        let hash = Sha256::new();
        ContentWriter { store, file, part, room, hash, size: 0, synced: 0, opening: [0; 2] }
    }

    /// Writes the next piece; blocks on disk I/O. Returns `Full` if too little space is left.
    pub fn write(&mut self, piece: &[u8]) -> Result<(), Error> {
        let before = self.size;
        for (own, byte) in self.opening.iter_mut().skip(usize::try_from(before).unwrap_or(2)).zip(piece) {
            *own = *byte;
        }
        let length = piece.len() as u64;
        self.size += length;
        let missing = length.saturating_sub(self.room.left());
        if missing > 0 {
            self.room.extend(self.store.reserve(missing.max(STRETCH))?);
        } else if before / STRETCH != self.size / STRETCH {
            // Check the free space again, because other programs write to the disk too.
            self.store.reserve(0)?;
        }
        self.hash.update(piece);
        self.file.write_all(piece)?;
        self.room.release(length);
        Ok(())
    }

    /// Returns a handle of the file if another stretch has been written since the last handle. Syncing the handle while
    /// more bytes arrive shortens the final sync.
    pub fn stretch(&mut self) -> Option<File> {
        let is_due = self.size / STRETCH > self.synced / STRETCH;
        self.synced = if is_due { self.size } else { self.synced };
        if is_due { self.file.try_clone().ok() } else { None }
    }

    /// Returns the number of bytes received so far.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Syncs the file; blocks on disk I/O. Returns `Full` if too little space is left.
    pub fn finish(self) -> Result<NewContent, Error> {
        self.store.ensure_free(0)?;
        files::sync(&self.file)?;
        let size = self.size;
        let opening = self.opening;
        Ok(NewContent {
            part: self.part,
            hash: ContentHash::of_digest(self.hash.finalize().into()),
            size,
            is_program: &opening == b"MZ",
        })
    }
}

/// A complete, synced content with a temporary name. Its file is removed on drop.
pub struct NewContent {
    pub(super) part: PartFile,
    pub(super) hash: ContentHash,
    size: u64,
    is_program: bool,
}

impl NewContent {
    pub fn hash(&self) -> &ContentHash {
        &self.hash
    }

    /// Returns the length in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Moves the file to a path on the same disk, outside the contents of documents. Removes the file if it cannot be
    /// renamed.
    pub fn move_to(self, to: &Path) -> io::Result<()> {
        self.part.place(to)
    }

    /// Returns `true` if the content begins with `MZ`, as programs for DOS and Windows do.
    pub fn is_program(&self) -> bool {
        self.is_program
    }
}
