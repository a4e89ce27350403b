//! Deleting records and bringing them back: resources 18.

use std::borrow::Cow;

use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::json;

use super::record::{Changeable, present};
use crate::domain::id::{Id, Word};
use crate::domain::{Bilingual, Short};
use crate::http::describe::{Parameter, about};
use crate::http::input::{Edit, PathId, ensure_valid};
use crate::http::query::{Parameters, QueryParameters, QueryReader};
use crate::http::wire::moment;
use crate::http::{Call, Draft, Handler, IfMatch, Problem, Update, Versioned};
use crate::records::Table;
use crate::store::trash::{self, RecordCounts};
use crate::store::{Tx, records};

/// What callers should know of DELETE.
pub const DELETING: Bilingual = (
    "Nada se perde: um registro excluído não está em nenhuma lista e responde 404 com `deleted_at`, as listas com \
     `deleted=true` o mostram, e `PUT` com `{\"deleted\": false}` o traz de volta como era. Excluir duas vezes é o \
     mesmo que uma. O que outros registros precisam é recusado como `in-use`, com os ids deles.",
    "Nothing is lost: a deleted record is in no list and answers 404 with `deleted_at`, lists with `deleted=true` \
     show it, and `PUT` with `{\"deleted\": false}` brings it back as it was. Deleting twice is deleting once. What \
     other records need is refused as `in-use`, with their ids.",
);

/// The parameters of DELETE.
#[derive(Debug)]
pub struct Deleting {
    reason: Option<Short>,
}

impl Parameters for Deleting {
    fn read(reader: &mut QueryReader<'_>) -> Deleting {
        Deleting { reason: reader.parameter("reason") }
    }

    fn parameters() -> Vec<Parameter> {
        vec![Parameter::of::<Short>(
            "reason",
            (
                "O motivo, para quem olhar depois: no máximo 200 caracteres.",
                "Why, for whoever looks later: 200 characters at most.",
            ),
            "lançada duas vezes",
        )]
    }
}

/// Deletes a record, and those that go with it.
///
/// # Errors
/// 404 where there never was one, 412 where it was changed meanwhile, 422 where others need it.
pub fn delete<R: Changeable>(
    call: &Call<'_>,
    PathId(id): PathId<R>,
    QueryParameters(asked): QueryParameters<Deleting>,
    if_match: IfMatch,
) -> Result<Update<DeletedOut<R>>, Problem> {
    delete_with(call, PathId(id), asked.reason, RecordCounts::new(), if_match)
}

/// The same, for that reason, with the records that a person was asked about: so many of each table that keeps the record from
/// being deleted otherwise. If there are others by now, they have to be asked about again.
pub(super) fn delete_with<R: Changeable>(
    call: &Call<'_>,
    PathId(id): PathId<R>,
    reason: Option<Short>,
    confirmed: RecordCounts,
    if_match: IfMatch,
) -> Result<Update<DeletedOut<R>>, Problem> {
    let (now, zone) = (call.app().now(), call.app().zone().clone());
    Ok(Update::new(move |tx| {
        let at = match trash::find(*tx, R::TABLE, id.get())? {
            Some(deletion) => deletion.at,
            None => {
                present::<R>(*tx, id)?;
                if_match.check::<R>(tx, id, &zone)?;
                let count = |(table, count): &(&Table, u64)| (table.kind, *count);
                let going = trash::going(*tx, R::TABLE, id.get(), true)?;
                let is_confirmed = going.iter().map(count).eq(confirmed.iter().map(count));
                let holding = trash::holding(*tx, R::TABLE, id.get(), is_confirmed)?;
                if !holding.is_empty() {
                    return Err(Problem::in_use(holding));
                }
                trash::delete(tx, R::TABLE, id.get(), reason.as_ref().map(|reason| reason.as_str()), now)?;
                now
            }
        };
        Ok(DeletedOut { changed: R::changed(*tx, id)?, deleted_at: moment(at, &zone) })
    }))
}

/// A change of a record by that handler, or bringing it back where that is what the body asks for.
pub fn or_restore<R, H>(change: H) -> impl Handler<(PathId<R>, Edit<Draft<R>>, IfMatch)>
where
    R: Changeable,
    H: Fn(&Call<'_>, PathId<R>, Edit<Draft<R>>, IfMatch) -> Result<Update<R::Changed>, Problem>
        + Send
        + Sync
        + 'static,
{
    move |call: &Call<'_>, id: PathId<R>, body: Edit<Draft<R>>, if_match: IfMatch| match body.body.restores()
    {
        true => {
            ensure_valid(body.wrong)?;
            Ok(restored(call, id, if_match))
        }
        false => change(call, id, body, if_match),
    }
}

/// Brings a record back.
pub(super) fn restored<R: Changeable>(
    call: &Call<'_>,
    PathId(id): PathId<R>,
    if_match: IfMatch,
) -> Update<R::Changed> {
    let zone = call.app().zone().clone();
    Update::new(move |tx| restore::<R>(tx, id, &if_match, &zone))
}

/// Brings a record back, and those that went with it; one that is there stays as it is.
fn restore<R: Changeable>(
    tx: Tx<'_>,
    id: Id<R>,
    if_match: &IfMatch,
    zone: &TimeZone,
) -> Result<R::Changed, Problem> {
    restore_if_whole(tx, id)?;
    if_match.check::<R>(tx, id, zone)?;
    R::changed(*tx, id)
}

/// Brings a record back unless something that it points to is deleted.
pub(super) fn restore_if_whole<R: Changeable>(tx: Tx<'_>, id: Id<R>) -> Result<(), Problem> {
    trash::restore(tx, R::TABLE, id.get())?;
    let record: R = present(*tx, id)?;
    Ok(records::ensure_whole(*tx, &record)?)
}

/// The ids that a PUT of the record answers, and when it was deleted.
#[derive(Serialize)]
#[serde(bound = "")]
pub struct DeletedOut<R: Changeable> {
    #[serde(flatten)]
    changed: R::Changed,
    deleted_at: String,
}

impl<R: Changeable> Versioned for DeletedOut<R> {}

impl<R: Changeable> JsonSchema for DeletedOut<R> {
    fn schema_name() -> Cow<'static, str> {
        [R::TABLE.type_name, "Deleted"].concat().into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = R::Changed::json_schema(generator);
        let Word(pt, en) = R::WORD;
        let about = about!(
            "Os ids do registro excluído ({pt}) e quando foi excluído.",
            "The ids of a deleted {en}, and when it was deleted."
        );
        schema.insert("description".to_owned(), json!(about));
        let at = json_schema!({
            "type": "string", "description": (
                "Quando foi excluído, no fuso do escritório.",
                "When it was deleted, in the office's time zone.",
            ),
            "examples": ["2026-11-21 11:02:10"],
        });
        if let Some(properties) = schema.get_mut("properties").and_then(|all| all.as_object_mut()) {
            properties.insert("deleted_at".to_owned(), at.into());
        }
        if let Some(required) = schema.get_mut("required").and_then(|all| all.as_array_mut()) {
            required.push("deleted_at".into());
        }
        schema
    }
}
