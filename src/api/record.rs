//! Code that the handlers of all record types share: lists, single records, checks of references, and the
//! responses to writes.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::conflicts::warn::{self, ConflictWarner};
use crate::config::settings::Compatibility;
use crate::domain::id::{Id, Word};
use crate::domain::{Bilingual, ExternalIds, Invalid, Reason};
use crate::http::Viewer;
use crate::http::json::input::{Edit, New, ensure_valid};
use crate::http::json::possible_conflicts::{self, PossibleConflicts};
use crate::http::openapi::describe::{Sentence, about};
use crate::http::version_of;
use crate::http::{
    Call, Create, Draft, IfMatch, InAnswers, Listed, Made, Problem, Query, Search, Tagged, Update, Versioned,
};
use crate::records::{FieldType, Kind, Record, Type, Value};
use crate::store::imports::external_ids;
use crate::store::records::{self, missing};
use crate::store::settings::{self, List};
use crate::store::trash;
use crate::store::{self, Db, Tx};

/// Lists the records that match a query.
pub fn search<R: InAnswers>(call: &Call<'_>, query: Query<Search<R>>) -> Result<Listed<R>, Problem> {
    query.list(call)
}

/// Returns one record. Fails with 404 if it does not exist.
pub fn read<R: InAnswers>(call: &Call<'_>, id: Id<R>) -> Result<Tagged<R>, Problem> {
    Tagged::read(call, id)
}

/// Creates a record.
pub fn create<R: InAnswers>(call: &Call<'_>, new: New<Draft<R>>) -> Result<Create<MadeOut<R>>, Problem> {
    let record = new_record(call, new)?;
    let now = call.app().now();
    Ok(Create::new(move |tx| {
        refuse_taken(tx, &record, None)?;
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

    /// Returns up to ten lawsuits that a changed record may be in conflict with (events 23.3). The change is stored
    /// already, and `before` is the record as it was.
    fn possible_conflicts(
        _: &ConflictWarner,
        _: Db<'_>,
        _: Id<Self>,
        _: &Self,
        _before: &Self,
    ) -> Result<PossibleConflicts, store::Error> {
        Ok(PossibleConflicts::default())
    }

    /// Adds these lawsuits to the response.
    fn warned(changed: Self::Changed, _: PossibleConflicts) -> Self::Changed {
        changed
    }

    /// Returns the lawsuits that [`Changeable::warned`] added.
    fn warning(_: &Self::Changed) -> PossibleConflicts {
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
    let now = call.app().now();
    let viewer = call.viewer();
    let warner = ConflictWarner::new(call);
    Update::new(move |tx| {
        let present = present(*tx, id)?;
        if_match.check::<R>(tx, id, &viewer)?;
        let changed = change(tx, &present)?;
        refuse_taken(tx, &changed, Some(id))?;
        records::update(tx, id, &changed, now)?;
        let conflicts = R::possible_conflicts(&warner, *tx, id, &changed, &present)?;
        Ok(R::warned(R::changed(*tx, id)?, conflicts))
    })
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
    for (field, value) in body.values().filter(|(field, _)| field.is_stored()) {
        match (field.ty, value) {
            (Type::Reference(list) | Type::Links(Kind::List(list)), value) => {
                let kept = R::TABLE.stored().zip(&present).find(|(stored, _)| stored.column == field.column);
                let kept = kept.map(|(_, value)| value.ids()).unwrap_or_default();
                for id in value.ids() {
                    let kept = Some(id).filter(|id| kept.contains(id));
                    check_reference(call.db(), wrong, field.member, list, Some(id), kept)?;
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
        wrong.add(field, trash::why_missing(db, to.table(), id)?);
    }
    Ok(())
}

/// Checks that an id refers to an active list entry. `kept` is the record's current entry, which may stay even
/// if it was deactivated.
pub(super) fn check_reference(
    db: Db<'_>,
    wrong: &mut Invalid,
    field: &'static str,
    list: List,
    id: Option<u32>,
    kept: Option<u32>,
) -> Result<(), Problem> {
    if let Some(id) = id.filter(|id| Some(*id) != kept) {
        match settings::is_active(db, list, id)? {
            None => wrong
                .add(field, Reason::UnknownEntry { list: list.table().path, many: list.table().many.0, id }),
            Some(false) => wrong.add(field, Reason::InactiveEntry { id }),
            Some(true) => {}
        }
    }
    Ok(())
}

/// Refuses a record with an external id that another record has (resources 10). `own` is the record's id, if it
/// has one. Fails with 422 and the id of the other record.
pub(super) fn refuse_taken<R: Record>(tx: Tx<'_>, record: &R, own: Option<Id<R>>) -> Result<(), Problem> {
    let values = R::TABLE.stored().zip(record.values());
    for (_, value) in values.filter(|(field, _)| field.ty == Type::ExternalIds) {
        for name in ExternalIds::from_value(value).unwrap_or_default().iter() {
            match external_ids::holder(*tx, R::TABLE, name)? {
                Some(holder) if Some(holder) != own.map(Id::get) => {
                    let [_, member] = id_names::<R>();
                    let deletion = trash::find(*tx, R::TABLE, holder)?;
                    return Err(
                        Problem::duplicate(Reason::ExternalIdTaken, &member, holder).of_deleted(deletion)
                    );
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// The id of a changed record, under the plural name that clients of the cloud read and under a singular name.
pub struct WrittenOut<R> {
    pub id: Id<R>,
    pub possible_conflicts: PossibleConflicts,
}

/// The id of a new record under both names, and at most ten possible duplicates.
pub struct MadeOut<R> {
    pub id: Id<R>,
    /// Left out of the response if empty.
    pub possible_duplicates: Vec<u32>,
    pub possible_conflicts: PossibleConflicts,
}

impl<R> From<Id<R>> for MadeOut<R> {
    fn from(id: Id<R>) -> MadeOut<R> {
        MadeOut { id, possible_duplicates: Vec::new(), possible_conflicts: PossibleConflicts::default() }
    }
}

impl<R> From<Id<R>> for WrittenOut<R> {
    fn from(id: Id<R>) -> WrittenOut<R> {
        WrittenOut { id, possible_conflicts: PossibleConflicts::default() }
    }
}

/// Returns the member names of a record's id in responses, such as `posts_id` and `post_id`.
pub(super) fn id_names<R: Record>() -> [String; 2] {
    [R::TABLE.path, R::TABLE.singular()].map(|name| [name, "_id"].concat())
}

/// Serializes the members that every response to a write has.
fn written<R: Record, S: Serializer>(serializer: S, id: Id<R>) -> Result<S::SerializeMap, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry("success", &true)?;
    for name in id_names::<R>() {
        map.serialize_entry(&name, &id.get())?;
    }
    Ok(map)
}

impl<R: Record> Serialize for WrittenOut<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = written(serializer, self.id)?;
        self.possible_conflicts.write(&mut map)?;
        map.end()
    }
}

impl<R: Record> Serialize for MadeOut<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = written(serializer, self.id)?;
        if !self.possible_duplicates.is_empty() {
            map.serialize_entry("possible_duplicates", &self.possible_duplicates)?;
        }
        self.possible_conflicts.write(&mut map)?;
        map.end()
    }
}

fn id_schema(about: impl Into<Sentence>) -> Schema {
    let about = about.into();
    json_schema!({
        "type": "integer", "minimum": 1, "maximum": u32::MAX, "description": about, "examples": [5],
    })
}

/// Returns the schema of a response to a write. `which` is an adjective for the record, such as "new".
fn written_schema<R: Record>((which_pt, which): Bilingual) -> Schema {
    let (Word(noun_pt, noun), [many, one]) = (R::WORD, id_names::<R>());
    json_schema!({
        "type": "object",
        "properties": {
            "success": { "type": "boolean", "description": ("Sempre true.", "Always true."), "examples": [true] },
            &many: id_schema(about!("Id de {noun_pt}.", "The {noun}'s id.")),
            &one: id_schema((
                "O mesmo id de novo: há programas que leem um nome e há os que leem o outro.",
                "The same id, for clients that read this name.",
            )),
        },
        "required": ["success", many, one],
        "description": about!("O id do registro {which_pt} ({noun_pt}), com seus dois nomes.", "The id of a {which} {noun}, under both of its names."),
    })
}

/// Adds the members about conflicts to the schema if the records have them.
fn with_warning<R: Record>(mut schema: Schema) -> Schema {
    let properties = schema.get_mut("properties").and_then(|all| all.as_object_mut());
    if let Some(properties) = properties.filter(|_| possible_conflicts::is_warned(R::KIND)) {
        properties.insert(possible_conflicts::MEMBER.to_owned(), warn::schema());
        properties.insert(possible_conflicts::COMPLETE.to_owned(), possible_conflicts::complete_schema());
    }
    schema
}

impl<R: Record> JsonSchema for WrittenOut<R> {
    fn schema_name() -> Cow<'static, str> {
        [R::TABLE.type_name, "Changed"].concat().into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        with_warning::<R>(written_schema::<R>(("alterado", "changed")))
    }
}

impl<R: Record> JsonSchema for MadeOut<R> {
    fn schema_name() -> Cow<'static, str> {
        [R::TABLE.type_name, "Created"].concat().into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut schema = written_schema::<R>(("novo", "new"));
        let others = json_schema!({
            "type": "array", "items": id_schema((
                "O id de um deles.",
                "The id of a record.",
            )), "minItems": 1, "maxItems": 10,
            "description": (
                "Outros que podem ser o mesmo; ausente se não há.",
                "Other records that may be the same. Absent if there are none.",
            ), "examples": [[4]],
        });
        if let Some(properties) = schema.get_mut("properties").and_then(|all| all.as_object_mut()) {
            properties.insert("possible_duplicates".to_owned(), others.into());
        }
        with_warning::<R>(schema)
    }
}

impl<R: InAnswers> Versioned for WrittenOut<R> {
    const HAS_VERSION: bool = true;

    fn version(&self, db: Db<'_>, viewer: &Viewer) -> Result<Option<String>, store::Error> {
        version_of(db, self.id, viewer)
    }
}

impl<R: InAnswers> Versioned for MadeOut<R> {
    const HAS_VERSION: bool = true;

    fn version(&self, db: Db<'_>, viewer: &Viewer) -> Result<Option<String>, store::Error> {
        version_of(db, self.id, viewer)
    }
}

impl<R: InAnswers> Made for MadeOut<R> {
    fn number(&self) -> u32 {
        self.id.get()
    }

    fn schema(generator: &mut SchemaGenerator, _: Compatibility) -> Schema {
        generator.subschema_for::<MadeOut<R>>()
    }

    fn id(_: Compatibility) -> String {
        let [name, _] = id_names::<R>();
        ["/", &name].concat()
    }
}
