//! Gives a record back what a journal entry changed, through the handlers that forms use.

use super::value_text;
use crate::api::changes::history::{self, Completions, PastChange, PastValue};
use crate::api::console_pages::{Pages, Pressed};
use crate::domain::id::Id;
use crate::http::{Call, HandlersTransaction, Problem, Write};
use crate::store::journal::{JournalEntry, Op};
use crate::store::trash;

/// Undoes one journal entry of a record. The creation of a record stays.
pub fn put_back(pages: &Pages, with: &HandlersTransaction<'_>, entry: &JournalEntry) -> Result<(), Problem> {
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
            let along = trash::going(*with.tx, pages.table, id, true)?;
            with.handle(|call| (pages.delete)(call, id, None, along))
        }
        Op::Created | Op::Purged | Op::Replaced => Ok(()),
    }
}

/// Gives a record former values back, through the handler of its type.
pub fn put_values_back(
    pages: &Pages,
    call: &Call<'_>,
    id: u32,
    past: Vec<PastValue>,
) -> Result<Write<()>, Problem> {
    let writable =
        |value: &&PastValue| pages.table.writable().any(|field| field.column == value.field.column);
    let text = |value: &PastValue| (value.field.member, value_text(value.field.ty, &value.before));
    let fields = past.iter().filter(writable).map(text).collect::<Vec<_>>();
    match past.is_empty() {
        true => Ok(Box::new(|_| Ok(()))),
        false => (pages.put_back)(call, id, past, &fields),
    }
}

/// Completes and reopens a task for each guest, as it was before a change.
fn complete_as_before(
    pages: &Pages,
    with: &HandlersTransaction<'_>,
    id: u32,
    [before, after]: &[Completions; 2],
) -> Result<(), Problem> {
    for (user, at) in before.iter().filter(|(user, at)| after.get(user) != Some(at)) {
        let action = if at.is_some() { "complete" } else { "reopen" }.to_owned();
        let pressed = Pressed { action, who: Some(Id::from_stored(*user)), at: *at, amount: None };
        with.handle(|call| (pages.act)(call, id, &pressed))?;
    }
    Ok(())
}
