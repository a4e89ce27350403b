//! Disk space for the contents that are being received: each reserves what it announced, so that several at once leave free
//! what no document takes.

use std::sync::Arc;

use parking_lot::Mutex;

use super::ContentStore;
use crate::store::Error;

/// Disk space that is reserved for one content. Dropping it releases what was not written.
pub(super) struct Reservation {
    reserved: Arc<Mutex<u64>>,
    left: u64,
}

impl ContentStore {
    /// Reserves disk space for so many bytes. Fails with `Full` if they, everything that is reserved already and the space that
    /// no document takes are more than is free.
    pub(super) fn reserve(&self, bytes: u64) -> Result<Reservation, Error> {
        let mut reserved = self.reserved.lock();
        let all = reserved.saturating_add(bytes);
        self.ensure_free(all)?;
        *reserved = all;
        Ok(Reservation { reserved: self.reserved.clone(), left: bytes })
    }

    /// Fails with `Full` if so many more bytes would take space that no document takes.
    pub(super) fn ensure_free(&self, bytes: u64) -> Result<(), Error> {
        let room = fs4::available_space(&self.folder)?;
        if room < self.spare.saturating_add(bytes) {
            return Err(Error::Full(format!("{room} bytes are free, and {bytes} more are wanted")));
        }
        Ok(())
    }
}

impl Reservation {
    /// How many of its bytes are not written yet.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Adds another reservation to this one.
    pub(super) fn extend(&mut self, mut by: Reservation) {
        self.left = self.left.saturating_add(std::mem::take(&mut by.left));
    }

    /// Releases bytes that were written: the disk counts them itself.
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
