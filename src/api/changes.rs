//! The change feed (events 20).

pub mod chosen_links;
pub mod history;
pub mod members;
mod parameters;

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
use serde_json::value::RawValue;

use super::lists::entry;
use super::routes::nouns::pages_of;
use crate::app::App;
use crate::http::answers::streams::{AsEvents, FeedPage, Follow};
use crate::http::json::answer_members::answer;
use crate::http::json::query_parameters::QueryParameters;
use crate::http::json::values::moment;
use crate::http::requests::route::BASE;
use crate::http::{Call, Echo, Problem, Viewer};
use crate::records::{Access, Kind, List, TABLES, Table};
use crate::store::journal::{self, CONFLICTS, JournalEntry, JournalFilter, Op, Who};
use crate::store::{Db, records, trash};

use crate::domain::Bilingual;
use members::{ChangedMember, around, hidden_around, members, shown};
pub use parameters::resource as resource_of;
use parameters::{ChangesParameters, seen_kinds};

/// Explains GET /changes in the API description.
pub const FOLLOWING: Bilingual = (
    "Guarde `next` depois de tratar a página e envie-o como `since`: assim tudo chega ao menos uma vez, na ordem em \
     que foi gravado, e nada aparece depois abaixo de um número já entregue. `since=0` percorre o escritório \
     inteiro, por mais antigo que seja. Depois de um `replaced` de `store` (um backup ou uma importação inteira tomou \
     o lugar de tudo), que nenhum filtro esconde, cada registro vem mais uma vez como `created`; o que não vem de \
     novo deixou de existir. Com `wait` de 1 ou mais a requisição não é contada, e a resposta chega com a próxima \
     alteração e as que a seguem de perto: 64 requisições podem esperar ao mesmo tempo, 32 de um mesmo endereço da \
     rede; as demais são respondidas na hora e contadas. Com `Accept: text/event-stream` tudo vem em um fluxo \
     contínuo, dos quais pode haver 16.",
    "Returns changes at least once each, in the order in which they were stored. Process a page, store its \
     `next`, and send that as `since` in the next request. A change with a lower number than one that you have \
     received never appears later. `since=0` covers all data of the office, however old.\n\nA `replaced` of \
     `store` means that a backup or a whole import replaced all data. No filter hides it. After it, every \
     record appears once more as `created`, and a record that does not appear again no longer exists.\n\nWith \
     `wait` of 1 or more, the request is not counted, and the response is sent with the next change and those \
     that follow it closely. Up to 64 requests may wait at a time, 32 of them from the same address on the \
     network. Further requests are answered immediately and are counted. With `Accept: text/event-stream`, all \
     changes are sent as one continuous stream. Up to 16 streams may be open at a time.",
);

/// Returns the changes after `since`: a page, a long poll, or a stream of server-sent events.
pub fn read(
    call: &Call<'_>,
    QueryParameters(parameters): QueryParameters<ChangesParameters>,
    events: AsEvents,
    query: Echo<'static>,
) -> Result<Follow<ChangesOut>, Problem> {
    let app = call.app().clone();
    let since = parameters.since;
    let wait = parameters.wait;
    let viewer = call.viewer();
    if parameters.includes_who && !call.caller().rights.allow(Access::ManageAll) {
        return Err(Problem::not_allowed(Access::ManageAll));
    }
    let parameters = parameters.for_viewer(&viewer)?;
    Ok(match events.is_wanted {
        true => {
            let read = move |db: Db<'_>, since| {
                piece(db, since, &parameters, (&app, &viewer), |_, data, _, _| events_of(&data))
            };
            Follow::stream(events.last.unwrap_or(since), Arc::new(read))
        }
        false => {
            let read = move |db: Db<'_>, since| {
                piece(db, since, &parameters, (&app, &viewer), |latest, data, next, more| {
                    let query = query.clone();
                    let page = ChangesOut { data, next, latest, more, limit: parameters.limit, query };
                    serde_json::to_vec(&page).map_err(|cause| Problem::internal(cause.to_string()))
                })
            };
            Follow::page(since, wait, Arc::new(read))
        }
    })
}

/// Reads one page of changes after `since`. `encode` gets the newest number, the changes, the next `since`, and
/// `true` if more changes follow.
fn piece(
    db: Db<'_>,
    since: u64,
    parameters: &ChangesParameters,
    (app, viewer): (&App, &Viewer),
    encode: impl FnOnce(u64, Vec<ChangeOut>, u64, bool) -> Result<Vec<u8>, Problem>,
) -> Result<FeedPage, Problem> {
    let latest = journal::latest(db)?;
    let known = match viewer.sees_all() {
        true => latest,
        false => journal::latest_of(
            db,
            &JournalFilter { kinds: Some(seen_kinds(viewer)), ..JournalFilter::default() },
        )?,
    };
    // A number that this store has not told the caller yet comes from another store, so the feed starts over.
    let (since, replaced) = match since > known {
        true => (0, Some(JournalEntry::replaced(app.now()))),
        false => (since, None),
    };
    let room = parameters.limit - u32::from(replaced.is_some());
    let entries = journal::page(db, since, &parameters.filter, room)?;
    let is_full = entries.len() == room as usize;
    // Numbers of changes that the caller may not see are not given out.
    let latest = match viewer.sees_all() {
        true => latest,
        false => journal::latest_of(db, &parameters.filter)?.max(since),
    };
    let next = if is_full { entries.last().map_or(since, |entry| entry.seq) } else { latest };
    let more = next < latest;
    let db = db.seen_by(viewer.nouns);
    let mut visible = Vec::with_capacity(entries.len());
    for entry in entries {
        if is_seen(db, &entry, viewer)? {
            visible.push(entry);
        }
    }
    let mut entries = visible;
    entries.splice(..0, replaced);
    let mut seen = BTreeMap::new();
    let is_empty = entries.is_empty();
    let changes = entries.iter().map(|entry| change(db, entry, parameters, viewer, &mut seen));
    let body = encode(latest, changes.collect::<Result<_, _>>()?, next, more)?;
    Ok(FeedPage { body: Bytes::from(body), is_empty, is_full, next, more })
}

/// Encodes changes as server-sent events (WHATWG HTML, 9.2.6).
fn events_of(changes: &[ChangeOut]) -> Result<Vec<u8>, Problem> {
    let mut events = Vec::new();
    for change in changes {
        events.extend_from_slice(format!("id: {}\nevent: change\ndata: ", change.seq).as_bytes());
        // Compact JSON contains no line breaks, so one `data` field is enough.
        serde_json::to_writer(&mut events, change).map_err(|cause| Problem::internal(cause.to_string()))?;
        events.extend_from_slice(b"\n\n");
    }
    Ok(events)
}

/// Returns the members that an update changed and that the viewer sees; none for other operations.
fn changed(table: &'static Table, entry: &JournalEntry, viewer: &Viewer) -> Vec<ChangedMember> {
    let mut changed = if entry.op == Op::Updated { members(table, &entry.changed) } else { Vec::new() };
    changed.retain(|member| member.columns.iter().all(|field| viewer.sees(table, field)));
    changed
}

/// Returns `false` for a record that is hidden from the viewer now, or was on both sides of the change, and for an update that
/// changed only hidden members.
fn is_seen(db: Db<'_>, entry: &JournalEntry, viewer: &Viewer) -> Result<bool, Problem> {
    let Some(table) = table_of(&entry.kind).filter(|_| !viewer.sees_all()) else { return Ok(true) };
    if records::is_hidden(db, table, entry.id)? || hidden_around(db, table, entry)? == [true; 2] {
        return Ok(false);
    }
    let is_update = entry.op == Op::Updated && !entry.changed.is_empty();
    Ok(!is_update || !changed(table, entry, viewer).is_empty())
}

/// The current records of a page, cached so that each is read once.
type RecordCache<'e> = BTreeMap<(&'e str, u32), Option<Box<RawValue>>>;

fn change<'e>(
    db: Db<'_>,
    entry: &'e JournalEntry,
    parameters: &ChangesParameters,
    viewer: &Viewer,
    seen: &mut RecordCache<'e>,
) -> Result<ChangeOut, Problem> {
    let table = table_of(&entry.kind);
    let zone = &viewer.zone;
    let changed = table.map(|table| changed(table, entry, viewer)).unwrap_or_default();
    // A conflict has no record, so programs that mirror records by `include=record` get none.
    let is_conflict = entry.kind == CONFLICTS;
    let values = match table.filter(|_| parameters.includes_values) {
        None => (is_conflict && parameters.includes_values).then(BTreeMap::new),
        Some(table) => {
            let mut values = BTreeMap::new();
            // If the old values were erased, or one side was hidden from the viewer, `values` stays empty.
            let is_known = !changed.is_empty() && entry.before.is_some();
            if is_known && hidden_around(db, table, entry)? == [false; 2] {
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
    let record = match table.filter(|_| parameters.includes_record) {
        None => (is_conflict && parameters.includes_record).then_some(None),
        Some(table) => {
            let key = (entry.kind.as_str(), entry.id);
            if let std::collections::btree_map::Entry::Vacant(unseen) = seen.entry(key) {
                unseen.insert(record(db, table.kind, entry.id, viewer)?);
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
        path: match entry.kind.as_str() {
            CONFLICTS => Some(format!("{BASE}/conflicts?lawsuit_id={}", entry.id)),
            _ => table.map(|table| path_of(table, entry.id)),
        },
        merged_into,
        values,
        record,
        via: entry.via.as_str(),
        who: parameters.includes_who.then(|| WhoOut::of(entry)),
        request_id: entry.request_id.clone(),
        reason: entry.reason.clone(),
    })
}

/// Returns the record that took the place of a deleted one, if that deletion was a merge.
fn merged_into(db: Db<'_>, table: &Table, entry: &JournalEntry) -> Result<Option<u32>, Problem> {
    let into = trash::find(db, table, entry.id)?.and_then(|deletion| deletion.merged_into);
    Ok(match into {
        // The entry is an earlier deletion that was undone before the merge.
        Some(_) if journal::is_restored_after(db, entry)? => None,
        into => into,
    })
}

/// Returns the path of a record in the API, such as `/api/v1/lawsuits/movement/6001`.
pub fn path_of(table: &Table, id: u32) -> String {
    let below = match pages_of(table.kind) {
        Some(pages) => pages.path.to_owned(),
        None => resource_of(table),
    };
    [BASE, "/", &below, "/", &id.to_string()].concat()
}

fn raw(json: String) -> Result<Box<RawValue>, Problem> {
    RawValue::from_string(json).map_err(|cause| Problem::internal(cause.to_string()))
}

/// Returns the table that an entry's `kind` names, or `None` for an entry of the whole store.
pub fn table_of(kind: &str) -> Option<&'static Table> {
    let all = TABLES.iter().copied().chain(List::ALL.map(List::table));
    all.into_iter().find(|table| table.name == kind)
}

/// Returns a record as JSON, or `None` if it does not exist or is deleted.
pub fn record(db: Db<'_>, kind: Kind, id: u32, viewer: &Viewer) -> Result<Option<Box<RawValue>>, Problem> {
    let Some(pages) = pages_of(kind) else {
        let Kind::List(list) = kind else { return Ok(None) };
        return entry(db, list, id)?.map(|entry| raw(entry.to_string())).transpose();
    };
    let json = (pages.json)(db, id, viewer)?;
    let text = json.map(|json| String::from_utf8_lossy(&json).into_owned());
    text.map(raw).transpose()
}

answer! {
pub struct ChangeOut as "Change" = "O que se fez com um registro.", "A change of a record.";

seq: u64 [range(min = 0, max = 9_007_199_254_740_991_u64), example = 4712] =>
    "O número da alteração: cresce a partir de 1. 0 se `since` era um número que estes dados não deram.",
    "The number of the change. Numbers start at 1 and grow. 0 if `since` was a number that this data has not \
     assigned.";
resource: String [example = &"lawsuits"] =>
    "O recurso do registro; `store` para o escritório inteiro; `conflicts` para um processo com um novo conflito de \
     interesses.",
    "The record's resource. `store` stands for the whole office, `conflicts` for a lawsuit with a new conflict \
     of interest.";
id: u32 [example = 5] =>
    "O id do registro; 0 para `store`; o do processo para `conflicts`.",
    "The record's id. 0 for `store`, the lawsuit's id for `conflicts`.";
op: &'static str [example = &"updated"] =>
    "`created` (criado), `updated` (alterado), `deleted` (foi para a lixeira), `restored` (saiu dela), \
     `purged` (excluído de vez) ou `replaced`: só de `store`, quando um backup ou uma importação inteira \
     tomou o lugar de tudo.",
    "`created`, `updated`, `deleted` (moved to the trash), `restored` (from the trash), `purged` (deleted for good) or `replaced`: only for `store`, when a backup or a whole import replaced everything.";
at: String [example = &"2026-11-21 10:30:00"] =>
    "Quando, no fuso do escritório.",
    "Time of the change, in the office's time zone.";
changed: Vec<&'static str> [example = ["stages_id"]] =>
    "Os campos que mudaram, com os nomes que têm no registro; vazio se não foi uma alteração.",
    "The names of the changed members, as in the record. Empty unless `op` is `updated`.";
path: Option<String> [example = &"/api/v1/lawsuits/5"] =>
    "O caminho do registro nesta API; null para `store`.",
    "The record's path in this API. Null for `store`.";
#[serde(skip_serializing_if = "Option::is_none")]
merged_into: Option<u32> [with = "u32", range(min = 1), example = 17] =>
    "O registro que tomou o lugar dele, se foi excluído por uma união; senão, ausente.",
    "The record that replaced this one, if it was deleted by a merge. Absent otherwise.";
#[serde(skip_serializing_if = "Option::is_none")]
values: Option<BTreeMap<&'static str, Box<RawValue>>> [schema_with = "before_and_after", example = json!({ "stages_id": [12, 15] })] =>
    "Cada um deles com o valor de antes e o de depois, quando conhecidos; com `include=values`.",
    "Each changed member with its values before and after, if they are known. Only with `include=values`.";
#[serde(skip_serializing_if = "Option::is_none")]
record: Option<Option<Box<RawValue>>> [with = "Option<BTreeMap<String, serde_json::Value>>", example = None::<()>] =>
    "O registro como está agora, null se não existe mais; com `include=record`.",
    "The record as it is now, or null if it no longer exists. Only with `include=record`.";
via: &'static str [example = &"api"] =>
    "Por onde: `api`, `console`, `command` (linha de comando), `import` (importação), `mcp` (assistente) ou \
     `restore` (restauração).",
    "Origin of the change: `api`, `console`, `command`, `import`, `mcp` or `restore`.";
#[serde(skip_serializing_if = "Option::is_none")]
who: Option<Option<WhoOut>> [with = "Option<WhoOut>", example = json!({ "kind": "key", "name": "n8n", "users_id": null })] =>
    "Quem alterou; null se foi quem usa o computador do escritório, ou o próprio programa; com `include=who`.",
    "The author of the change. Null for whoever works at the office's machine, and for the program itself. Only with \
     `include=who`.";
request_id: Option<String> [example = &"6f2c0d5e8a914b37"] => "O id da requisição.", "The id of the request.";
reason: Option<String> [example = &"lançada duas vezes"] =>
    "O motivo, se a requisição o informou, ou a ação de que a alteração faz parte: `merge`, `merge-undone`, `hand-over`, \
     `hand-over-undone`, `payment-undone` ou `payment-restored`.",
    "The reason, if the request gave one, or the act that the change is part of: `merge`, `merge-undone`, `hand-over`, \
     `hand-over-undone`, `payment-undone` or `payment-restored`.";
}

answer! {
pub struct WhoOut as "Who" = "Quem fez uma alteração.", "The author of a change.";

kind: &'static str [extend("enum" = ["token", "key", "user"]), example = &"key"] =>
    "`token` (o da conta), `key` (uma chave) ou `user` (uma pessoa da equipe).",
    "`token` (the account's), `key`, or `user` (a person of the team).";
name: Option<String> [example = &"n8n"] =>
    "O nome da chave ou da pessoa; null para o token.",
    "The name of the key or person. Null for the token.";
users_id: Option<u32> [range(min = 1), example = None::<()>] =>
    "O id da pessoa na tabela `users`; null para os demais.",
    "The person's id in the list `users`. Null for others.";
}

impl WhoOut {
    fn of(entry: &JournalEntry) -> Option<WhoOut> {
        let (kind, name, users_id) = match entry.who.as_ref()? {
            Who::Token(_) => ("token", None, None),
            Who::Key(name) => ("key", Some(name.clone()), None),
            Who::Person(id) => ("user", entry.person.clone(), Some(*id)),
        };
        Some(WhoOut { kind, name, users_id })
    }
}

/// Returns the schema of an object with two values of any type per member. Uses `items: {}`, because client
/// generators do not accept `items: true`.
fn before_and_after(_: &mut SchemaGenerator) -> Schema {
    let values = json!({ "type": "array", "items": {}, "minItems": 2, "maxItems": 2 });
    json_schema!({ "type": "object", "additionalProperties": values })
}

answer! {
pub struct ChangesOut as "Changes" =
    "As alterações depois de um número.",
    "A page of changes after a number.";

data: Vec<ChangeOut> =>
    "As alterações da página, a mais antiga primeiro.",
    "The changes of the page, oldest first.";
next: u64 [example = 4715] => "O `since` da próxima requisição.", "The `since` of the next request.";
latest: u64 [example = 4715] => "O número da alteração mais nova.", "The number of the newest change.";
more: bool [example = false] => "Se já há mais para buscar.", "True if more changes can be fetched already.";
limit: u32 [range(min = 1, max = 1000), example = 1000] =>
    "Quantas alterações a página tem, no máximo.",
    "Maximum number of changes in the page.";
query: Echo<'static> => "Os parâmetros da consulta, como chegaram.", "The query parameters as received.";
}
