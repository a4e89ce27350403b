//! Code that the handlers of all record types share: lists, single records and checks of references.

pub mod batch;
pub mod find_or_create;
pub mod of_lawsuit;
pub mod rows;
pub mod trash;
mod written;

pub(super) use written::id_names;
pub(super) use written::versioned;
pub use written::{MadeOut, WrittenOut};

use schemars::JsonSchema;

use super::changes::members::PastValue;

use crate::domain::id::Id;
use crate::domain::{Bilingual, ExternalIds, Invalid, Reason};
use crate::http::json::possible_conflicts::PossibleConflicts;
use crate::http::json::request_body::{Edit, New, ensure_valid};
use crate::http::{
    Call, Create, Draft, IfMatch, InAnswers, Listed, Problem, Query, Search, Tagged, Update, Versioned,
};
use crate::records::{Field, FieldType, Kind, Record, Table, Type, Value};
use crate::store::lists::{self, List};
use crate::store::records::external_ids;
use crate::store::records::{self, missing};
use crate::store::trash as stored_trash;
use crate::store::{self, Db, Tx};

/// Explains the PUT routes of records in the API description.
pub const CHANGING: Bilingual = (
    "Só mudam os campos informados; `null` ou `\"\"` esvazia um opcional. Com `If-Match`, nada que outra pessoa \
     alterou nesse meio-tempo é sobrescrito.",
    "Changes only the members in the body. `null` or `\"\"` clears an optional member. With `If-Match`, \
     changes that others made in the meantime are not overwritten.",
);

/// Lists the records that match a query.
pub fn search<R: InAnswers>(call: &Call<'_>, query: Query<Search<R>>) -> Result<Listed<R>, Problem> {
    query.list(call)
}

/// Returns one record. Fails with 404 if it does not exist.
pub fn read<R: InAnswers>(call: &Call<'_>, id: Id<R>) -> Result<Tagged<R>, Problem> {
    Tagged::read(call, id)
}

pub fn create<R: InAnswers>(call: &Call<'_>, new: New<Draft<R>>) -> Result<Create<MadeOut<R>>, Problem> {
    let record = new_record(call, new)?;
    let now = call.app().now();
    let nouns = call.viewer().nouns;
    Ok(Create::new(move |tx| {
        refuse_taken_external_id(tx.seen_by(nouns), &record, None)?;
        Ok(records::insert(tx, &record, now)?.into())
    }))
}

/// A record type with routes that change, delete and restore records.
pub trait Changeable: InAnswers {
    /// The response to a PUT, and with `deleted_at` to a DELETE: the record's ids.
    type Changed: Versioned + JsonSchema + 'static;

    /// Builds the response for a record, which may be deleted. Fails with 404 if it never existed.
    fn changed(db: Db<'_>, id: Id<Self>) -> Result<Self::Changed, Problem>;

    /// Refuses a record that was restored from the trash and contradicts what was stored since.
    fn ensure_restorable(&self, _: Db<'_>, _: Id<Self>) -> Result<(), Problem> {
        Ok(())
    }

    /// Takes back what making the record changed in others, once it is deleted.
    fn after_deletion(_: Tx<'_>, _: Id<Self>, _now: i64) -> Result<(), Problem> {
        Ok(())
    }

    /// Changes in others what making the record changed, once it is restored.
    fn after_restoration(_: Tx<'_>, _: Id<Self>, _now: i64) -> Result<(), Problem> {
        Ok(())
    }

    /// Returns the lawsuits that a changed record may be in conflict with, if the response has such (events 23.3).
    fn warning(_: Self::Changed) -> PossibleConflicts {
        PossibleConflicts::default()
    }
}

/// Changes some members of a record.
pub fn change<R: Changeable>(
    call: &Call<'_>,
    id: Id<R>,
    body: Edit<Draft<R>>,
    if_match: IfMatch,
) -> Result<Update<R::Changed>, Problem> {
    let (draft, _, wrong) = edit(call, id, body)?;
    ensure_valid(wrong)?;
    Ok(update(call, id, if_match, move |_, present| draft.change(present)))
}

/// Builds the write of a change, after its validation. The write loads the current record, checks `if_match`
/// against it, and stores the record that `change` returns.
pub(super) fn update<R: Changeable>(
    call: &Call<'_>,
    id: Id<R>,
    if_match: IfMatch,
    change: impl FnOnce(Tx<'_>, &R) -> Result<R, Problem> + Send + 'static,
) -> Update<R::Changed> {
    update_then(call, id, if_match, change, move |db, _, _| R::changed(db, id))
}

/// Like [`update`], with a response of the noun's own: `respond` gets the record as it is stored now, and as it was.
pub(super) fn update_then<R: Changeable>(
    call: &Call<'_>,
    id: Id<R>,
    if_match: IfMatch,
    change: impl FnOnce(Tx<'_>, &R) -> Result<R, Problem> + Send + 'static,
    respond: impl FnOnce(Db<'_>, &R, &R) -> Result<R::Changed, Problem> + Send + 'static,
) -> Update<R::Changed> {
    let now = call.app().now();
    let viewer = call.viewer();
    Update::new(move |tx| {
        let present = present(*tx, id)?;
        if_match.check::<R>(tx, id, &viewer)?;
        let changed = change(tx, &present)?;
        refuse_taken_external_id(tx.seen_by(viewer.nouns), &changed, Some(id))?;
        store_changed(tx, id, &changed, &present, now)?;
        respond(*tx, &changed, &present)
    })
}

/// Stores a changed record, unless it has the values of the present one.
pub(super) fn store_changed<R: Record>(
    tx: Tx<'_>,
    id: Id<R>,
    changed: &R,
    present: &R,
    now: i64,
) -> Result<(), store::Error> {
    if changed.values() == present.values() { Ok(()) } else { records::update(tx, id, changed, now) }
}

/// Validates the body of a POST and builds the record.
pub(super) fn new_record<R: Record>(call: &Call<'_>, new: New<Draft<R>>) -> Result<R, Problem> {
    let New { mut body, mut wrong } = new;
    check(call, &mut body, None, &mut wrong)?;
    ensure_valid(wrong)?;
    body.build()
}

/// Checks the body of a PUT. Returns the draft, the current record, and the problems found so far, which the
/// caller may add to. Fails with 404 if the record does not exist.
pub(super) fn edit<R: Record>(
    call: &Call<'_>,
    id: Id<R>,
    edit: Edit<Draft<R>>,
) -> Result<(Draft<R>, R, Invalid), Problem> {
    let Edit { mut body, mut wrong } = edit;
    let present = present::<R>(call.db(), id)?;
    check(call, &mut body, Some(&present), &mut wrong)?;
    Ok((body, present, wrong))
}

/// Returns the record with this id. Fails with 404 if it does not exist.
pub(super) fn present<R: Record>(db: Db<'_>, id: Id<R>) -> Result<R, Problem> {
    records::by_id(db, id)?.ok_or_else(|| Problem::no_record(db, R::TABLE, id.get()))
}

/// Returns a record with former values of some stored members, of which some may be back already.
///
/// # Errors
/// A member was changed since.
pub(super) fn with_former_values<R: Record>(standing: &R, past: &[PastValue]) -> Result<R, Problem> {
    let mut values = standing.values();
    for (field, value) in R::TABLE.stored().zip(&mut values) {
        let Some(past) = past.iter().find(|past| past.field.column == field.column) else { continue };
        if ![&past.before, &past.after].contains(&&*value) {
            return Err(Invalid::one(field.member, Reason::ChangedSince).into());
        }
        *value = past.before.clone();
    }
    R::build(values).ok_or_else(|| Problem::internal("a record lacks something after an undo"))
}

/// Like [`present`], but returns the stored values without building the record.
pub(super) fn present_values<R: Record>(db: Db<'_>, id: Id<R>) -> Result<Vec<Value<'static>>, Problem> {
    let values = records::values_by_id(db, R::TABLE, id.get())?;
    values.ok_or_else(|| Problem::no_record(db, R::TABLE, id.get()))
}

/// Sets defaults such as today's date, then checks the values that need the store or the calendar.
pub(super) fn check<R: Record>(
    call: &Call<'_>,
    body: &mut Draft<R>,
    present: Option<&R>,
    wrong: &mut Invalid,
) -> Result<(), Problem> {
    // Refuse first, before other problems reveal anything about the referenced record.
    call.viewer().ensure_sees(R::TABLE, body.named())?;
    body.settle(call.app().today(), present.is_none());
    body.check(call.app().today(), wrong);
    let present = present.map(Record::values).unwrap_or_default();
    check_references(call, R::TABLE, &mut body.values(), &present, wrong)
}

/// Checks that the references among `values` refer to live records and active list entries.
fn check_references(
    call: &Call<'_>,
    table: &Table,
    values: &mut dyn Iterator<Item = (&'static Field, &Value<'static>)>,
    present: &[Value<'_>],
    wrong: &mut Invalid,
) -> Result<(), Problem> {
    for (field, value) in values.filter(|(field, _)| field.is_stored()) {
        match (field.ty, value) {
            (Type::Reference(list) | Type::Links(Kind::List(list)), value) => {
                let present_ids =
                    table.stored().zip(present).find(|(stored, _)| stored.column == field.column);
                let present_ids = present_ids.map(|(_, value)| value.ids()).unwrap_or_default();
                for id in value.ids() {
                    let unchanged = Some(id).filter(|id| present_ids.contains(id));
                    check_reference(call.db(), wrong, field.member, list, Some(id), unchanged)?;
                }
            }
            (Type::Links(to) | Type::Record(to), value) => {
                check_records(call.db(), wrong, field.member, to, &value.ids())?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Checks that ids refer to records that exist and are not deleted.
pub(super) fn check_records(
    db: Db<'_>,
    wrong: &mut Invalid,
    field: &'static str,
    to: Kind,
    ids: &[u32],
) -> Result<(), Problem> {
    for id in missing(db, to.table(), ids)? {
        wrong.add(field, stored_trash::why_missing(db, to.table(), id)?);
    }
    Ok(())
}

/// Checks that an id refers to an active list entry. `unchanged` is the record's current entry, which may stay even
/// if it was deactivated.
pub(super) fn check_reference(
    db: Db<'_>,
    wrong: &mut Invalid,
    field: &'static str,
    list: List,
    id: Option<u32>,
    unchanged: Option<u32>,
) -> Result<(), Problem> {
    if let Some(id) = id.filter(|id| Some(*id) != unchanged) {
        match lists::is_active(db, list, id)? {
            None => wrong.add(field, list.unknown_entry(id)),
            Some(false) => wrong.add(field, Reason::InactiveEntry { id }),
            Some(true) => {}
        }
    }
    Ok(())
}

/// Refuses a record with an external id that another record has (resources 10). `own` is the record's id, if it
/// has one. Fails with 422, and with the id of the other record if the caller may see it.
pub(super) fn refuse_taken_external_id<R: Record>(
    db: Db<'_>,
    record: &R,
    own: Option<Id<R>>,
) -> Result<(), Problem> {
    let own = own.map(Id::get);
    let values = R::TABLE.stored().zip(record.values());
    for (_, value) in values.filter(|(field, _)| field.ty == Type::ExternalIds) {
        for name in ExternalIds::from_value(value).unwrap_or_default().iter() {
            match external_ids::holder(db, R::TABLE, name)? {
                Some(holder) if Some(holder) != own => {
                    let [_, member] = id_names(R::TABLE);
                    let deletion = stored_trash::find(db, R::TABLE, holder)?;
                    let seen = if records::is_hidden(db, R::TABLE, holder)? { None } else { Some(holder) };
                    return Err(
                        Problem::duplicate(Reason::ExternalIdTaken, &member, seen).of_deleted(deletion)
                    );
                }
                _ => {}
            }
        }
    }
    Ok(())
}
