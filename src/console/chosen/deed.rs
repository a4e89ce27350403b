//! What is done with chosen records: each by its own handler, in one transaction or, of very many, in several.

use std::collections::HashMap;
use std::sync::Arc;

use crate::api::pages::{Pages, Pressed, View};
use crate::console::state::Console;
use crate::console::visit::Visit;
use crate::domain::{Invalid, Short};
use crate::http::{Call, HandlersTransaction, Problem, Write};
use crate::records::Field;
use crate::store::Db;
use crate::store::journal::{self, Actor, Via};
use crate::store::trash::RecordCounts;

/// So many records are written in one transaction. Others write between two of them.
const BATCH: usize = 1_000;

/// So many of the records that were refused are named.
pub(super) const NAMED: usize = 100;

/// What is done with each of the records.
#[derive(Clone)]
pub(super) enum Deed {
    /// What a button of that name does.
    Press(&'static str),
    /// A member gets another value.
    Change(&'static str, String),
    /// They go into the trash for that reason, each with so many records that a person was asked about.
    Delete(Option<Short>, HashMap<u32, RecordCounts>),
    /// They come back from the trash.
    Restore,
}

/// What came of it.
#[derive(Default)]
pub(super) struct ChosenOutcome {
    /// How many records it was done with.
    pub done: u64,
    /// The others, each with the reason.
    pub refused: Vec<(u32, Problem)>,
    /// The first of those.
    pub named: Vec<View>,
}

impl ChosenOutcome {
    /// What is wrong with the value that a member should get on every one of the records, if it is the same.
    pub fn wrong_for_all(&self, member: Option<&Field>) -> Option<Problem> {
        let member = member.filter(|_| self.done == 0)?.member;
        let reason = |problem: &Problem| {
            let mut wrong = problem.wrong().iter().filter(|(field, _)| *field == member);
            wrong.next().map(|(_, reason)| *reason)
        };
        let first = reason(&self.refused.first()?.1)?;
        let is_same = self.refused.iter().all(|(_, problem)| reason(problem) == Some(first));
        is_same.then(|| Problem::from(Invalid::one(member, first)))
    }
}

impl Deed {
    /// Does it with these records. What the visitor was not shown, because somebody changed it since, stays as it is.
    ///
    /// # Errors
    /// Why the store cannot be written. Nothing was done then.
    pub async fn run(
        self,
        pages: &'static Pages,
        console: &Arc<Console>,
        ids: Vec<u32>,
        visit: &Visit,
    ) -> Result<ChosenOutcome, Problem> {
        let (since, request) = (visit.field("since").parse().unwrap_or(u64::MAX), visit.id.clone());
        let deed = Arc::new(self);
        let run = move |console: &Console| {
            let mut outcome = ChosenOutcome::default();
            for batch in ids.chunks(BATCH) {
                let (deed, request, batch) = (deed.clone(), request.clone(), batch.to_vec());
                let own = batch.clone();
                let written = console.api.in_one_transaction(move |with| {
                    let at = with.app().now();
                    with.tx.by(Actor { via: Via::Console, who: None, request_id: Some(request), at });
                    deed.batch(pages, with, &batch, since)
                });
                match written {
                    Ok(batch) => {
                        outcome.done += batch.done;
                        outcome.refused.extend(batch.refused);
                    }
                    Err(problem) if outcome.done == 0 => return Some(Err(problem)),
                    // What went before is done; the others are told with the reason.
                    Err(problem) => {
                        let code = problem.code();
                        outcome.refused.extend(own.into_iter().map(|id| (id, Problem::internal(code))));
                    }
                }
            }
            Some(Ok(outcome))
        };
        let mut outcome = console.apart(run).await.unwrap_or_else(|| Err(Problem::stopping()))?;
        let refused = outcome.refused.iter().take(NAMED).map(|(id, _)| *id).collect::<Vec<_>>();
        let read = move |db: Db<'_>| {
            let mut named = View::read(db, pages.table, &refused)?;
            named.extend(View::read_deleted(db, pages.table, &refused)?);
            Ok(named)
        };
        outcome.named = console.api.read_inside(&visit.id, read).await?;
        Ok(outcome)
    }

    fn batch(
        &self,
        pages: &'static Pages,
        with: &HandlersTransaction<'_>,
        ids: &[u32],
        since: u64,
    ) -> Result<ChosenOutcome, Problem> {
        let mut outcome = ChosenOutcome::default();
        for id in ids {
            let newest = journal::newest_of(*with.tx, pages.table.name, *id, 1)?;
            let done = match newest.first() {
                Some(entry) if entry.seq > since => Err(Problem::changed_meanwhile()),
                _ => with.handle(Some(*id), |call| self.write(pages, call, *id)),
            };
            match done {
                Ok(()) => outcome.done += 1,
                Err(problem) if problem.is_ours() => return Err(problem),
                Err(problem) => outcome.refused.push((*id, problem)),
            }
        }
        Ok(outcome)
    }

    fn write(&self, pages: &Pages, call: &Call<'_>, id: u32) -> Result<Write<()>, Problem> {
        match self {
            Deed::Press(action) => (pages.act)(call, &Pressed { action: (*action).to_owned(), who: None }),
            Deed::Change(member, value) => (pages.change)(call, &[(*member, value.clone())]),
            Deed::Delete(reason, along) => {
                let along = along.get(&id).cloned().unwrap_or_default();
                (pages.delete)(call, reason.clone(), along)
            }
            Deed::Restore => (pages.restore)(call),
        }
    }
}
