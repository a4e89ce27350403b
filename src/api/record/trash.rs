//! Deleting and restoring records (resources 18).

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::json;

use super::{Changeable, present};
use crate::auth::Caller;
use crate::domain::id::Id;
use crate::domain::lang::Word;
use crate::domain::{Bilingual, Short};
use crate::http::Viewer;
use crate::http::json::query_parameters::{Parameters, QueryParameters, QueryReader};
use crate::http::json::request_body::{Edit, ensure_valid};
use crate::http::json::values::moment;
use crate::http::openapi::describe::{Parameter, about, parameters};
use crate::http::{Call, Draft, Handler, IfMatch, Problem, Update, Versioned};
use crate::records::{Access, Table};
use crate::store::journal::{self, Op};
use crate::store::trash::{self, RecordCounts};
use crate::store::{Db, Tx, records};

/// Explains the DELETE routes in the API description.
pub const DELETING: Bilingual = (
    "Nada se perde: um registro excluído não está em nenhuma lista e responde 404 com `deleted_at`, as listas com \
     `deleted=true` o mostram, e `PUT` com `{\"deleted\": false}` o traz de volta como era. Excluir duas vezes é o \
     mesmo que uma. O que outros registros precisam é recusado como `in-use`, com os ids deles.",
    "Moves the record to the trash, so that nothing is lost. A deleted record is in no list and responds with \
     404 and `deleted_at`. Lists with `deleted=true` show it, and `PUT` with `{\"deleted\": false}` restores \
     it as it was. Deleting it twice is the same as deleting it once. A record that other records need is \
     refused as `in-use`, with their ids.",
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
        parameters! {
            Short: "reason" ["lançada duas vezes"] =>
                "O motivo, para quem olhar depois: no máximo 200 caracteres.",
                "The reason, stored with the deleted record. At most 200 characters.";
        }
    }
}

/// Deletes a record together with its dependent records. Fails with 404 if the record never existed, 412 if it
/// was changed meanwhile, and 422 if other records need it.
pub fn delete<R: Changeable>(
    call: &Call<'_>,
    id: Id<R>,
    QueryParameters(parameters): QueryParameters<Deleting>,
    if_match: IfMatch,
) -> Result<Update<DeletedOut<R>>, Problem> {
    delete_with(call, id, parameters.reason, RecordCounts::new(), if_match)
}

/// Like [`delete`]. `confirmed` holds the counts of dependent records, by table, that a user agreed to delete
/// too. If the counts differ from the current ones, the dependent records block the deletion, and the user has
/// to confirm again.
pub(in crate::api) fn delete_with<R: Changeable>(
    call: &Call<'_>,
    id: Id<R>,
    reason: Option<Short>,
    confirmed: RecordCounts,
    if_match: IfMatch,
) -> Result<Update<DeletedOut<R>>, Problem> {
    let now = call.app().now();
    let viewer = call.viewer();
    Ok(Update::new(move |tx| {
        let seen = tx.seen_by(viewer.nouns);
        let at = match trash::find(seen, R::TABLE, id.get())? {
            Some(deletion) => deletion.at,
            None => {
                present::<R>(seen, id)?;
                if_match.check::<R>(tx, id, &viewer)?;
                let count = |(table, count): &(&Table, u64)| (table.kind, *count);
                let going = trash::going(seen, R::TABLE, id.get(), true)?;
                let is_confirmed = going.iter().map(count).eq(confirmed.iter().map(count));
                let mut holding = trash::holding(seen, R::TABLE, id.get(), is_confirmed)?;
                if !holding.is_empty() {
                    holding.retain(|(table, _)| viewer.nouns.has(table.kind));
                    return Err(Problem::in_use(holding));
                }
                trash::delete(tx, R::TABLE, id.get(), reason.as_ref().map(|reason| reason.as_str()), now)?;
                R::after_deletion(tx, id, now)?;
                now
            }
        };
        Ok(DeletedOut { changed: R::changed(*tx, id)?, deleted_at: moment(at, &viewer.zone) })
    }))
}

/// Wraps the handler of a change: if the body asks to restore the record, restores it instead.
pub fn or_restore<R, H>(change: H) -> impl Handler<(Id<R>, Edit<Draft<R>>, IfMatch)>
where
    R: Changeable,
    H: Fn(&Call<'_>, Id<R>, Edit<Draft<R>>, IfMatch) -> Result<Update<R::Changed>, Problem>
        + Send
        + Sync
        + 'static,
{
    move |call: &Call<'_>, id: Id<R>, body: Edit<Draft<R>>, if_match: IfMatch| match body.body.restores() {
        true => {
            ensure_valid(body.wrong)?;
            Ok(restored(call, id, if_match))
        }
        false => change(call, id, body, if_match),
    }
}

/// Builds the write that restores a record.
pub(in crate::api) fn restored<R: Changeable>(
    call: &Call<'_>,
    id: Id<R>,
    if_match: IfMatch,
) -> Update<R::Changed> {
    let viewer = call.viewer();
    let caller = call.caller().clone();
    let now = call.app().now();
    Update::new(move |tx| {
        ensure_may_restore::<R>(tx.seen_by(viewer.nouns), id, &caller)?;
        let is_deleted = trash::find(*tx, R::TABLE, id.get())?.is_some();
        let changed = restore::<R>(tx, id, &if_match, &viewer)?;
        if is_deleted {
            R::after_restoration(tx, id, now)?;
        }
        Ok(changed)
    })
}

/// Fails with 404 if the caller may not see the record, and with 403 if it is deleted and the caller may not restore it.
pub(in crate::api) fn ensure_may_restore<R: Changeable>(
    db: Db<'_>,
    id: Id<R>,
    caller: &Caller,
) -> Result<(), Problem> {
    if records::is_hidden(db, R::TABLE, id.get())? {
        return Err(Problem::no_record(db, R::TABLE, id.get()));
    }
    if trash::find(db, R::TABLE, id.get())?.is_none() {
        return Ok(());
    }
    let deletion = journal::newest_of_op(db, R::TABLE.name, id.get(), Op::Deleted)?;
    match caller.may_restore(R::KIND, deletion.as_ref()) {
        true => Ok(()),
        false => Err(Problem::not_allowed(Access::Manage(R::KIND))),
    }
}

/// Restores a record and the records that were deleted with it. A record that is not deleted stays as it is.
fn restore<R: Changeable>(
    tx: Tx<'_>,
    id: Id<R>,
    if_match: &IfMatch,
    viewer: &Viewer,
) -> Result<R::Changed, Problem> {
    restore_if_whole(tx, id)?;
    if_match.check::<R>(tx, id, viewer)?;
    R::changed(*tx, id)
}

/// Restores a record. Fails if a record that it refers to is deleted, or if it contradicts what was stored since.
pub(in crate::api) fn restore_if_whole<R: Changeable>(tx: Tx<'_>, id: Id<R>) -> Result<(), Problem> {
    trash::restore(tx, R::TABLE, id.get())?;
    let record: R = present(*tx, id)?;
    records::ensure_whole(*tx, &record)?;
    record.ensure_restorable(*tx, id)
}

/// The response to a DELETE: that of a PUT, and the time of deletion.
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
