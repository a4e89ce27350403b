//! Disk space for contents that are being received. Each one reserves its announced length, so that simultaneous
//! uploads together leave the spare space free.

use std::sync::Arc;

use parking_lot::Mutex;

use super::ContentStore;
use crate::store::Error;

/// Disk space reserved for one content. Dropping the reservation releases the bytes that were not written.
pub(super) struct Reservation {
    reserved: Arc<Mutex<u64>>,
    left: u64,
}

impl ContentStore {
    /// Reserves disk space. Returns `Full` if the free space is less than `bytes`, the existing reservations and the
    /// spare space together.
    pub(super) fn reserve(&self, bytes: u64) -> Result<Reservation, Error> {
        let mut reserved = self.reserved.lock();
        let all = reserved.saturating_add(bytes);
        self.ensure_free(all)?;
        *reserved = all;
        Ok(Reservation { reserved: self.reserved.clone(), left: bytes })
    }

    /// Returns `Full` if `bytes` more bytes would use up spare space.
    pub(super) fn ensure_free(&self, bytes: u64) -> Result<(), Error> {
        let room = fs4::available_space(&self.folder)?;
        if room < self.spare.saturating_add(bytes) {
            return Err(Error::Full(format!("{room} bytes are free, and {bytes} more are wanted")));
        }
        Ok(())
    }
}

impl Reservation {
    /// Returns the number of reserved bytes that are not written yet.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Merges another reservation into this one.
    pub(super) fn extend(&mut self, mut by: Reservation) {
        self.left = self.left.saturating_add(std::mem::take(&mut by.left));
    }

    /// Releases bytes that were written, because the free space reported by the disk excludes them already.
    pub(super) fn release(&mut self, bytes: u64) {
        let bytes = bytes.min(self.left);
        self.left -= bytes;
        *self.reserved.lock() -= bytes;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.release(self.left);
    }
}
