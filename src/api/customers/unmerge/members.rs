//! The members of the customers without a merge: what a person changed since stays, and so does what other merges put there
//! (office 53).

use std::collections::BTreeSet;

use super::{KeptValue, MergeUndo, PastMerge, give_back_ids, values_of};
use crate::api::changes::history::{MemberChange, RecordChanges};
use crate::api::changes::members::{around, stored};
use crate::api::customers::merge::filled;
use crate::http::Problem;
use crate::records::{Customer, CustomerId, Field, Record, Type, Value};
use crate::store::Db;
use crate::store::journal::{self, JournalAct, JournalEntry};
use crate::store::nouns::customers;
use crate::store::records::by_id_even_deleted;
use crate::store::records::merges;

/// A merge into the record that stayed, whether or not it still stands.
struct Filling {
    /// The number of its entry about the record that stayed.
    seq: u64,
    /// The values of the other record before the merge. `None` if it was erased.
    values: Option<Vec<Value<'static>>>,
    /// The number of the entry with which the merge ended, and `true` if it was undone.
    end: Option<(u64, bool)>,
}

impl MergeUndo {
    /// Gives the customers the members that they have without the merge.
    pub(super) fn customers(&mut self, db: Db<'_>, merge: &PastMerge) -> Result<(), Problem> {
        let table = Customer::TABLE;
        let changes =
            RecordChanges::read(db, table, self.into.get())?.ok_or_else(Problem::merge_forgotten)?;
        let fillings = fillings(db, merge)?;
        let mut own = values_of(&self.own);
        let mut other = before(db, merge.from, &merge.entry)?.ok_or_else(Problem::merge_forgotten)?;
        // The entry of the record that stayed follows that of the one that went.
        let seq = merge.entry.seq + 1;
        for (at, field) in table.stored().enumerate() {
            let (Some(own), Some(other)) = (own.get_mut(at), other.get_mut(at)) else { continue };
            let is_kept = match field.ty {
                Type::ExternalIds => give_back_ids(own, other),
                _ => {
                    let changes = changes.of(field);
                    let mut member = Member::replay(db, (at, field, own), self.into, &changes, &fillings)?;
                    let is_filled = member.take_out(seq);
                    *own = member.value();
                    let by_merge = changes.iter().find(|change| change.seq == seq);
                    !is_filled && by_merge.is_some_and(|change| change.values().first() != Some(own))
                }
            };
            if is_kept {
                self.kept.push(KeptValue { table, id: self.into.get(), field });
            }
        }
        // The one that gives up what is unique comes first.
        self.change(db, self.into, built(own)?)?;
        self.change(db, self.from, built(other)?)
    }

    /// Adds a customer as it is without the merge. Another record that is merged into it gives up its CPF or CNPJ. One
    /// that a further customer has got since stays there.
    fn change(&mut self, db: Db<'_>, id: CustomerId, mut customer: Customer) -> Result<(), Problem> {
        let table = Customer::TABLE;
        let holder = match &customer.identification {
            Some(number) => customers::holder_of(db, number)?,
            None => None,
        };
        let gives_up = |holder: CustomerId| {
            let mut changed = self.changed.iter();
            changed.any(|(id, now)| *id == holder && now.identification != customer.identification)
        };
        if let Some(holder) = holder.filter(|holder| *holder != id && !gives_up(*holder)) {
            let is_merged = merges::merged_into(db, table, id.get())?.contains(&holder.get());
            match by_id_even_deleted(db, holder)?.filter(|_| is_merged) {
                Some(merged) => self.changed.push((holder, Customer { identification: None, ..merged })),
                None => {
                    customer.identification = None;
                    let kept = |field| KeptValue { table, id: id.get(), field };
                    self.kept.extend(table.field("identification").map(kept));
                }
            }
        }
        self.changed.push((id, customer));
        Ok(())
    }
}

/// Returns the merges into the record that stayed in a merge, that merge included, oldest first.
fn fillings(db: Db<'_>, merge: &PastMerge) -> Result<Vec<Filling>, Problem> {
    let kind = Customer::TABLE.name;
    let mut merges = journal::merged_into(db, kind, merge.into.get())?;
    // Merges of earlier versions have no mark.
    if !merges.contains(&merge.entry) {
        merges.push(merge.entry.clone());
    }
    let mut fillings = Vec::new();
    for went in merges {
        let seq = went.seq + 1;
        let values = before(db, CustomerId::from_stored(went.id), &went)?;
        let end = journal::came_back(db, kind, went.id, seq)?.map(|back| {
            let is_undone = back.act() == Some(JournalAct::MergeUndone);
            // The entry of the record that stayed comes before.
            (back.seq - u64::from(is_undone), is_undone)
        });
        fillings.push(Filling { seq, values, end });
    }
    Ok(fillings)
}

/// What merges add to a member.
struct Fill {
    /// The merge.
    seq: u64,
    more: Value<'static>,
    end: Option<(u64, bool)>,
}

/// A member of the record that stayed: the value that a person gave it, and what merges added to it, oldest first.
struct Member {
    field: &'static Field,
    base: Value<'static>,
    fills: Vec<Fill>,
}

impl Member {
    /// Replays the changes of member number `at`, which is `now`, of the customer `id`.
    fn replay(
        db: Db<'_>,
        (at, field, now): (usize, &'static Field, &Value<'static>),
        id: CustomerId,
        changes: &[MemberChange],
        fillings: &[Filling],
    ) -> Result<Member, Problem> {
        let mut member = Member { field, base: now.clone(), fills: Vec::new() };
        if let Some([before, _]) = changes.first().map(MemberChange::values) {
            member.base = before;
        }
        let mut is_back_at = 0;
        let seqs = changes.iter().map(|change| change.seq).chain(fillings.iter().map(|filling| filling.seq));
        for seq in seqs.collect::<BTreeSet<_>>() {
            let change = changes.iter().find(|change| change.seq == seq);
            let filling = fillings.iter().find(|filling| filling.seq == seq);
            if seq <= is_back_at {
                continue;
            }
            member.settle(seq - 1);
            if let Some([before, _]) = change.map(MemberChange::values) {
                member.explain(&before);
            }
            member.settle(seq);
            if let Some(filling) = filling {
                member.fill(filling, at, change);
            }
            let Some(change) = change else { continue };
            let [_, after] = change.values();
            match change.act {
                // A record that was merged itself comes back as it was.
                Some(JournalAct::Merge) if filling.is_none() => {
                    let back = journal::came_back(db, Customer::TABLE.name, id.get(), seq)?;
                    match back.filter(|back| back.act() == Some(JournalAct::MergeUndone)) {
                        Some(back) => is_back_at = back.seq + 1,
                        None => member.explain(&after),
                    }
                }
                Some(JournalAct::MergeUndone) => member.explain(&after),
                _ if filling.is_some() => member.explain(&after),
                _ => member.choose(after),
            }
        }
        member.settle(u64::MAX);
        member.explain(now);
        Ok(member)
    }

    fn choose(&mut self, value: Value<'static>) {
        self.base = value;
        self.fills.clear();
    }

    /// Counts the value as a person's if the merges do not explain it.
    fn explain(&mut self, value: &Value<'static>) {
        if self.value() != *value {
            self.choose(value.clone());
        }
    }

    fn fill(&mut self, filling: &Filling, at: usize, change: Option<&MemberChange>) {
        let own = filling.values.as_ref().and_then(|values| values.get(at)).cloned();
        let Some(more) = own.or_else(|| change.map(added)) else { return };
        // What a merge did not fill was kept by choice.
        if change.is_some() || filled(self.field, &self.value(), &more).is_ok_and(|all| all == self.value()) {
            self.fills.push(Fill { seq: filling.seq, more, end: filling.end });
        }
    }

    /// Ends the merges that ended up to entry `seq`. What the others filled in stays, unless they were undone.
    fn settle(&mut self, seq: u64) {
        let end = |(at, fill): (usize, &Fill)| Some((fill.end.filter(|(end, _)| *end <= seq)?, at));
        while let Some(((_, is_undone), at)) = self.fills.iter().enumerate().filter_map(end).min() {
            let is_filled = self.value_after(at) != self.value_after(at + 1);
            let fill = self.fills.remove(at);
            if is_filled && !is_undone {
                self.fills.insert(at, Fill { end: None, ..fill });
            }
        }
    }

    fn take_out(&mut self, seq: u64) -> bool {
        let count = self.fills.len();
        self.fills.retain(|fill| fill.seq != seq);
        self.fills.len() < count
    }

    fn value(&self) -> Value<'static> {
        self.value_after(self.fills.len())
    }

    /// Returns the value after the first merges.
    fn value_after(&self, count: usize) -> Value<'static> {
        let fills = self.fills.iter().take(count);
        fills.fold(self.base.clone(), |value, fill| filled(self.field, &value, &fill.more).unwrap_or(value))
    }
}

/// Returns what a merge added to a member.
fn added(change: &MemberChange) -> Value<'static> {
    match change.values() {
        [Value::Text(before), Value::Text(after)] => {
            let added = after.strip_prefix(before.trim_end()).unwrap_or(&after);
            Value::Text(added.trim_start().to_owned().into())
        }
        [_, after] => after,
    }
}

/// Returns the values of a record as they were before the entry of a merge in which it went. `None` if it was erased.
fn before(db: Db<'_>, id: CustomerId, entry: &JournalEntry) -> Result<Option<Vec<Value<'static>>>, Problem> {
    let table = Customer::TABLE;
    let Some(now) = by_id_even_deleted(db, id)? else { return Ok(None) };
    let mut values = values_of(&now);
    let [before, _] = around(db, table, entry)?;
    let later = journal::changed_after(db, table.name, id.get(), entry.seq - 1)?;
    for (field, value) in table.stored().zip(&mut values) {
        if later.iter().any(|entry| entry.changed.iter().any(|column| column == field.column)) {
            *value = stored(field, &before);
        }
    }
    Ok(Some(values))
}

fn built(values: Vec<Value<'static>>) -> Result<Customer, Problem> {
    Customer::build(values).ok_or_else(|| Problem::internal("a customer lacks something after an undo"))
}
