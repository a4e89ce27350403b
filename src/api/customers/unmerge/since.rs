//! What other merges and later transactions change about the undo of a merge (office 53).

use super::MergeUndo;
use crate::api::changes::history;
use crate::http::Problem;
use crate::records::{Customer, Document, Field, Lawsuit, Record, Table, Task, Transaction};
use crate::store::journal::{self, JournalAct, JournalEntry};
use crate::store::trash::MovedReference;
use crate::store::{Db, documents, transactions};

impl MergeUndo {
    /// Returns the links of a list of customers without this merge, in their order: those that people chose, each replaced as
    /// the merges that stand replace it.
    pub(super) fn links(
        &self,
        db: Db<'_>,
        table: &'static Table,
        entry: &JournalEntry,
        field: &Field,
    ) -> Result<Vec<u32>, Problem> {
        let changes = history::changes_of_ids(db, table, entry.id, field)?;
        let mut links = changes.first().map(|change| change.before.clone()).unwrap_or_default();
        let mut merges = Merges::default();
        for change in &changes {
            // Merges of earlier versions have no mark.
            if change.act == Some(JournalAct::Merge) || change.seq == entry.seq {
                for from in change.gone() {
                    let into = journal::merged_into(db, Customer::TABLE.name, from, change.seq)?;
                    merges.0.extend(into.map(|into| (from, into)));
                }
                continue;
            }
            // A record that is in the list is not merged any more.
            merges.0.retain(|(from, _)| !change.after.contains(from));
            if change.act != Some(JournalAct::MergeUndone) {
                links = change.after.iter().flat_map(|id| merges.behind(*id, &links)).collect();
            }
        }
        merges.0.retain(|(from, _)| *from != self.from.get());
        merges.replace(&mut links);
        Ok(links)
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

/// Merges of customers of a list, each as the record that went and the one that stayed, oldest first.
#[derive(Default)]
struct Merges(Vec<(u32, u32)>);

impl Merges {
    /// Returns the links for which the list shows a record: itself if there are none.
    fn behind(&self, shown: u32, links: &[u32]) -> Vec<u32> {
        let shown_for =
            |link: u32| self.0.iter().fold(link, |id, (from, into)| if id == *from { *into } else { id });
        let behind = links.iter().copied().filter(|link| shown_for(*link) == shown).collect::<Vec<_>>();
        if behind.is_empty() { vec![shown] } else { behind }
    }

    /// Replaces the links as the merges did.
    fn replace(&self, links: &mut Vec<u32>) {
        for (from, into) in &self.0 {
            if links.contains(into) {
                links.retain(|id| id != from);
            }
            links.iter_mut().filter(|id| *id == from).for_each(|id| *id = *into);
        }
    }
}
