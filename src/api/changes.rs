//! The change feed: events 20.

mod asked;
pub mod history;
pub(super) mod members;

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::pages::InPages;
use super::settings::entry;
use crate::app::App;
use crate::http::follow::{AsEvents, Follow, Piece};
use crate::http::query::QueryParameters;
use crate::http::record::as_json;
use crate::http::route::BASE;
use crate::http::wire::moment;
use crate::http::{Call, Echo, Problem};
use crate::records::{
    Customer, Document, Kind, Lawsuit, List, Movement, Publication, TABLES, Table, Task, Transaction,
};
use crate::store::journal::{self, JournalEntry, Op, STORE};
use crate::store::{Db, trash};

use crate::domain::Bilingual;
use asked::ChangesAsked;
pub use asked::resource as resource_of;
use members::{around, members, shown};

/// What callers should know of GET /changes.
pub const FOLLOWING: Bilingual = (
    "Guarde `next` depois de tratar a página e envie-o como `since`: assim tudo chega ao menos uma vez, na ordem em \
     que foi gravado, e nada aparece depois abaixo de um número já entregue. `since=0` percorre o escritório \
     inteiro, por mais antigo que seja. Depois de um `replaced` de `store` (um backup ou uma importação inteira tomou \
     o lugar de tudo), que nenhum filtro esconde, cada registro vem mais uma vez como `created`; o que não vem de \
     novo deixou de existir. Com `wait` de 1 ou mais a requisição não é contada, e a resposta chega com a próxima \
     alteração e as que a seguem de perto: 64 requisições podem esperar ao mesmo tempo, 32 de um mesmo endereço da \
     rede; as demais são respondidas na hora e contadas. Com `Accept: text/event-stream` tudo vem em um fluxo \
     contínuo, dos quais pode haver 16.",
    "Store `next` once the page is dealt with and send it as `since`: then everything comes at least once, in the \
     order in which it was stored, and nothing below a number that was given out comes later. `since=0` walks \
     through all of the office, however old it is. After `store` was `replaced` (a backup or a whole import took the \
     place of everything), which no filter hides, every record comes once more as `created`; what does not come again \
     is gone. With `wait` of 1 or more the request is not counted, and the answer comes with the next change and those \
     that follow it closely: 64 requests may wait at a time, 32 from one address of the network; others are answered \
     at once and counted. With `Accept: text/event-stream` all of it comes as one stream that goes on, of which there \
     are 16.",
);

/// The changes after a number.
pub fn read(
    call: &Call<'_>,
    QueryParameters(asked): QueryParameters<ChangesAsked>,
    events: AsEvents,
) -> Result<Follow<ChangesOut>, Problem> {
    let (app, query) = (call.app().clone(), call.query().to_vec());
    let (since, wait) = (asked.since, asked.wait);
    Ok(match events.is_wanted {
        true => {
            let read =
                move |db: Db<'_>, since| piece(db, since, &asked, &app, |_, data, _, _| events_of(&data));
            Follow::stream(events.last.unwrap_or(since), Arc::new(read))
        }
        false => {
            let read = move |db: Db<'_>, since| {
                piece(db, since, &asked, &app, |latest, data, next, more| {
                    let query = Echo::new(query.clone());
                    let page = ChangesOut { data, next, latest, more, limit: asked.limit, query };
                    serde_json::to_vec(&page).map_err(|cause| Problem::internal(cause.to_string()))
                })
            };
            Follow::page(since, wait, Arc::new(read))
        }
    })
}

/// What there is after a number, as `encode` writes it: with the newest number, the changes, the next `since`, and whether
/// there is more.
fn piece(
    db: Db<'_>,
    since: u64,
    asked: &ChangesAsked,
    app: &App,
    encode: impl FnOnce(u64, Vec<ChangeOut>, u64, bool) -> Result<Vec<u8>, Problem>,
) -> Result<Piece, Problem> {
    let latest = journal::latest(db)?;
    // A number that this store has not given out is another store's: everything is told from the beginning.
    let (since, replaced) = match since > latest {
        true => (0, Some(JournalEntry::replaced(app.now()))),
        false => (since, None),
    };
    let room = asked.limit - u32::from(replaced.is_some());
    let mut entries = journal::page(db, since, &asked.filter, room)?;
    let is_full = entries.len() == room as usize;
    let next = if is_full { entries.last().map_or(since, |entry| entry.seq) } else { latest };
    let more = next < latest;
    entries.splice(..0, replaced);
    let mut seen = BTreeMap::new();
    let is_empty = entries.is_empty();
    let changes = entries.iter().map(|entry| change(db, entry, asked, app.zone(), &mut seen));
    let body = encode(latest, changes.collect::<Result<_, _>>()?, next, more)?;
    Ok(Piece { body: Bytes::from(body), is_empty, next, more })
}

/// Changes as events (WHATWG HTML, 9.2.6).
fn events_of(changes: &[ChangeOut]) -> Result<Vec<u8>, Problem> {
    let mut events = Vec::new();
    for change in changes {
        events.extend_from_slice(format!("id: {}\nevent: change\ndata: ", change.seq).as_bytes());
        // JSON has no line breaks of its own.
        serde_json::to_writer(&mut events, change).map_err(|cause| Problem::internal(cause.to_string()))?;
        events.extend_from_slice(b"\n\n");
    }
    Ok(events)
}

/// The records of a page as they are now, so that each is read once.
type Seen<'e> = BTreeMap<(&'e str, u32), Option<Box<RawValue>>>;

fn change<'e>(
    db: Db<'_>,
    entry: &'e JournalEntry,
    asked: &ChangesAsked,
    zone: &TimeZone,
    seen: &mut Seen<'e>,
) -> Result<ChangeOut, Problem> {
    let table = table_of(&entry.kind);
    let is_updated = entry.op == Op::Updated;
    let changed =
        table.filter(|_| is_updated).map(|table| members(table, &entry.changed)).unwrap_or_default();
    let values = match table.filter(|_| asked.includes_values) {
        None => None,
        Some(table) => {
            let mut values = BTreeMap::new();
            // What is not known any more is not said.
            if !changed.is_empty() && entry.before.is_some() {
                let [before, after] = around(db, table, entry)?;
                for member in &changed {
                    let both = [&before, &after].map(|values| shown(db, member, values, table, zone));
                    let [before, after] = both;
                    values.insert(member.name, raw(format!("[{},{}]", before?, after?))?);
                }
            }
            Some(values)
        }
    };
    let record = match table.filter(|_| asked.includes_record) {
        None => None,
        Some(table) => {
            let key = (entry.kind.as_str(), entry.id);
            if let std::collections::btree_map::Entry::Vacant(unseen) = seen.entry(key) {
                unseen.insert(record(db, table.kind, entry.id, zone)?);
            }
            Some(seen.get(&key).cloned().flatten())
        }
    };
    let merged_into = match table.filter(|_| entry.op == Op::Deleted) {
        None => None,
        Some(table) => merged_into(db, table, entry)?,
    };
    Ok(ChangeOut {
        seq: entry.seq,
        resource: table.map_or_else(|| entry.kind.clone(), resource_of),
        id: entry.id,
        op: entry.op.as_str(),
        at: moment(entry.at, zone),
        changed: changed.iter().map(|member| member.name).collect(),
        path: table.map(|table| path_of(table, entry.id)),
        merged_into,
        values,
        record,
        via: entry.via.as_str(),
        request_id: entry.request_id.clone(),
        reason: entry.reason.clone(),
    })
}

/// Returns the record that took the place of a deleted one, if that deletion was a merge.
fn merged_into(db: Db<'_>, table: &Table, entry: &JournalEntry) -> Result<Option<u32>, Problem> {
    let into = trash::find(db, table, entry.id)?.and_then(|deletion| deletion.merged_into);
    Ok(match into {
        // An earlier deletion, which was taken back.
        Some(_) if journal::is_restored_after(db, entry)? => None,
        into => into,
    })
}

/// Returns the path of a record in the API, such as `/api/v1/lawsuits/movement/6001`.
pub fn path_of(table: &Table, id: u32) -> String {
    let [_, below] = match table.kind {
        Kind::Customer => Customer::ROUTES,
        Kind::Lawsuit => Lawsuit::ROUTES,
        Kind::Movement => Movement::ROUTES,
        Kind::Publication => Publication::ROUTES,
        Kind::Document => Document::ROUTES,
        Kind::Task => Task::ROUTES,
        Kind::Transaction => Transaction::ROUTES,
        Kind::List(_) => return [BASE, "/settings/", table.path, "/", &id.to_string()].concat(),
    };
    [BASE, "/", below, "/", &id.to_string()].concat()
}

fn raw(json: String) -> Result<Box<RawValue>, Problem> {
    RawValue::from_string(json).map_err(|cause| Problem::internal(cause.to_string()))
}

/// The table of that name in the journal; none of the store itself.
pub fn table_of(kind: &str) -> Option<&'static Table> {
    let all = TABLES.iter().copied().chain(List::ALL.map(List::table));
    all.into_iter().find(|table| kind != STORE && table.name == kind)
}

/// The record as answers show it; none where it is not there, or was deleted.
///
/// # Errors
/// Why the store cannot be read.
pub fn record(db: Db<'_>, kind: Kind, id: u32, zone: &TimeZone) -> Result<Option<Box<RawValue>>, Problem> {
    let json = match kind {
        Kind::Customer => as_json::<Customer>(db, id, zone)?,
        Kind::Lawsuit => as_json::<Lawsuit>(db, id, zone)?,
        Kind::Movement => as_json::<Movement>(db, id, zone)?,
        Kind::Publication => as_json::<Publication>(db, id, zone)?,
        Kind::Document => as_json::<Document>(db, id, zone)?,
        Kind::Task => as_json::<Task>(db, id, zone)?,
        Kind::Transaction => as_json::<Transaction>(db, id, zone)?,
        Kind::List(list) => return entry(db, list, id)?.map(|entry| raw(entry.to_string())).transpose(),
    };
    let text = json.map(|json| String::from_utf8_lossy(&json).into_owned());
    text.map(raw).transpose()
}

/// What was done to a record.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "O que se fez com um registro."), rename = "Change")]
pub struct ChangeOut {
    /// Its number: from 1, growing. 0 where `since` was a number that this store has not given out.
    #[schemars(extend("x-pt" = "O número da alteração: cresce a partir de 1. 0 se `since` era um número que estes dados não \
                                deram."))]
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64), example = 4712)]
    seq: u64,
    /// The record's resource; `store` for all of it.
    #[schemars(extend("x-pt" = "O recurso do registro; `store` para o escritório inteiro."))]
    #[schemars(example = &"lawsuits")]
    resource: String,
    /// The record's id; 0 for `store`.
    #[schemars(extend("x-pt" = "O id do registro; 0 para `store`."), example = 5)]
    id: u32,
    /// `created`, `updated`, `deleted` (into the trash), `restored` (out of it), `purged` (for good), or `replaced`: of `store`
    /// alone, when a backup or a whole import took the place of everything.
    #[schemars(extend("x-pt" = "`created` (criado), `updated` (alterado), `deleted` (foi para a lixeira), `restored` (saiu \
                                dela), `purged` (excluído de vez) ou `replaced`: só de `store`, quando um backup ou uma \
                                importação inteira tomou o lugar de tudo."))]
    #[schemars(example = &"updated")]
    op: &'static str,
    /// When, in the office's time zone.
    #[schemars(extend("x-pt" = "Quando, no fuso do escritório."), example = &"2026-11-21 10:30:00")]
    at: String,
    /// The members that differ, as the record has them; empty unless it was updated.
    #[schemars(extend("x-pt" = "Os campos que mudaram, com os nomes que têm no registro; vazio se não foi uma alteração."))]
    #[schemars(example = ["stages_id"])]
    changed: Vec<&'static str>,
    /// The record's path in this API; null for `store`.
    #[schemars(extend("x-pt" = "O caminho do registro nesta API; null para `store`."))]
    #[schemars(example = &"/api/v1/lawsuits/5")]
    path: Option<String>,
    /// The record that took its place, if it was deleted by a merge; else absent.
    #[schemars(extend("x-pt" = "O registro que tomou o lugar dele, se foi excluído por uma união; senão, ausente."))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1), example = 17)]
    merged_into: Option<u32>,
    /// Each of them with what it was before and after, as far as that is known; with `include=values`.
    #[schemars(extend("x-pt" = "Cada um deles com o valor de antes e o de depois, quando conhecidos; com `include=values`."))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "before_and_after", example = json!({ "stages_id": [12, 15] }))]
    values: Option<BTreeMap<&'static str, Box<RawValue>>>,
    /// The record as it is now, null where it is not there; with `include=record`.
    #[schemars(extend("x-pt" = "O registro como está agora, null se não existe mais; com `include=record`."))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<BTreeMap<String, serde_json::Value>>", example = None::<()>)]
    record: Option<Option<Box<RawValue>>>,
    /// The way: `api`, `console`, `command`, `import`, `mcp` or `restore`.
    #[schemars(extend("x-pt" = "Por onde: `api`, `console`, `command` (linha de comando), `import` (importação), `mcp` \
                                (assistente) ou `restore` (restauração)."))]
    #[schemars(example = &"api")]
    via: &'static str,
    /// The id of the request.
    #[schemars(extend("x-pt" = "O id da requisição."), example = &"6f2c0d5e8a914b37")]
    request_id: Option<String>,
    /// Why, where the request said so.
    #[schemars(extend("x-pt" = "O motivo, se a requisição o informou."), example = &"lançada duas vezes")]
    reason: Option<String>,
}

/// Members with two values each, of any type. Without `items: true`, which generators of clients do not read.
fn before_and_after(_: &mut SchemaGenerator) -> Schema {
    let values = json!({ "type": "array", "items": {}, "minItems": 2, "maxItems": 2 });
    json_schema!({ "type": "object", "additionalProperties": values })
}

/// The changes after a number.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "As alterações depois de um número."), rename = "Changes")]
pub struct ChangesOut {
    /// The changes of the page, oldest first.
    #[schemars(extend("x-pt" = "As alterações da página, a mais antiga primeiro."))]
    data: Vec<ChangeOut>,
    /// The `since` of the next request.
    #[schemars(extend("x-pt" = "O `since` da próxima requisição."), example = 4715)]
    next: u64,
    /// The number of the newest change.
    #[schemars(extend("x-pt" = "O número da alteração mais nova."), example = 4715)]
    latest: u64,
    /// Whether there is more at once.
    #[schemars(extend("x-pt" = "Se já há mais para buscar."), example = false)]
    more: bool,
    /// How many changes the page has at the most.
    #[schemars(extend("x-pt" = "Quantas alterações a página tem, no máximo."))]
    #[schemars(range(min = 1, max = 1000), example = 1000)]
    limit: u32,
    /// The query parameters as received.
    #[schemars(extend("x-pt" = "Os parâmetros da consulta, como chegaram."))]
    query: Echo<'static>,
}
