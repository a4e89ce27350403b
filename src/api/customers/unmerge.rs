//! Undoes a merge of two customers as a whole: what was moved goes back, and what was changed since stays (office 53).

mod made_since;
mod members;

use crate::api::changes::chosen_links::ChosenLinks;
use crate::api::changes::history::{Link, MemberChange, RecordChanges};
use crate::api::changes::{resource_of, table_of};
use crate::api::conflicts::decisions;
use crate::api::webhooks::Nothing;
use crate::domain::{Bilingual, ExternalIds, OpposingParties, OpposingParty};
use crate::http::json::answer_members::answer;
use crate::http::json::request_body::OptionalBody;
use crate::http::json::values::Shown;
use crate::http::{Call, Problem, Revert, Versioned};
use crate::records::{
    Customer, CustomerId, Field, FieldType, Kind, Lawsuit, Nouns, Record, Table, Type, Value,
};
use crate::store::conflicts::conflict_findings;
use crate::store::journal::{self, JournalAct, JournalEntry, Op};
use crate::store::nouns::lawsuits;
use crate::store::records::by_id_even_deleted;
use crate::store::records::merges::{self, MovedReference};
use crate::store::trash::{self, Deletion, RecordCounts};
use crate::store::{Db, Tx, records};

/// Explains POST /customers/{id}/merge/undo in the API description.
pub const UNDOING: Bilingual = (
    "`{id}` é o cadastro que foi para a lixeira. Ele volta, com o que dele passou para o outro; o que no outro foi \
     preenchido fica vazio de novo, ou com o que outra união lhe deu. O que alguém alterou desde então fica como está e é nomeado em `kept`. Se o outro foi \
     unido a um terceiro, o 409 `merged-on` diz qual união desfazer antes. Vale enquanto o histórico guarda os valores de \
     antes (`changes.values_keep_days`).",
    "`{id}` is the record that went to the trash. It comes back with everything that passed to the other one, and what was \
     filled in there becomes empty again, or what another merge makes it. What was changed since stays, and is named in `kept`. If the other one was \
     merged into a third, 409 `merged-on` names that merge, which is undone first. This works for as long as the history \
     keeps the earlier values (`changes.values_keep_days`).",
);

answer! {
pub struct MergeUndoneOut as "MergeUndone" = "Uma união desfeita.", "A merge that was undone.";

success: bool [example = true] => "Sempre true.", "Always true.";
customer_id: Shown<CustomerId> [example = 281] => "O cadastro que voltou.", "The record that came back.";
restored: Vec<RestoredOut> => "O que voltou a ser deste cadastro.", "What belongs to this record again.";
kept: Vec<KeptOut> => "O que foi alterado desde a união e fica como está.", "What was changed since the merge, and stays.";
}

answer! {
pub struct RestoredOut as "MergeRestored" = "Um registro que voltou.", "A record that went back.";

resource: String [example = &"lawsuits"] => "O recurso.", "The resource.";
id: u32 [range(min = 1), example = 5] => "O id.", "The record's id.";
}

answer! {
pub struct KeptOut as "MergeKept" = "Um valor alterado desde a união.", "A value that was changed since the merge.";

resource: String [example = &"customers"] => "O recurso.", "The resource.";
id: u32 [range(min = 1), example = 21] => "O id.", "The record's id.";
member: &'static str [example = &"notes"] => "O campo.", "The member.";
}

impl Versioned for MergeUndoneOut {}

/// Undoes the merge of customer `from` into another one. Fails with 409 if there is no such merge, if the other one was
/// merged on, or if the journal does not keep the values.
pub fn undo_merge(
    call: &Call<'_>,
    from: CustomerId,
    _: OptionalBody<Nothing>,
) -> Result<Revert<MergeUndoneOut>, Problem> {
    Ok(undo(call, from))
}

/// Undoes the merge of customer `from` into another one, for [`undo_merge`] and for pages.
pub fn undo(call: &Call<'_>, from: CustomerId) -> Revert<MergeUndoneOut> {
    let (now, nouns) = (call.app().now(), call.viewer().nouns);
    Revert::new(move |tx| {
        let undo = MergeUndo::plan(*tx, from, nouns)?;
        undo.write(tx, now)?;
        Ok(undo.out())
    })
}

/// A value that was changed since the merge.
#[derive(Clone, Copy)]
pub struct KeptValue {
    pub table: &'static Table,
    pub id: u32,
    pub field: &'static Field,
}

/// What the undo of a merge does.
pub struct MergeUndo {
    pub from: CustomerId,
    pub into: CustomerId,
    /// The records that go back, of those that the caller may see.
    pub restored: Vec<(&'static Table, u32)>,
    /// What stays, of what the caller may see.
    pub kept: Vec<KeptValue>,
    nouns: Nouns,
    merged_at: i64,
    references: Vec<MovedReference>,
    parties: Vec<(u32, OpposingParties)>,
    /// The record that stayed.
    own: Customer,
    /// The customers as they are without the merge, in the order in which they are written.
    changed: Vec<(CustomerId, Customer)>,
}

/// A merge in the journal.
pub struct PastMerge {
    pub from: CustomerId,
    pub into: CustomerId,
    /// The entry of the record that went.
    entry: JournalEntry,
    /// The other entries. A few may be of a later write.
    entries: Vec<JournalEntry>,
}

impl PastMerge {
    /// Finds the merge of customer `from` into another one.
    pub fn find(db: Db<'_>, from: CustomerId) -> Result<PastMerge, Problem> {
        let into = match trash::find(db, Customer::TABLE, from.get())? {
            Some(Deletion { merged_into: Some(into), .. }) => CustomerId::from_stored(into),
            Some(_) => return Err(Problem::not_merged()),
            None if by_id_even_deleted(db, from)?.is_some() => return Err(Problem::not_merged()),
            None => return Err(Problem::no_record(db, Customer::TABLE, from.get())),
        };
        let first = journal::newest_of_op(db, Customer::TABLE.name, from.get(), Op::Deleted)?;
        let entries = first.map(|first| journal::of_write(db, first)).transpose()?.unwrap_or_default();
        let mut entries = entries.into_iter();
        let entry = entries.next().ok_or_else(Problem::merge_forgotten)?;
        Ok(PastMerge { from, into, entry, entries: entries.collect() })
    }

    /// Returns `true` for an entry of the merge about the record that stayed.
    pub fn is_of_remaining(&self, seq: u64) -> bool {
        self.of_remaining().is_some_and(|entry| entry.seq == seq)
    }

    fn of_remaining(&self) -> Option<&JournalEntry> {
        self.entries.iter().find(|entry| entry.kind == Customer::TABLE.name && entry.id == self.into.get())
    }

    /// Counts the records that the merge moved, of those that the caller may see.
    pub fn moved(&self, nouns: Nouns) -> RecordCounts {
        let others = self.entries.iter().filter(|entry| entry.kind != Customer::TABLE.name);
        trash::by_table(others.filter_map(|entry| {
            let table = table_of(&entry.kind).filter(|table| nouns.has(table.kind))?;
            pointing(table, entry).next().map(|_| table)
        }))
    }
}

/// Returns the members that refer to customers, of those that an entry changed.
fn pointing(table: &'static Table, entry: &JournalEntry) -> impl Iterator<Item = &'static Field> {
    let fields = table.stored().filter(|field| entry.changed.iter().any(|column| column == field.column));
    fields.filter(|field| {
        matches!(field.ty, Type::Record(Kind::Customer) | Type::Links(Kind::Customer) | Type::OpposingParties)
    })
}

impl MergeUndo {
    /// Compares what the merge changed with what is stored now. Fails as [`undo_merge`] does, and if the caller could not
    /// have made the merge.
    pub fn plan(db: Db<'_>, from: CustomerId, nouns: Nouns) -> Result<MergeUndo, Problem> {
        let merge = PastMerge::find(db, from)?;
        let into = merge.into;
        if let Some(Deletion { merged_into: Some(next), .. }) = trash::find(db, Customer::TABLE, into.get())?
        {
            return Err(Problem::merged_on(into.get(), next));
        }
        let mut undo = MergeUndo {
            from,
            into,
            restored: Vec::new(),
            kept: Vec::new(),
            nouns,
            merged_at: merge.entry.at,
            references: Vec::new(),
            parties: Vec::new(),
            own: by_id_even_deleted(db, into)?.ok_or_else(Problem::merge_forgotten)?,
            changed: Vec::new(),
        };
        for entry in &merge.entries {
            let Some(table) = table_of(&entry.kind).filter(|table| table.kind != Kind::Customer) else {
                continue;
            };
            // An erased record has nothing to give back.
            let Some(changes) = RecordChanges::read(db, table, entry.id)? else { continue };
            ensure_known(entry)?;
            for field in pointing(table, entry) {
                let changes = changes.of(field);
                match field.ty {
                    Type::OpposingParties => undo.parties(db, entry, field, &changes)?,
                    _ => undo.reference(db, table, entry, field, &changes)?,
                }
            }
        }
        undo.made_since(db)?;
        [Some(&merge.entry), merge.of_remaining()].into_iter().flatten().try_for_each(ensure_known)?;
        undo.customers(db, &merge)?;
        undo.restored.sort_by_key(|(table, id)| (table.name, *id));
        undo.restored.dedup_by_key(|(table, id)| (table.name, *id));
        undo.kept.retain(|kept| nouns.has(kept.table.kind));
        Ok(undo)
    }

    fn restore(&mut self, table: &'static Table, id: u32) {
        if self.nouns.has(table.kind) {
            self.restored.push((table, id));
        }
    }

    /// Gives a reference back, unless a person chose another one since.
    fn reference(
        &mut self,
        db: Db<'_>,
        table: &'static Table,
        entry: &JournalEntry,
        field: &'static Field,
        changes: &[MemberChange],
    ) -> Result<(), Problem> {
        let id = entry.id;
        let moved = (entry.seq, self.from.get());
        let chosen = ChosenLinks::replay(db, Customer::TABLE, moved, changes, MemberChange::links)?;
        match chosen.map(|chosen| chosen.without(self.from.get())) {
            None => Ok(()),
            Some(Some(links)) => {
                let links = links.iter().map(|link| link.id).collect();
                self.move_back(db, MovedReference { table, id, column: field.column, links })
            }
            Some(None) => {
                self.ensure_seen(db, table, id)?;
                self.kept.push(KeptValue { table, id, field });
                Ok(())
            }
        }
    }

    /// Refuses an undo that changes records which the caller may not see, as their merge is refused.
    fn ensure_seen(&self, db: Db<'_>, table: &'static Table, id: u32) -> Result<(), Problem> {
        match self.nouns.has(table.kind) || trash::find(db, table, id)?.is_some() {
            true => Ok(()),
            false => Err(Problem::in_use(Vec::new())),
        }
    }

    fn move_back(&mut self, db: Db<'_>, moved: MovedReference) -> Result<(), Problem> {
        self.ensure_seen(db, moved.table, moved.id)?;
        self.restore(moved.table, moved.id);
        self.references.push(moved);
        Ok(())
    }

    /// Gives the opposing parties of a lawsuit back, each unless a person made it another one since.
    fn parties(
        &mut self,
        db: Db<'_>,
        entry: &JournalEntry,
        field: &'static Field,
        changes: &[MemberChange],
    ) -> Result<(), Problem> {
        let parties = |value: &Value<'_>| OpposingParties::from_json(value.text().unwrap_or_default());
        let by_merge = changes.iter().find(|change| change.seq == entry.seq).map(MemberChange::values);
        let newest = changes.last().map(MemberChange::values);
        let (Some([before, _]), Some([_, now])) = (by_merge, newest) else { return Ok(()) };
        let mut now = parties(&now);
        let (mut is_back, mut is_kept) = (false, false);
        for OpposingParty { number, .. } in parties(&before).iter() {
            let customer = |value: Value<'static>| {
                let all = parties(&value);
                let own = all.iter().filter(|party| party.number == *number);
                own.filter_map(|party| Some(Link { id: party.customer?, done_at: None })).collect()
            };
            let moved = (entry.seq, self.from.get());
            let customers = |change: &MemberChange| change.values().map(customer);
            let Some(chosen) = ChosenLinks::replay(db, Customer::TABLE, moved, changes, customers)? else {
                continue;
            };
            let is_chosen = chosen.without(self.from.get()).is_some();
            match now.iter_mut().find(|party| party.number == *number && is_chosen) {
                Some(party) => {
                    party.customer = Some(self.from.get());
                    is_back = true;
                }
                None => is_kept = true,
            }
        }
        if is_back {
            self.parties.push((entry.id, now));
            self.restore(Lawsuit::TABLE, entry.id);
        }
        if is_kept {
            self.kept.push(KeptValue { table: Lawsuit::TABLE, id: entry.id, field });
        }
        Ok(())
    }

    /// Undoes the merge.
    pub fn write(&self, tx: Tx<'_>, now: i64) -> Result<(), Problem> {
        let (from, into) = (self.from, self.into);
        tx.note_act(JournalAct::MergeUndone);
        for (id, customer) in &self.changed {
            records::update(tx, *id, customer, now)?;
        }
        for moved in &self.references {
            merges::point_back(tx, moved, from.get(), into.get(), now)?;
        }
        for (id, parties) in &self.parties {
            lawsuits::replace_parties(tx, *id, parties, now)?;
        }
        merges::pass_on(tx, Customer::TABLE, into.get(), from.get())?;
        trash::restore(tx, Customer::TABLE, from.get())?;
        conflict_findings::undo_merge(tx, from.get(), into.get(), self.merged_at)?;
        Ok(decisions::set_basis_of_decisions(tx, from.get())?)
    }

    fn out(&self) -> MergeUndoneOut {
        let restored =
            self.restored.iter().map(|(table, id)| RestoredOut { resource: resource_of(table), id: *id });
        let kept = self.kept.iter().map(|kept| KeptOut {
            resource: resource_of(kept.table),
            id: kept.id,
            member: kept.field.shown,
        });
        MergeUndoneOut {
            success: true,
            customer_id: Shown(self.from),
            restored: restored.collect(),
            kept: kept.collect(),
        }
    }
}

/// Takes the external ids of the record that went from the other one. It keeps those that the other one still has. Returns
/// `true` if some are gone.
fn give_back_ids(own: &mut Value<'static>, other: &mut Value<'static>) -> bool {
    let ids = |value: &Value<'_>| ExternalIds::from_value(value.clone()).unwrap_or_default();
    let (taken, held) = (ids(other), ids(own));
    let (back, stays) = held.partition(|id| taken.iter().any(|taken| taken == id));
    let are_some_gone = back.iter().count() < taken.iter().count();
    *own = stays.to_value().into_owned();
    *other = back.to_value().into_owned();
    are_some_gone
}

/// Fails if the journal has forgotten the values of an entry.
fn ensure_known(entry: &JournalEntry) -> Result<(), Problem> {
    match entry.changed.is_empty() || entry.before.is_some() {
        true => Ok(()),
        false => Err(Problem::merge_forgotten()),
    }
}

fn values_of(customer: &Customer) -> Vec<Value<'static>> {
    customer.values().into_iter().map(Value::into_owned).collect()
}
