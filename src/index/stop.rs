//! The stop flag of the index: long operations check it and give up.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::store::Error;

/// Shared by all parts of an index. Once set, it stays set.
#[derive(Clone, Default)]
pub(super) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(super) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Fails with `Closed` once the flag is set. The cost is negligible beside reading a row.
    pub(super) fn check(&self) -> Result<(), Error> {
        if self.is_set() { Err(Error::Closed) } else { Ok(()) }
    }
}
