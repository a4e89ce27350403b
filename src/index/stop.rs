//! Whether the program stops: what would take longer than a stop may looks here, and gives up.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::store::Error;

/// Shared by everything that belongs to an index. Once set, it stays.
#[derive(Clone, Default)]
pub(super) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(super) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Lets whoever is at work go on. It costs nothing beside reading a row.
    ///
    /// # Errors
    /// `Closed` once it is set.
    pub(super) fn check(&self) -> Result<(), Error> {
        if self.is_set() { Err(Error::Closed) } else { Ok(()) }
    }
}
