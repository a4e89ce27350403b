//! What the handlers of all nouns have in common: lists and single records, whether what is written points to something,
//! and what a write answers.

use std::borrow::Cow;

use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::config::settings::Compatibility;
use crate::domain::id::{Id, Word};
use crate::domain::{Bilingual, ExternalIds, Invalid, Reason};
use crate::http::describe::{Sentence, about};
use crate::http::input::{Edit, New, PathId, ensure_valid};
use crate::http::version_of;
use crate::http::{
    Call, Create, Draft, IfMatch, InAnswers, Listed, Made, Problem, Query, Search, Tagged, Update, Versioned,
};
use crate::records::{FieldType, Kind, Record, Type};
use crate::store::records::{self, missing};
use crate::store::settings::{self, List};
use crate::store::trash;
use crate::store::{self, Db, Tx, external_ids};

/// The records whose members match.
///
/// # Errors
/// Everything that is wrong.
pub fn search<R: InAnswers>(call: &Call<'_>, query: Query<Search<R>>) -> Result<Listed<R>, Problem> {
    query.list(call)
}

/// One record.
///
/// # Errors
/// 404 where there is none.
pub fn read<R: InAnswers>(call: &Call<'_>, PathId(id): PathId<R>) -> Result<Tagged<R>, Problem> {
    Tagged::read(call, id)
}

/// A new record.
///
/// # Errors
/// Everything that is wrong.
pub fn create<R: InAnswers>(call: &Call<'_>, new: New<Draft<R>>) -> Result<Create<MadeOut<R>>, Problem> {
    let (record, now) = (new_record(call, new)?, call.app().now());
    Ok(Create::new(move |tx| {
        refuse_taken(tx, &record, None)?;
        Ok(records::insert(tx, &record, now)?.into())
    }))
}

/// A record that routes change, delete and bring back.
pub trait Changeable: InAnswers {
    /// What a PUT answers, and with `deleted_at` a DELETE: the ids by which callers know the record.
    type Changed: Versioned + JsonSchema + 'static;

    /// That answer for the record with that id, which may have been deleted.
    ///
    /// # Errors
    /// 404 where there never was one; why the store cannot be read.
    fn changed(db: Db<'_>, id: Id<Self>) -> Result<Self::Changed, Problem>;
}

/// A change of some members of a record.
///
/// # Errors
/// Everything that is wrong.
pub fn change<R: Changeable>(
    call: &Call<'_>,
    PathId(id): PathId<R>,
    body: Edit<Draft<R>>,
    if_match: IfMatch,
) -> Result<Update<R::Changed>, Problem> {
    let (draft, _, wrong) = edit(call, id, body)?;
    ensure_valid(wrong)?;
    Ok(update(call, id, if_match, move |_, present| draft.change(present)))
}

/// What a change writes, once nothing that can be seen beforehand is wrong: what `change` makes of the record as it is then,
/// if that is the one that `if_match` names.
pub(super) fn update<R: Changeable>(
    call: &Call<'_>,
    id: Id<R>,
    if_match: IfMatch,
    change: impl FnOnce(Tx<'_>, &R) -> Result<R, Problem> + Send + 'static,
) -> Update<R::Changed> {
    let (now, zone) = (call.app().now(), call.app().zone().clone());
    Update::new(move |tx| {
        let present = present(*tx, id)?;
        if_match.check::<R>(tx, id, &zone)?;
        let changed = change(tx, &present)?;
        refuse_taken(tx, &changed, Some(id))?;
        records::update(tx, id, &changed, now)?;
        R::changed(*tx, id)
    })
}

/// The record that a POST makes, once nothing is wrong.
///
/// # Errors
/// Everything that is wrong.
pub(super) fn new_record<R: Record>(call: &Call<'_>, new: New<Draft<R>>) -> Result<R, Problem> {
    let New { mut body, mut wrong } = new;
    check(call, &mut body, None, &mut wrong)?;
    ensure_valid(wrong)?;
    body.build()
}

/// What a PUT changes, with the record as it is now; what is wrong so far is left to the caller to add to.
///
/// # Errors
/// 404 where there is no such record; why the store cannot be read.
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

/// The record with that id.
///
/// # Errors
/// 404 where there is none; why the store cannot be read.
pub(super) fn present<R: Record>(db: Db<'_>, id: Id<R>) -> Result<R, Problem> {
    records::by_id(db, id)?.ok_or_else(|| Problem::no_record(db, R::TABLE, id.get()))
}

/// Adds what is wrong with values that only the office's data and calendar can tell, once today's date is set where nobody
/// says another.
pub(super) fn check<R: Record>(
    call: &Call<'_>,
    body: &mut Draft<R>,
    present: Option<&R>,
    wrong: &mut Invalid,
) -> Result<(), Problem> {
    body.settle(call.app().today(), call.app().zone(), present.is_none());
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

/// Adds what is wrong with ids that point to records which are not there, or not any more.
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

/// Adds what is wrong with an id that points to no entry which can be chosen. `kept` is the one that the record has
/// already: it may stay, also when it was deactivated since.
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

/// Refuses a record that another one's name in another system is given to (resources 10). `own` is its id, if it has one.
///
/// # Errors
/// 422 with the id of who has it; why the store cannot be read.
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

/// The id of a changed record, under the name that clients of the cloud read and in the singular.
pub struct WrittenOut<R>(pub Id<R>);

/// The id of a new record, likewise, and of others that may be the same, ten at most.
pub struct MadeOut<R> {
    /// Its id.
    pub id: Id<R>,
    /// Those of the others; absent where there are none.
    pub possible_duplicates: Vec<u32>,
}

impl<R> From<Id<R>> for MadeOut<R> {
    fn from(id: Id<R>) -> MadeOut<R> {
        MadeOut { id, possible_duplicates: Vec::new() }
    }
}

/// The names under which answers have a record's id.
pub(super) fn id_names<R: Record>() -> [String; 2] {
    let many = R::TABLE.path;
    [many, many.strip_suffix('s').unwrap_or(many)].map(|name| [name, "_id"].concat())
}

/// The members of an answer to a write.
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
        written(serializer, self.0)?.end()
    }
}

impl<R: Record> Serialize for MadeOut<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = written(serializer, self.id)?;
        if !self.possible_duplicates.is_empty() {
            map.serialize_entry("possible_duplicates", &self.possible_duplicates)?;
        }
        map.end()
    }
}

fn id_schema(about: impl Into<Sentence>) -> Schema {
    let about = about.into();
    json_schema!({
        "type": "integer", "minimum": 1, "maximum": u32::MAX, "description": about, "examples": [5],
    })
}

/// What an answer to a write is, `which` being the record.
fn written_schema<R: Record>((which_pt, which): Bilingual) -> Schema {
    let (Word(noun_pt, noun), [many, one]) = (R::WORD, id_names::<R>());
    json_schema!({
        "type": "object",
        "properties": {
            "success": { "type": "boolean", "description": ("Sempre true.", "Always true."), "examples": [true] },
            &many: id_schema(about!("Id de {noun_pt}.", "The {noun}'s id.")),
            &one: id_schema((
                "O mesmo id de novo: há programas que leem um nome e há os que leem o outro.",
                "The same id again: clients read one or the other.",
            )),
        },
        "required": ["success", many, one],
        "description": about!("O id do registro {which_pt} ({noun_pt}), com seus dois nomes.", "The id of a {which} {noun}, under both of its names."),
    })
}

impl<R: Record> JsonSchema for WrittenOut<R> {
    fn schema_name() -> Cow<'static, str> {
        [R::TABLE.type_name, "Changed"].concat().into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        written_schema::<R>(("alterado", "changed"))
    }
}

impl<R: Record> JsonSchema for MadeOut<R> {
    fn schema_name() -> Cow<'static, str> {
        [R::TABLE.type_name, "Created"].concat().into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut schema = written_schema::<R>(("novo", "new"));
        let others = json_schema!({
            "type": "array", "items": id_schema(("O id de um deles.", "The id of one.")), "minItems": 1, "maxItems": 10,
            "description": (
                "Outros que podem ser o mesmo; ausente se não há.",
                "Others that may be the same; absent where there are none.",
            ), "examples": [[4]],
        });
        if let Some(properties) = schema.get_mut("properties").and_then(|all| all.as_object_mut()) {
            properties.insert("possible_duplicates".to_owned(), others.into());
        }
        schema
    }
}

impl<R: InAnswers> Versioned for WrittenOut<R> {
    const HAS_VERSION: bool = true;

    fn version(&self, db: Db<'_>, zone: &TimeZone) -> Result<Option<String>, store::Error> {
        version_of(db, self.0, zone)
    }
}

impl<R: InAnswers> Versioned for MadeOut<R> {
    const HAS_VERSION: bool = true;

    fn version(&self, db: Db<'_>, zone: &TimeZone) -> Result<Option<String>, store::Error> {
        version_of(db, self.id, zone)
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
