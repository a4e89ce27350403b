//! All entries of one write, by which a merge or a hand-over is undone as a whole (office 53 and 56).

use super::{JournalEntry, JournalFilter, page};
use crate::store::{Db, Error};

/// Returns the entries of the write whose first entry this is, oldest first. A later write with the same author, request
/// and second may follow in them.
pub fn of_write(db: Db<'_>, first: JournalEntry) -> Result<Vec<JournalEntry>, Error> {
    const PAGE: u32 = 1_000;
    let mut entries = vec![first];
    loop {
        let last = entries.last().map_or(0, |entry| entry.seq);
        let page = page(db, last, &JournalFilter::default(), PAGE)?;
        let is_full = page.len() == PAGE as usize;
        for entry in page {
            let is_next = entries.last().is_some_and(|last| last.is_followed_by(&entry));
            if !is_next {
                return Ok(entries);
            }
            entries.push(entry);
        }
        if !is_full {
            return Ok(entries);
        }
    }
}

impl JournalEntry {
    /// Returns `true` if the next entry may be of the same write.
    fn is_followed_by(&self, next: &JournalEntry) -> bool {
        next.seq == self.seq + 1
            && (next.at, next.via) == (self.at, self.via)
            && (&next.who, &next.request_id) == (&self.who, &self.request_id)
    }
}
