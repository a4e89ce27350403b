//! The reference lists: contract 6. All of the same shape, each with its own members by its table.

use std::borrow::Cow;
use std::iter;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::record::{edit, new_record, present};
use crate::config::settings::Compatibility;
use crate::domain::id::Id;
use crate::domain::{Bilingual, Invalid, Reason};
use crate::http::input::{Edit, New, PathId, Purpose, Take, ensure_valid};
use crate::http::record::reference_to;
use crate::http::typed::Fields;
use crate::http::wire::{Shown, in_answer};
use crate::http::{Call, Create, Draft, InAnswers, JsonBody, Made, Problem, Update, Versioned, Write};
use crate::records::{
    AnyEntry, Bank, Category, CostCenter, Department, Field, FieldType, Group, LawsuitType, List, ListEntry,
    Origin, Stage, Step, TaskType, User, Value,
};
use crate::store::settings::Entry;
use crate::store::{Db, Tx, records, settings, tasks};

/// A member of `GET /settings`: its name, what it is, and the list.
type ListOut = (&'static str, Bilingual, List);

/// What `GET /settings` has, in its order.
const SHOWN: &[ListOut] = &[
    (
        "users",
        (
            "A equipe do escritório, que cadastra clientes e responde por processos: `users_id`.",
            "The people of the office, who create customers and answer for lawsuits: `users_id`.",
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
        (
            "Que tipos de processo há: `type_lawsuits_id`.",
            "What kinds of lawsuits there are: `type_lawsuits_id`.",
        ),
        List::Types,
    ),
    (
        "lawsuit_types",
        (
            "O mesmo que `type_lawsuits`: há programas que leem um nome e há os que leem o outro.",
            "The same as `type_lawsuits`: clients read one or the other.",
        ),
        List::Types,
    ),
    (
        "steps",
        (
            "As etapas, a que as fases pertencem: `steps_id`.",
            "The steps, which stages belong to: `steps_id`.",
        ),
        List::Steps,
    ),
    (
        "stages",
        ("As fases em que os processos estão: `stages_id`.", "Where lawsuits stand: `stages_id`."),
        List::Stages,
    ),
    (
        "tasks",
        ("Os tipos de tarefa, com seus pontos.", "The types of tasks, with their points."),
        List::Tasks,
    ),
];

/// What its member `financial` has.
const FINANCIAL: &[ListOut] = &[
    ("banks", ("As contas do escritório.", "The office's accounts."), List::Banks),
    (
        "categories",
        ("Pelo que o dinheiro entra ou sai.", "What money comes in or goes out for."),
        List::Categories,
    ),
    (
        "cost_centers",
        ("A que parte do escritório um gasto pertence.", "Which part of the office an expense belongs to."),
        List::CostCenters,
    ),
    ("departments", ("Os setores.", "The departments."), List::Departments),
];

/// Entries as answers show them: all that is in their tables.
macro_rules! in_answers {
    ($($entry:ty),+) => {
        $(impl InAnswers for $entry {})+
    };
}

in_answers!(User, Origin, Group, LawsuitType, Step, Stage, TaskType, Bank, Category, CostCenter, Department);

/// All lists, by their names.
#[derive(Serialize)]
pub struct SettingsOut(Map<String, Json>);

/// All lists: contract 6.
pub fn read(call: &Call<'_>) -> Result<JsonBody<SettingsOut>, Problem> {
    call.db().snapshot(|db| {
        let lists = |shown: &[ListOut]| -> Result<Map<String, Json>, Problem> {
            shown.iter().map(|(name, _, list)| Ok(((*name).to_owned(), active(db, *list)?))).collect()
        };
        let mut all = lists(SHOWN)?;
        all.insert("financial".to_owned(), lists(FINANCIAL)?.into());
        Ok(JsonBody(SettingsOut(all)))
    })
}

/// The entries of a list that can be chosen, as answers show them.
fn active(db: Db<'_>, list: List) -> Result<Json, Problem> {
    let fields = list.table().fields;
    let entries = settings::all(db, list)?;
    Ok(entries.iter().filter(|entry| entry.active).map(|entry| shown(fields, entry)).collect())
}

/// An entry as answers show it.
fn shown(fields: &[Field], entry: &Entry) -> Map<String, Json> {
    let members = fields.iter().zip(&entry.values).filter(|(field, _)| field.is_shown);
    let members = members.map(|(field, value)| (field.shown.to_owned(), in_answer(field.ty, value)));
    iter::once(("id".to_owned(), entry.id.into())).chain(members).collect()
}

/// The entry with that id, also one that cannot be chosen, with whether it can.
///
/// # Errors
/// Why the store cannot be read.
pub fn entry(db: Db<'_>, list: List, id: u32) -> Result<Option<Json>, Problem> {
    Ok(settings::by_id(db, list, id)?.map(|entry| {
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
        let mut all = lists(SHOWN);
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
    /// How many tasks still wait for a user who was deactivated; absent otherwise.
    #[schemars(extend("x-pt" = "Quantas tarefas ainda esperam por uma pessoa que foi desativada; ausente nos outros casos."))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", example = 3)]
    open_tasks: Option<u64>,
}

impl EntryWrittenOut {
    fn new<R>(id: Id<R>) -> EntryWrittenOut {
        EntryWrittenOut { success: true, id: Shown(Id::from_stored(id.get())), open_tasks: None }
    }
}

impl Versioned for EntryWrittenOut {}

impl Made for EntryWrittenOut {
    fn number(&self) -> u32 {
        self.id.0.get()
    }

    fn schema(generator: &mut SchemaGenerator, _: Compatibility) -> Schema {
        generator.subschema_for::<EntryWrittenOut>()
    }

    fn id(_: Compatibility) -> String {
        "/id".to_owned()
    }
}

/// A new entry: contract 6.
///
/// # Errors
/// Everything that is wrong.
pub fn create<R: ListEntry + InAnswers>(
    call: &Call<'_>,
    new: New<Draft<R>>,
) -> Result<Create<EntryWrittenOut>, Problem> {
    let (entry, now) = (new_record(call, new)?, call.app().now());
    Ok(Create::new(move |tx| {
        refuse_taken(tx, &entry, None)?;
        Ok(EntryWrittenOut::new(records::insert(tx, &entry, now)?))
    }))
}

/// A change of some members of an entry: contract 6.
///
/// # Errors
/// Everything that is wrong; 404 where there is no such entry.
pub fn change<R: ListEntry + InAnswers>(
    call: &Call<'_>,
    PathId(id): PathId<AnyEntry>,
    body: Edit<Draft<R>>,
) -> Result<Update<EntryWrittenOut>, Problem> {
    let id = Id::<R>::from_stored(id.get());
    let (draft, _, wrong) = edit(call, id, body)?;
    ensure_valid(wrong)?;
    let now = call.app().now();
    Ok(Update::new(move |tx| {
        let present = present(*tx, id)?;
        let place = draft.get("position").and_then(Value::id);
        let leaves = R::LIST == List::Users && draft.get("active") == Some(&false.to_value());
        let entry = draft.change(&present)?;
        refuse_taken(tx, &entry, Some(id))?;
        refuse_moved(tx, id, &present, &entry)?;
        records::update(tx, id, &entry, now)?;
        if let Some(place) = place {
            settings::place(tx, R::LIST, id.get(), place)?;
        }
        // Somebody who left can no longer be found, and what waits for them would wait for ever (resources 11).
        let open_tasks = if leaves { Some(tasks::open_of(*tx, id.get())?) } else { None };
        Ok(EntryWrittenOut { open_tasks, ..EntryWrittenOut::new(id) })
    }))
}

/// Names are unique within a list when folded (contract 6).
fn refuse_taken<R: ListEntry + InAnswers>(tx: Tx<'_>, entry: &R, own: Option<Id<R>>) -> Result<(), Problem> {
    let Some(by) = settings::namesake(*tx, entry, own)? else { return Ok(()) };
    let member = R::TABLE.field("name").map_or("name", |field| field.member);
    Err(Problem::from(Invalid::one(member, Reason::NameTaken { by })))
}

/// What an entry is known by beside its name stays while records point to it: they were made with it (resources 11).
fn refuse_moved<R: ListEntry + InAnswers>(
    tx: Tx<'_>,
    id: Id<R>,
    present: &R,
    entry: &R,
) -> Result<(), Problem> {
    let (present, entry) = (present.values(), entry.values());
    let mut values = R::TABLE.stored().zip(present.iter().zip(&entry));
    let moved = values.find(|(field, (old, new))| field.unique_with_name && old != new);
    match moved {
        Some((field, _)) if records::is_used(*tx, R::LIST, id.get())? => {
            Err(Problem::from(Invalid::one(field.member, Reason::InUse)))
        }
        _ => Ok(()),
    }
}

/// The page of a list: its handlers, for what somebody typed. Both answer the entry's id.
pub struct ListPage {
    /// The list.
    pub list: List,
    /// Adds an entry.
    pub create: fn(&Call<'_>, &Fields) -> Result<Write<u32>, Problem>,
    /// Changes one.
    pub change: fn(&Call<'_>, &Fields) -> Result<Write<u32>, Problem>,
}

impl ListPage {
    /// That of the list of these entries.
    pub const fn of<R: ListEntry + InAnswers>() -> ListPage {
        ListPage { list: R::LIST, create: create_typed::<R>, change: change_typed::<R> }
    }
}

fn create_typed<R: ListEntry + InAnswers>(call: &Call<'_>, fields: &Fields) -> Result<Write<u32>, Problem> {
    let (body, wrong) = Draft::<R>::typed(fields, Purpose::Create);
    Ok(create(call, New { body, wrong })?.map(|written| written.id.0.get()))
}

fn change_typed<R: ListEntry + InAnswers>(call: &Call<'_>, fields: &Fields) -> Result<Write<u32>, Problem> {
    let (body, wrong) = Draft::<R>::typed(fields, Purpose::Change);
    Ok(change(call, PathId::take(call)?, Edit { body, wrong })?.map(|written| written.id.0.get()))
}
