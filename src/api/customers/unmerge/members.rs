//! The members of the customers without a merge: what a person changed since stays, and so does what other merges that stand
//! put there (office 53).

use super::{KeptValue, MergeUndo, PastMerge, give_back_ids, values_of};
use crate::api::changes::history::{self, RecordChange};
use crate::api::changes::members::{around, stored};
use crate::api::customers::merge::filled;
use crate::http::Problem;
use crate::records::{Customer, CustomerId, Field, Record, Type, Value};
use crate::store::journal::{self, JournalAct};
use crate::store::records::by_id_even_deleted;
use crate::store::{Db, customers, trash};

/// Another record that is merged into the one that stayed.
struct Standing {
    id: CustomerId,
    /// The number of the last entry of the merge about both records.
    seq: u64,
    /// Its values before the merge, and now.
    before: Vec<Value<'static>>,
    now: Vec<Value<'static>>,
    is_changed: bool,
}

impl Standing {
    /// Empties a unique member whose value the record that stayed has now.
    fn release(&mut self, at: usize, value: &Value<'static>) {
        if let Some(own) = self.now.get_mut(at).filter(|own| *own == value) {
            *own = Value::Null;
            self.is_changed = true;
        }
    }
}

impl MergeUndo {
    /// Gives the customers the members that they have without the merge.
    pub(super) fn customers(&mut self, db: Db<'_>, merge: &PastMerge) -> Result<(), Problem> {
        let table = Customer::TABLE;
        let changes = history::changes_of(db, table, self.into.get())?;
        let mut own = values_of(&self.own);
        let mut other = before(db, merge)?;
        let mut standing = self.standing(db)?;
        for (at, field) in table.stored().enumerate() {
            let (Some(own), Some(other)) = (own.get_mut(at), other.get_mut(at)) else { continue };
            let is_kept = match field.ty {
                Type::ExternalIds => give_back_ids(own, other),
                _ => without(merge, field, (at, own), &changes, &standing),
            };
            if is_kept {
                self.kept.push(KeptValue { table, id: self.into.get(), field });
            }
            if field.unique && *own != Value::Null {
                standing.iter_mut().for_each(|one| one.release(at, own));
            }
        }
        let mut other = built(other)?;
        let own = built(own)?;
        // The CPF or CNPJ may have become that of another customer.
        if let Some(number) = &other.identification {
            let is_released = own.identification.as_ref() != Some(number);
            let holder = customers::holder_of(db, number)?;
            if holder.is_some_and(|holder| holder != self.from && !(holder == self.into && is_released)) {
                other.identification = None;
                let kept = |field| KeptValue { table, id: self.from.get(), field };
                self.kept.extend(table.field("identification").map(kept));
            }
        }
        for Standing { id, now, .. } in standing.into_iter().filter(|one| one.is_changed) {
            self.changed.push((id, built(now)?));
        }
        // Those that release what is unique come first.
        self.changed.extend([(self.into, own), (self.from, other)]);
        Ok(())
    }

    /// Returns the other merges into the record that stayed, in the order in which they were made.
    fn standing(&self, db: Db<'_>) -> Result<Vec<Standing>, Problem> {
        let mut standing = Vec::new();
        for id in trash::merged_into(db, Customer::TABLE, self.into.get())? {
            let id = CustomerId::from_stored(id);
            // A restored backup may have left no trace of another merge.
            let merge = match PastMerge::find(db, id) {
                Ok(merge) if id != self.from => merge,
                Err(problem) if problem.is_ours() => return Err(problem),
                _ => continue,
            };
            let Some(now) = by_id_even_deleted(db, id)? else { continue };
            standing.push(Standing {
                id,
                seq: merge.seq(),
                before: before(db, &merge)?,
                now: values_of(&now),
                is_changed: false,
            });
        }
        standing.sort_by_key(|one| one.seq);
        Ok(standing)
    }
}

/// Gives a member of the record that stayed the value that it has without a merge. Returns `true` if a person changed it since, so
/// that it stays.
fn without(
    merge: &PastMerge,
    field: &Field,
    (at, own): (usize, &mut Value<'static>),
    changes: &[RecordChange],
    standing: &[Standing],
) -> bool {
    let changes = changes.iter().filter_map(|change| Some((change, change.of(field)?))).collect::<Vec<_>>();
    let by_merges = |change: &RecordChange| {
        let is_marked = [Some(JournalAct::Merge), Some(JournalAct::MergeUndone)].contains(&change.act);
        // Merges of earlier versions have no mark.
        !change.is_erased && (is_marked || change.seq == merge.seq())
    };
    let begun = changes.iter().rfind(|(change, _)| !by_merges(change)).map_or(0, |(change, _)| change.seq);
    if begun > merge.seq() {
        return match changes.iter().find(|(change, _)| change.seq == merge.seq()) {
            Some((_, [before, after])) if own == after => {
                *own = before.clone();
                false
            }
            Some((_, [before, _])) => own != before,
            None => false,
        };
    }
    let value_after = |seq: u64, now: &Value<'static>| {
        let next = changes.iter().find(|(change, _)| change.seq > seq);
        next.map_or_else(|| now.clone(), |(_, [before, _])| before.clone())
    };
    let mut value = value_after(begun, own);
    for one in standing.iter().filter(|one| one.seq > begun) {
        let Some(more) = one.before.get(at) else { continue };
        // A member that the merge did not fill was kept by choice.
        let then = value_after(one.seq, own);
        if filled(field, &then, more).is_ok_and(|filled| filled == then)
            && let Ok(filled) = filled(field, &value, more)
        {
            value = filled;
        }
    }
    *own = value;
    false
}

/// Returns the values of the record that went, as they were before a merge.
fn before(db: Db<'_>, merge: &PastMerge) -> Result<Vec<Value<'static>>, Problem> {
    let table = Customer::TABLE;
    let now: Customer = by_id_even_deleted(db, merge.from)?.ok_or_else(Problem::merge_forgotten)?;
    let mut values = values_of(&now);
    let [before, _] = around(db, table, &merge.entry)?;
    let later = journal::changed_after(db, table.name, merge.from.get(), merge.entry.seq - 1)?;
    for (field, value) in table.stored().zip(&mut values) {
        if later.iter().any(|entry| entry.changed.iter().any(|column| column == field.column)) {
            *value = stored(field, &before);
        }
    }
    Ok(values)
}

fn built(values: Vec<Value<'static>>) -> Result<Customer, Problem> {
    Customer::build(values).ok_or_else(|| Problem::internal("a customer lacks something after an undo"))
}
