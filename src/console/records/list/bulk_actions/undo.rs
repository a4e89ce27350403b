//! The trace of a bulk action, by which each record gets back what the action changed. Records that changed since are named
//! and stay.

use std::collections::BTreeMap;
use std::fmt;

use crate::console::prelude::*;
use crate::store::journal::{self, JournalEntry, JournalFilter};

/// Form and query field with the [`Trace`] of the action to undo.
pub(super) const UNDO: &str = "undo";

/// Journal entries read at once.
const ENTRIES_PER_READ: u32 = 1_000;

/// The journal entries of a bulk action.
#[derive(Clone, Default)]
pub(super) struct Trace {
    /// Number of the last entry before the action.
    pub since: u64,
    /// Number of the last entry when it had ended.
    pub until: u64,
    pub request: String,
}

impl Trace {
    pub fn parse(text: &str) -> Option<Trace> {
        let mut parts = text.splitn(3, '.');
        let since = parts.next()?.parse().ok()?;
        let until = parts.next()?.parse().ok()?;
        Some(Trace { since, until, request: parts.next()?.to_owned() })
    }

    /// Returns the entries of each record of the table, newest first.
    pub fn entries(&self, db: Db<'_>, table: &Table) -> Result<BTreeMap<u32, Vec<JournalEntry>>> {
        let filter = JournalFilter { kinds: Some([table.name].into()), ..JournalFilter::default() };
        let mut last = self.since;
        let mut entries = BTreeMap::<u32, Vec<JournalEntry>>::new();
        loop {
            let page = journal::page(db, last, &filter, ENTRIES_PER_READ)?;
            let Some(newest) = page.last() else { return Ok(entries) };
            last = newest.seq;
            for entry in page.into_iter().take_while(|entry| entry.seq <= self.until) {
                if entry.request_id.as_ref() == Some(&self.request) {
                    entries.entry(entry.id).or_default().insert(0, entry);
                }
            }
            if last >= self.until {
                return Ok(entries);
            }
        }
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.since, self.until, self.request)
    }
}
