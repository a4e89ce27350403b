//! What other merges and later transactions change about the undo of a merge (office 53).

use super::MergeUndo;
use crate::api::changes::history::{self, IdsChange};
use crate::http::Problem;
use crate::records::{Customer, Field, Kind, Record, Table, Transaction};
use crate::store::journal::JournalEntry;
use crate::store::trash::{self, MovedReference};
use crate::store::{Db, transactions};

impl MergeUndo {
    /// Returns `true` if the record that stayed belongs into a list of customers without this merge too: it was there before,
    /// and not in the place of another one that is back, or it is there for another one whose merge stands.
    pub(super) fn stays_beside(
        &self,
        db: Db<'_>,
        table: &'static Table,
        entry: &JournalEntry,
        field: &Field,
        now: &[u32],
    ) -> Result<bool, Problem> {
        let into = self.into.get();
        let changes = history::changes_of_ids(db, table, entry.id, field)?;
        let was_there = changes.iter().any(|change| change.seq == entry.seq && change.before.contains(&into));
        let came = changes.iter().rev().find(|change| {
            change.seq < entry.seq && !change.before.contains(&into) && change.after.contains(&into)
        });
        let is_for_another = came.is_some_and(|change| change.gone().any(|id| now.contains(&id)));
        if was_there && !is_for_another {
            return Ok(true);
        }
        for id in changes.iter().filter(|change| change.seq != entry.seq).flat_map(IdsChange::gone) {
            let deletion = trash::find(db, Customer::TABLE, id)?;
            if deletion.is_some_and(|deletion| deletion.merged_into == Some(into)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Gives back the transactions made since the merge that belong to what goes back: rests, refunds, the later months of a
    /// repetition, and those of a case that the record that stayed is not in any more.
    pub(super) fn transactions_since(&mut self, db: Db<'_>) -> Result<(), Problem> {
        let going_back = |kind: Kind| {
            let of = move |moved: &&MovedReference| moved.table.kind == kind && !moved.is_beside;
            self.references.iter().filter(of).map(|moved| moved.id).collect::<Vec<_>>()
        };
        let transactions = going_back(Kind::Transaction);
        let lawsuits = going_back(Kind::Lawsuit);
        let made = transactions::made_since(db, (&transactions, &lawsuits), self.into, self.merged_at)?;
        for id in made.into_iter().filter(|id| !transactions.contains(id)) {
            let moved =
                MovedReference { table: Transaction::TABLE, id, column: "customer_id", is_beside: false };
            self.move_back(db, moved)?;
        }
        Ok(())
    }
}
