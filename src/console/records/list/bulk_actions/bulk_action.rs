//! Runs bulk actions. Each record goes through its own handler, in transactions of up to [`RECORDS_PER_TRANSACTION`] records.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::api::console_pages::Pressed;
use crate::console::prelude::*;
use crate::console::requests::state::Console;
use crate::domain::{Invalid, Short};
use crate::http::{Call, HandlersTransaction, IfMatch, Write};
use crate::store::journal::{self, Actor, JournalEntry, Via};
use crate::store::trash::RecordCounts;
use crate::transfer::put_back;

use super::undo::Trace;

/// Records written in one transaction. Other writers get their turn between two of them.
const RECORDS_PER_TRANSACTION: usize = 1_000;

/// Maximum number of refused records that are listed.
pub(super) const MAX_REFUSED_RECORDS: usize = 100;

#[derive(Clone)]
pub(super) enum BulkAction {
    /// Runs the action with this name.
    Press(&'static str),
    /// Sets a member to a value.
    Change(&'static str, String),
    /// Moves the records to the trash, with the reason and the confirmed counts of dependent records by table.
    Delete(Option<Short>, HashMap<u32, RecordCounts>),
    Restore,
    /// Puts back what the journal entries of each record changed.
    Undo(BTreeMap<u32, Vec<JournalEntry>>),
}

#[derive(Default)]
pub(super) struct ChosenOutcome {
    /// Number of records changed.
    pub done: u64,
    /// Number of records that already were as the action makes them.
    pub unchanged: u64,
    /// The refused records, each with the reason.
    pub refused: Vec<(u32, Problem)>,
    /// The first of the refused records.
    pub named: Vec<View>,
    /// The journal entries of the action.
    pub trace: Trace,
}

impl ChosenOutcome {
    /// If every record refused the value of `member` for the same reason, returns that reason.
    pub fn wrong_for_all(&self, member: Option<&Field>) -> Option<Problem> {
        let member = member.filter(|_| self.done + self.unchanged == 0)?.member;
        let reason = |problem: &Problem| {
            let mut wrong = problem.wrong().iter().filter(|(field, _)| *field == member);
            wrong.next().map(|(_, reason)| *reason)
        };
        let first = reason(&self.refused.first()?.1)?;
        let is_same = self.refused.iter().all(|(_, problem)| reason(problem) == Some(first));
        is_same.then(|| Problem::from(Invalid::one(member, first)))
    }
}

impl BulkAction {
    /// Runs the action on these records. Records that changed after the journal entry `since` are refused.
    ///
    /// # Errors
    /// Fails if the first transaction cannot be written; nothing was changed then.
    pub async fn run(
        self,
        pages: &'static Pages,
        ids: Vec<u32>,
        since: u64,
        visit: &Visit,
    ) -> Result<ChosenOutcome> {
        let request = visit.id.clone();
        let begun = visit.read(|db| Ok(journal::latest(db)?)).await?;
        let actor = visit.actor();
        let caller = visit.caller.clone();
        let action = Arc::new(self);
        let run = move |console: &Console| {
            let mut outcome = ChosenOutcome::default();
            for batch in ids.chunks(RECORDS_PER_TRANSACTION) {
                let action = action.clone();
                let actor = actor.clone();
                let batch = batch.to_vec();
                let own = batch.clone();
                let written = console.api.in_one_transaction(Via::Console, caller.clone(), move |with| {
                    with.tx.by(Actor { at: with.app().now(), ..actor });
                    action.batch(pages, with, &batch, since)
                });
                match written {
                    Ok(batch) => {
                        outcome.done += batch.done;
                        outcome.unchanged += batch.unchanged;
                        outcome.refused.extend(batch.refused);
                    }
                    Err(problem) if outcome.done + outcome.unchanged == 0 => return Err(problem),
                    // Earlier batches are stored; the records of this one are listed with the reason.
                    Err(problem) => {
                        let code = problem.code();
                        outcome.refused.extend(own.into_iter().map(|id| (id, Problem::internal(code))));
                    }
                }
            }
            Ok(outcome)
        };
        let mut outcome = visit.run_blocking(run).await??;
        let refused = outcome.refused.iter().take(MAX_REFUSED_RECORDS).map(|(id, _)| *id).collect::<Vec<_>>();
        let read = move |db: Db<'_>| {
            let mut named = View::read(db, pages.table, &refused)?;
            named.extend(View::read_deleted(db, pages.table, &refused)?);
            Ok((named, journal::latest(db)?))
        };
        let (named, until) = visit.read(read).await?;
        outcome.named = named;
        outcome.trace = Trace { since: begun, until, request };
        Ok(outcome)
    }

    fn batch(
        &self,
        pages: &'static Pages,
        with: &HandlersTransaction<'_>,
        ids: &[u32],
        since: u64,
    ) -> Result<ChosenOutcome> {
        let mut outcome = ChosenOutcome::default();
        for id in ids {
            let noted = with.tx.noted();
            let newest = journal::newest_of(*with.tx, pages.table.name, *id, 1)?;
            let done = match newest.first() {
                Some(entry) if entry.seq > since => Err(Problem::changed_meanwhile()),
                _ => match self {
                    BulkAction::Undo(entries) => entries
                        .get(id)
                        .into_iter()
                        .flatten()
                        .try_for_each(|entry| put_back(pages, with, entry)),
                    _ => with.handle(|call| self.write(pages, call, *id)),
                },
            };
            match done {
                Ok(()) if with.tx.noted() > noted => outcome.done += 1,
                Ok(()) => outcome.unchanged += 1,
                Err(problem) if problem.is_ours() => return Err(problem),
                Err(problem) => outcome.refused.push((*id, problem)),
            }
        }
        Ok(outcome)
    }

    fn write(&self, pages: &Pages, call: &Call<'_>, id: u32) -> Result<Write<()>> {
        match self {
            BulkAction::Press(action) => {
                let record = View::read(call.db(), pages.table, &[id])?.pop();
                // A record whose page has no such button already is as the action makes it.
                let buttons = record.map(|record| (pages.buttons)(&record, call.app().today()));
                if buttons.is_some_and(|buttons| buttons.iter().all(|button| button.action != *action)) {
                    return Ok(Box::new(|_| Ok(())));
                }
                let pressed = Pressed { action: (*action).to_owned(), who: None, at: None, amount: None };
                (pages.act)(call, id, &pressed)
            }
            BulkAction::Change(member, value) => {
                (pages.change)(call, id, &[(*member, value.clone())], IfMatch::default())
            }
            BulkAction::Delete(reason, along) => {
                let along = along.get(&id).cloned().unwrap_or_default();
                (pages.delete)(call, id, reason.clone(), along)
            }
            BulkAction::Restore => (pages.restore)(call, id),
            BulkAction::Undo(_) => Err(Problem::no_route()),
        }
    }
}
