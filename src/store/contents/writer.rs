//! A content that is being received, under a temporary name.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::ContentStore;
use super::room::Reservation;
use crate::domain::ContentHash;
use crate::files::{self, hand_over};
use crate::store::Error;

/// After so many bytes the disk is asked again how much room it has, and begins to write what came. What announces no length
/// reserves so much at a time.
pub(super) const STRETCH: u64 = 8 * 1024 * 1024;

/// A file under a temporary name, which is gone when this is dropped.
pub(super) struct PartFile(Option<PathBuf>);

impl PartFile {
    /// Gives it the name that it stays under, for good.
    pub(super) fn place(mut self, to: &Path) -> io::Result<()> {
        match &self.0 {
            Some(path) => files::rename(path, to)?,
            None => return Err(ErrorKind::NotFound.into()),
        }
        self.0 = None;
        Ok(())
    }

    /// Gives it to who owns the folder.
    pub(super) fn hand_over(&self) {
        self.0.iter().for_each(|path| hand_over(path));
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        let _ = self.0.take().map(fs::remove_file);
    }
}

/// A content that is being received. Its file is gone when this is dropped.
pub struct ContentWriter {
    pub(super) store: ContentStore,
    // Closed before it is removed, as Windows wants it.
    file: File,
    part: PartFile,
    room: Reservation,
    hash: Sha256,
    size: u64,
    /// How much of it somebody was told to put on the disk.
    synced: u64,
    opening: [u8; 2],
}

impl ContentWriter {
    pub(super) fn new(store: ContentStore, path: PathBuf, file: File, room: Reservation) -> ContentWriter {
        let (part, hash) = (PartFile(Some(path)), Sha256::new());
        ContentWriter { store, file, part, room, hash, size: 0, synced: 0, opening: [0; 2] }
    }

    /// Adds a piece. It waits for the disk.
    ///
    /// # Errors
    /// `Full` where too little room is left; why it cannot be written.
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
            // Other programs write to the disk as well.
            self.store.reserve(0)?;
        }
        self.hash.update(piece);
        self.file.write_all(piece)?;
        self.room.release(length);
        Ok(())
    }

    /// The file, each time that a stretch of it has come: whoever puts that on the disk beside the rest leaves less to wait
    /// for in the end.
    pub fn stretch(&mut self) -> Option<File> {
        let is_due = self.size / STRETCH > self.synced / STRETCH;
        self.synced = if is_due { self.size } else { self.synced };
        if is_due { self.file.try_clone().ok() } else { None }
    }

    /// How many bytes came so far.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Puts all of it on the disk. It waits for the disk.
    ///
    /// # Errors
    /// `Full` where too little room is left; why it cannot be written.
    pub fn finish(self) -> Result<NewContent, Error> {
        self.store.ensure_free(0)?;
        self.file.sync_all()?;
        let (size, opening) = (self.size, self.opening);
        Ok(NewContent {
            part: self.part,
            hash: ContentHash::of_digest(self.hash.finalize().into()),
            size,
            is_program: &opening == b"MZ",
        })
    }
}

/// A content that is on the disk whole, under a temporary name. Its file is gone when this is dropped.
pub struct NewContent {
    pub(super) part: PartFile,
    pub(super) hash: ContentHash,
    size: u64,
    is_program: bool,
}

impl NewContent {
    /// Its SHA-256.
    pub fn hash(&self) -> &ContentHash {
        &self.hash
    }

    /// Its length in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Moves it to where it is no content of a document, on the same disk.
    ///
    /// # Errors
    /// Why it cannot be moved; it is gone then.
    pub fn move_to(self, to: &Path) -> io::Result<()> {
        self.part.place(to)
    }

    /// Whether it begins as programs of DOS and Windows do: with `MZ`.
    pub fn is_program(&self) -> bool {
        self.is_program
    }
}
