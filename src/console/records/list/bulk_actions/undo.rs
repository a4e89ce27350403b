//! Undoes a bulk action: each record gets back what the action changed. Records that changed since are named and stay.

use std::collections::BTreeMap;
use std::fmt;

use crate::api::changes::history::{self, Completions, PastChange};
use crate::api::pages::Pressed;
use crate::console::prelude::*;
use crate::console::records::page::history::put_values_back;
use crate::domain::id::Id;
use crate::http::HandlersTransaction;
use crate::store::journal::{self, JournalEntry, JournalFilter, Op};
use crate::store::trash;

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

/// Undoes one journal entry of a record, through the handlers that forms use.
pub(super) fn put_back(pages: &Pages, with: &HandlersTransaction<'_>, entry: &JournalEntry) -> Result<()> {
    let table = pages.table;
    let id = entry.id;
    match entry.op {
        Op::Updated => {
            let PastChange { members: mut past, guests, .. } = history::of_entry(*with.tx, entry.clone())?;
            past.retain(|value| value.before != value.after);
            with.handle(|call| put_values_back(pages, call, id, past))?;
            complete_as_before(pages, with, id, &guests)
        }
        Op::Deleted => with.handle(|call| (pages.restore)(call, id)),
        Op::Restored => {
            let along = trash::going(*with.tx, table, id, true)?;
            with.handle(|call| (pages.delete)(call, id, None, along))
        }
        Op::Created | Op::Purged | Op::Replaced => Ok(()),
    }
}

/// Completes and reopens a task for each guest, as it was before a change.
fn complete_as_before(
    pages: &Pages,
    with: &HandlersTransaction<'_>,
    id: u32,
    [before, after]: &[Completions; 2],
) -> Result<()> {
    for (user, at) in before.iter().filter(|(user, at)| after.get(user) != Some(at)) {
        let action = if at.is_some() { "complete" } else { "reopen" }.to_owned();
        let pressed = Pressed { action, who: Some(Id::from_stored(*user)), at: *at, amount: None };
        with.handle(|call| (pages.act)(call, id, &pressed))?;
    }
    Ok(())
}
