//! The work that the writer does now, for those who wait for it.

use parking_lot::Mutex;

use crate::domain::Bilingual;

const OTHER: Bilingual = ("esperando outra gravação", "waiting for another write");

/// The number of the writer's current or last piece of work, and what those behind it wait for, unless it is idle.
#[derive(Debug, Default)]
pub(in crate::store) struct CurrentWork(Mutex<(u64, Option<Bilingual>)>);

impl CurrentWork {
    pub(super) fn begin(&self) {
        let mut now = self.0.lock();
        *now = (now.0 + 1, Some(OTHER));
    }

    /// Sets what those behind the current work wait for, once the work tells. `None` is any write.
    pub(in crate::store) fn set_reason(&self, what: Option<Bilingual>) {
        if let (_, Some(before)) = &mut *self.0.lock() {
            *before = what.unwrap_or(OTHER);
        }
    }

    pub(super) fn end(&self) {
        self.0.lock().1 = None;
    }

    /// Returns the number of the current work, and what those behind it wait for. `None` if the writer is idle.
    pub(super) fn waiting_for(&self) -> Option<(u64, Bilingual)> {
        let (number, what) = *self.0.lock();
        Some((number, what?))
    }
}
