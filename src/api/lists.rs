//! The reference lists (contract 6). The same code serves all of them; each list's table defines its members.

mod users;

use std::borrow::Cow;
use std::iter;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use self::users::{ensure_without_access, refuse_last};
use super::record::{edit, new_record, present, store_changed};
use crate::config::settings::Compatibility;
use crate::domain::id::Id;
use crate::domain::{Bilingual, Invalid, Reason};
use crate::http::json::answer_members::answer;
use crate::http::json::form::Fields;
use crate::http::json::record::reference_to;
use crate::http::json::request_body::{Edit, New, ensure_valid};
use crate::http::json::values::{Shown, in_answer};
use crate::http::{Call, Create, Draft, InAnswers, JsonBody, Made, Problem, Update, Versioned, Write};
use crate::records::{
    Access, AnyEntry, Bank, Category, CostCenter, Department, Field, FieldType, Group, Kind, LawsuitType,
    List, ListEntry, Origin, Rights, Stage, Step, Table, TaskType, User, UserId, Value,
};
use crate::store::access::people;
use crate::store::journal::Via;
use crate::store::lists::Entry;
use crate::store::nouns::tasks;
use crate::store::nouns::tasks::hand_over::OpenWork;
use crate::store::{Db, lists, records};

/// A member of `GET /settings`: name, description and list.
type ListOut = (&'static str, Bilingual, List);

/// The members of `GET /settings`, in their order.
const SETTINGS_MEMBERS: &[ListOut] = &[
    (
        "users",
        (
            "A equipe do escritório, que cadastra clientes e responde por processos: `users_id`.",
            "The users of the office: `users_id`. They add customers and are responsible for lawsuits.",
        ),
        List::Users,
    ),
    (
        "origins",
        (
            "De onde os clientes chegam: `customers_origins_id`.",
            "Where customers come from: `customers_origins_id`.",
        ),
        List::Origins,
    ),
    ("groups", ("Os grupos de tipos de processo.", "The groups of lawsuit types."), List::Groups),
    (
        "type_lawsuits",
        ("Que tipos de processo há: `type_lawsuits_id`.", "The types of lawsuits: `type_lawsuits_id`."),
        List::Types,
    ),
    (
        "lawsuit_types",
        (
            "O mesmo que `type_lawsuits`: há programas que leem um nome e há os que leem o outro.",
            "Repeats `type_lawsuits`, for clients that read this name.",
        ),
        List::Types,
    ),
    (
        "steps",
        (
            "As etapas, a que as fases pertencem: `steps_id`.",
            "The steps, to which stages belong: `steps_id`.",
        ),
        List::Steps,
    ),
    (
        "stages",
        ("As fases em que os processos estão: `stages_id`.", "The stages of lawsuits: `stages_id`."),
        List::Stages,
    ),
    (
        "tasks",
        ("Os tipos de tarefa, com seus pontos.", "The types of tasks, with their points."),
        List::Tasks,
    ),
];

/// The members of `financial` in `GET /settings`.
const FINANCIAL: &[ListOut] = &[
    ("banks", ("As contas do escritório.", "The office's accounts."), List::Banks),
    (
        "categories",
        ("Pelo que o dinheiro entra ou sai.", "The purposes of income and expenses."),
        List::Categories,
    ),
    (
        "cost_centers",
        ("A que parte do escritório um gasto pertence.", "The parts of the office that expenses belong to."),
        List::CostCenters,
    ),
    ("departments", ("Os setores.", "The departments."), List::Departments),
];

/// Implements [`InAnswers`] without computed members.
macro_rules! in_answers {
    ($($entry:ty),+) => {
        $(impl InAnswers for $entry {})+
    };
}

in_answers!(User, Origin, Group, LawsuitType, Step, Stage, TaskType, Bank, Category, CostCenter, Department);

/// All lists, by member name.
#[derive(Serialize)]
pub struct SettingsOut(Map<String, Json>);

/// Returns all lists with their active entries (contract 6).
pub fn read(call: &Call<'_>) -> Result<JsonBody<SettingsOut>, Problem> {
    call.db().snapshot(|db| {
        let lists = |shown: &[ListOut]| -> Result<Map<String, Json>, Problem> {
            shown.iter().map(|(name, _, list)| Ok(((*name).to_owned(), active(db, *list)?))).collect()
        };
        let mut all = lists(SETTINGS_MEMBERS)?;
        all.insert("financial".to_owned(), lists(FINANCIAL)?.into());
        Ok(JsonBody(SettingsOut(all)))
    })
}

fn active(db: Db<'_>, list: List) -> Result<Json, Problem> {
    let fields = list.table().fields;
    let entries = lists::all(db, list)?;
    Ok(entries.iter().filter(|entry| entry.active).map(|entry| shown(fields, entry)).collect())
}

/// Returns an entry as a JSON object.
fn shown(fields: &[Field], entry: &Entry) -> Map<String, Json> {
    let members = fields.iter().zip(&entry.values).filter(|(field, _)| field.is_shown);
    let members = members.map(|(field, value)| (field.shown.to_owned(), in_answer(field.ty, value)));
    iter::once(("id".to_owned(), entry.id.into())).chain(members).collect()
}

/// Returns the entry with this id as JSON, active or not, with its `active` member.
pub fn entry(db: Db<'_>, list: List, id: u32) -> Result<Option<Json>, Problem> {
    Ok(lists::by_id(db, list, id)?.map(|entry| {
        let mut members = shown(list.table().fields, &entry);
        members.insert("active".to_owned(), entry.active.into());
        members.into()
    }))
}

impl JsonSchema for SettingsOut {
    fn schema_name() -> Cow<'static, str> {
        "Settings".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut lists = |shown: &[ListOut]| -> Map<String, Json> {
            let described = shown.iter().map(|(name, about, list)| {
                let items = reference_to(list.table(), generator);
                ((*name).to_owned(), json!({ "type": "array", "items": items, "description": about }))
            });
            described.collect()
        };
        let object = |about: Bilingual, members: Map<String, Json>| {
            let required = members.keys().cloned().collect::<Vec<_>>();
            json!({ "type": "object", "properties": members, "required": required, "description": about })
        };
        let mut all = lists(SETTINGS_MEMBERS);
        all.insert(
            "financial".to_owned(),
            object(
                ("As tabelas das finanças do escritório.", "The lists of the office's finances."),
                lists(FINANCIAL),
            ),
        );
        Schema::try_from(object(
            ("As tabelas de apoio, com os itens ativos.", "The lists, with their active entries."),
            all,
        ))
        .unwrap_or_default()
    }
}

/// The id of a written entry.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "O id de um item gravado."), rename = "EntryWritten")]
pub struct EntryWrittenOut {
    /// Always true.
    #[schemars(extend("x-pt" = "Sempre true."), example = true)]
    success: bool,
    /// The entry's id.
    #[schemars(extend("x-pt" = "O id do item."), example = 10)]
    id: Shown<Id<AnyEntry>>,
    /// Number of open tasks of a user who was deactivated by this request. Absent otherwise.
    #[schemars(extend("x-pt" = "Quantas tarefas ainda esperam por uma pessoa que foi desativada; ausente nos outros casos."))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", example = 3)]
    open_tasks: Option<u64>,
    /// The hand-over of a user who was activated by this request, if it can be undone. Absent otherwise.
    #[schemars(extend("x-pt" = "A passagem de uma pessoa que foi reativada, se pode ser desfeita; ausente nos outros casos."))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "StandingHandOverOut")]
    pub hand_over: Option<StandingHandOverOut>,
}

answer! {
pub struct StandingHandOverOut as "StandingHandOver" = "O que a pessoa passou a outra, que continua com isso até que a passagem seja desfeita.",
    "What the user handed over. It stays with the other user until the hand-over is undone.";

to: Shown<UserId> [example = 2] => "Quem recebeu.", "The user who got it.";
tasks: u64 [example = 6] => "Quantas tarefas voltariam.", "Number of tasks that would go back.";
lawsuits: u64 [example = 63] => "Quantos processos voltariam.", "Number of lawsuits that would go back.";
}

impl StandingHandOverOut {
    pub fn new(to: UserId, OpenWork { tasks, lawsuits }: OpenWork) -> StandingHandOverOut {
        StandingHandOverOut { to: Shown(to), tasks, lawsuits }
    }
}

impl EntryWrittenOut {
    fn new<R>(id: Id<R>) -> EntryWrittenOut {
        EntryWrittenOut {
            success: true,
            id: Shown(Id::from_stored(id.get())),
            open_tasks: None,
            hand_over: None,
        }
    }
}

impl Versioned for EntryWrittenOut {}

impl Made for EntryWrittenOut {
    fn number(&self) -> u32 {
        self.id.0.get()
    }

    fn id(_: Compatibility) -> String {
        "/id".to_owned()
    }
}

/// Creates an entry (contract 6).
pub fn create<R: ListEntry + InAnswers>(
    call: &Call<'_>,
    new: New<Draft<R>>,
) -> Result<Create<EntryWrittenOut>, Problem> {
    let entry = new_record(call, new)?;
    let now = call.app().now();
    Ok(Create::new(move |tx| {
        refuse_taken_name(*tx, &entry, None)?;
        Ok(EntryWrittenOut::new(records::insert(tx, &entry, now)?))
    }))
}

/// Changes some members of an entry (contract 6). Fails with 404 if it does not exist.
pub fn change<R: ListEntry + InAnswers>(
    call: &Call<'_>,
    id: Id<AnyEntry>,
    body: Edit<Draft<R>>,
) -> Result<Update<EntryWrittenOut>, Problem> {
    let id = Id::<R>::from_stored(id.get());
    let (draft, _, wrong) = edit(call, id, body)?;
    ensure_valid(wrong)?;
    let now = call.app().now();
    let rights = call.caller().rights;
    let leaves = R::LIST == List::Users && draft.get("active") == Some(&false.to_value());
    let place = draft.get("position").and_then(Value::id);
    let is_import = call.via() == Via::Import;
    let changed = move |db: Db<'_>| {
        // An import deactivates those who were inactive in the office that it comes from.
        if leaves && !is_import {
            refuse_last(db, id.get())?;
        }
        changed_entry(db, id, draft.clone(), rights)
    };
    if leaves && !is_import && rights.allow(Access::Owner) && people::find(call.db(), id.get())?.is_some() {
        // What is refused ends no session.
        changed(call.db())?;
        // Does not wait for the writer, as the deactivation does (access 24.1).
        call.app().store().sign_out(call.db(), id.get())?;
    }
    Ok(Update::new(move |tx| {
        store_changed(tx, id, &changed(*tx)?, &present(*tx, id)?, now)?;
        if let Some(place) = place {
            lists::set_position(tx, R::LIST, id.get(), place)?;
        }
        // A deactivated user can no longer be found, so the open tasks of that user would be forgotten (resources 11).
        let counts = leaves && rights.nouns.has(Kind::Task);
        let open_tasks = counts.then(|| tasks::open_of(tx.seen_by(rights.nouns), id.get())).transpose()?;
        let open_tasks = open_tasks.map(|tasks| tasks.len() as u64);
        Ok(EntryWrittenOut { open_tasks, ..EntryWrittenOut::new(id) })
    }))
}

/// Returns an entry with the changes of a draft. Fails if it may not be changed so.
fn changed_entry<R: ListEntry + InAnswers>(
    db: Db<'_>,
    id: Id<R>,
    draft: Draft<R>,
    rights: Rights,
) -> Result<R, Problem> {
    let present = present(db, id)?;
    let entry = draft.change(&present)?;
    let changed = changed(&present, &entry);
    if R::LIST == List::Users
        && changed.iter().any(|field| field.column == "active")
        && !rights.allow(Access::Owner)
    {
        ensure_without_access(db, id.get())?;
    }
    refuse_taken_name(db, &entry, Some(id))?;
    refuse_moved(db, id, &changed)?;
    Ok(entry)
}

/// Returns the members that differ between two versions of an entry.
fn changed<R: ListEntry>(present: &R, entry: &R) -> Vec<&'static Field> {
    differing(R::TABLE, &present.values(), &entry.values())
}

fn differing(table: &'static Table, old: &[Value<'_>], new: &[Value<'_>]) -> Vec<&'static Field> {
    let values = old.iter().zip(new);
    table.stored().zip(values).filter(|(_, (old, new))| old != new).map(|(field, _)| field).collect()
}

/// Refuses a name that another entry of the list has. Names are compared folded (contract 6).
fn refuse_taken_name<R: ListEntry + InAnswers>(
    db: Db<'_>,
    entry: &R,
    own: Option<Id<R>>,
) -> Result<(), Problem> {
    let Some(by) = lists::namesake(db, entry, own)? else { return Ok(()) };
    let member = R::TABLE.field("name").map_or("name", |field| field.member);
    Err(Problem::from(Invalid::one(member, Reason::NameTaken { by })))
}

/// Refuses to change a member that identifies an entry together with its name, while records refer to the entry
/// (resources 11).
fn refuse_moved<R: ListEntry>(db: Db<'_>, id: Id<R>, changed: &[&'static Field]) -> Result<(), Problem> {
    match changed.iter().find(|field| field.unique_with_name) {
        Some(field) if records::is_used(db, R::LIST, id.get())? => {
            Err(Problem::from(Invalid::one(field.member, Reason::InUse)))
        }
        _ => Ok(()),
    }
}

/// The console page of a list. Both handlers take form fields and return the entry's id.
pub struct ListPage {
    pub list: List,
    pub create: fn(&Call<'_>, &Fields) -> Result<Write<u32>, Problem>,
    pub change: fn(&Call<'_>, u32, &Fields) -> Result<Write<u32>, Problem>,
}

impl ListPage {
    pub const fn of<R: ListEntry + InAnswers>() -> ListPage {
        ListPage {
            list: R::LIST,
            create: |call, fields| {
                let made = create::<R>(call, New::typed(fields, call.app().zone()))?;
                Ok(made.map(|made| made.id.0.get()))
            },
            change: |call, id, fields| {
                let changed = change::<R>(call, Id::from_stored(id), Edit::typed(fields, call.app().zone()))?;
                Ok(changed.map(|changed| changed.id.0.get()))
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_shown_and_can_be_written() {
        let routes = crate::api::routes();
        for list in List::ALL {
            let is_shown = SETTINGS_MEMBERS.iter().chain(FINANCIAL).any(|(.., shown)| *shown == list);
            assert!(
                is_shown,
                "clients never see the ids of {list:?}: add it to `SETTINGS_MEMBERS` or `FINANCIAL`"
            );
            let path = ["/settings/", list.table().path].concat();
            let entry = [&path, "/{id}"].concat();
            for (method, path) in [("POST", path), ("PUT", entry)] {
                let is_there = routes.iter().any(|row| row.route.method == method && row.route.path == path);
                assert!(is_there, "add the route {method} {path} in `src/api/routes/lists.rs`");
            }
        }
    }
}
