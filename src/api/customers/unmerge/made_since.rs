//! The transactions and files made since a merge (office 53).

use super::MergeUndo;
use crate::http::Problem;
use crate::records::{Document, Lawsuit, Record, Table, Task, Transaction};
use crate::store::Db;
use crate::store::nouns::{documents, transactions};
use crate::store::records::merges::MovedReference;

impl MergeUndo {
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
            let links = vec![self.from.get()];
            self.move_back(db, MovedReference { table, id, column: "customer_id", links })?;
        }
        Ok(())
    }
}
