//! What other merges and later transactions change about the undo of a merge (office 53).

use super::MergeUndo;
use crate::api::changes::history::{self, IdsChange};
use crate::http::Problem;
use crate::records::{Customer, Document, Field, Lawsuit, Record, Table, Task, Transaction};
use crate::store::journal::JournalEntry;
use crate::store::trash::{self, MovedReference};
use crate::store::{Db, documents, transactions};

impl MergeUndo {
    /// Returns the links of a list of customers without this merge, in their order.
    pub(super) fn links(
        &self,
        db: Db<'_>,
        table: &'static Table,
        entry: &JournalEntry,
        field: &Field,
        mut links: Vec<u32>,
    ) -> Result<Vec<u32>, Problem> {
        let changes = history::changes_of_ids(db, table, entry.id, field)?;
        if !self.stays_beside(db, entry, &changes, &links)? {
            links.retain(|id| *id != self.into.get());
        }
        links.push(self.from.get());
        Ok(history::in_order(&changes, links))
    }

    /// Returns `true` if the record that stayed belongs into a list of customers without this merge too: it was there before,
    /// and not in the place of another one that is back, or it is there for another one whose merge stands.
    fn stays_beside(
        &self,
        db: Db<'_>,
        entry: &JournalEntry,
        changes: &[IdsChange],
        now: &[u32],
    ) -> Result<bool, Problem> {
        let into = self.into.get();
        let was_there = changes.iter().any(|change| change.seq == entry.seq && change.before.contains(&into));
        let came = changes.iter().rev().find(|change| {
            change.seq < entry.seq && !change.before.contains(&into) && change.after.contains(&into)
        });
        let is_for_another = came.is_some_and(|change| change.gone().any(|id| now.contains(&id)));
        if was_there && !is_for_another {
            return Ok(true);
        }
        let gone = changes.iter().filter(|change| change.seq != entry.seq).flat_map(IdsChange::gone);
        for id in gone.filter(|id| *id != self.from.get()) {
            let deletion = trash::find(db, Customer::TABLE, id)?;
            if deletion.is_some_and(|deletion| deletion.merged_into == Some(into)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Gives back the transactions and files made since the merge that belong to what goes back: rests, refunds, the later
    /// months of a repetition, and those of a case that the record that stayed is not in any more.
    pub(super) fn made_since(&mut self, db: Db<'_>) -> Result<(), Problem> {
        let into = self.into;
        let at = self.merged_at;
        let lawsuits = self.going_back(Lawsuit::TABLE);
        let transactions = self.going_back(Transaction::TABLE);
        let made = transactions::made_since(db, (&transactions, &lawsuits), into, at)?;
        self.move_all_back(db, Transaction::TABLE, made)?;
        let transactions = self.going_back(Transaction::TABLE);
        let tasks = self.going_back(Task::TABLE);
        let made = documents::made_since(db, [&transactions, &tasks, &lawsuits], into, at)?;
        self.move_all_back(db, Document::TABLE, made)
    }

    /// Returns the records of a table that the record that stayed does not have without this merge.
    fn going_back(&self, table: &Table) -> Vec<u32> {
        let is_back = |moved: &&MovedReference| {
            moved.table.kind == table.kind && !moved.links.contains(&self.into.get())
        };
        self.references.iter().filter(is_back).map(|moved| moved.id).collect()
    }

    fn move_all_back(&mut self, db: Db<'_>, table: &'static Table, ids: Vec<u32>) -> Result<(), Problem> {
        let moved = self.going_back(table);
        for id in ids.into_iter().filter(|id| !moved.contains(id)) {
            self.move_back(db, MovedReference { table, id, column: "customer_id", links: Vec::new() })?;
        }
        Ok(())
    }
}
