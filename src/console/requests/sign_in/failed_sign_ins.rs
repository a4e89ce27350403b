//! Failed sign-ins on their way to the store: collected, so that guessing causes few commits.

use std::mem;

use parking_lot::Mutex;

use crate::store::access::people::failed_sign_ins::FailedSignIns;

/// Failures that are not stored yet, one entry for each person and address.
#[derive(Default)]
pub(in crate::console) struct FailedNotes(Mutex<Vec<FailedSignIns>>);

impl FailedNotes {
    /// Adds a failure. Returns `true` if it is the first one since [`FailedNotes::take`].
    pub fn add(&self, person: Option<u32>, last_at: i64, address: String) -> bool {
        let mut notes = self.0.lock();
        let is_first = notes.is_empty();
        match notes.iter_mut().find(|note| note.person == person && note.address == address) {
            Some(note) => *note = FailedSignIns { count: note.count + 1, last_at, ..note.clone() },
            None => {
                notes.push(FailedSignIns { person, name: None, count: 1, last_at, address, at_address: 1 })
            }
        }
        is_first
    }

    pub fn take(&self) -> Vec<FailedSignIns> {
        mem::take(&mut *self.0.lock())
    }
}
