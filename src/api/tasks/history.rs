//! The tasks of a lawsuit in the format for clients of the cloud service (resources 13).

use jiff::tz::TimeZone;

use super::wire::TaskStatusOut;
use crate::api::record::present;
use crate::domain::{Order, TaskStatus};
use crate::http::json::answer_members::answer;
use crate::http::json::list_filter::{DELETED, ORDER, deleted, order};
use crate::http::json::query_parameters::{Parameters, QueryReader};
use crate::http::json::values::moment;
use crate::http::openapi::describe::Parameter;
use crate::http::requests::route::MaxPageSize;
use crate::http::{Call, Echo, JsonBody, ListOut, Problem, Query};
use crate::index::{Condition, Filter, Found, Guest};
use crate::records::{Lawsuit, LawsuitId, Record, Task, Value};
use crate::store::nouns::lawsuits;
use crate::store::nouns::tasks::{self, TaskContext};
use crate::store::records::{Row, show_deleted, show_each};
use crate::store::{self, Db};

/// Maximum page sizes of a lawsuit's history.
pub const MAX_PAGE_SIZE: MaxPageSize = MaxPageSize { document: 10_000, live: 10_000 };

/// The default order.
const NEWEST_FIRST: Order = Order::Descending;

/// Lists the tasks of a lawsuit (resources 13).
pub fn read(
    call: &Call<'_>,
    lawsuit: LawsuitId,
    query: Query<HistoryParameters>,
    echo: Echo<'static>,
) -> Result<JsonBody<ListOut<'static, HistoryItem, HistoryOut>>, Problem> {
    let (parameters, request) = query.into_valid()?;
    call.db().snapshot(|db| {
        present::<Lawsuit>(db, lawsuit)?;
        let filter = Filter::default()
            .with("lawsuit_id", Condition::Linked(lawsuit.get()))
            .with("guests", Condition::Guest(Guest::of(parameters.status)))
            .of_deleted(parameters.of_deleted);
        let page = request.page.in_order(parameters.order);
        let found = call.app().index().find(db, Task::TABLE, &filter, page)?;
        let data = HistoryItem::read(db, lawsuit.get(), &found, call.app().zone())?;
        let status = HistoryOut { status: parameters.status.as_str() };
        let document = ListOut::new(data, (page.limit(), page.offset()), found.total, echo, status);
        Ok(JsonBody(document))
    })
}

/// The parameters of GET /history/{id}.
#[derive(Debug)]
pub struct HistoryParameters {
    status: TaskStatus,
    order: Order,
    of_deleted: bool,
}

impl Parameters for HistoryParameters {
    const BY_ID: bool = true;

    fn read(reader: &mut QueryReader<'_>) -> HistoryParameters {
        HistoryParameters {
            status: reader.parameter("status").unwrap_or(TaskStatus::All),
            order: reader.parameter(ORDER).unwrap_or(NEWEST_FIRST),
            of_deleted: reader.parameter(DELETED).unwrap_or_default(),
        }
    }

    fn parameters() -> Vec<Parameter> {
        let about = (
            "A situação das tarefas; se nada é informado, `all` (todas).",
            "The status of the tasks. Default: `all`.",
        );
        vec![Parameter::of::<TaskStatus>("status", about, "pending"), deleted(), order(NEWEST_FIRST)]
    }
}

answer! {
pub struct HistoryOut = "As tarefas de um processo.", "The tasks of a lawsuit.";

status: &'static str [example = &"all"] =>
    "Em que situação estão as tarefas pedidas.",
    "The requested status of the tasks.";
}

answer! {
pub struct HistoryItem = "Uma tarefa do histórico de um processo.", "A task of a lawsuit's history.";

process_number: Option<String> [example = &"0001234-03.2026.8.26.0100"] =>
    "O número do processo no tribunal.",
    "The lawsuit's process number at the court.";
protocol_number: Option<String> [example = &"2026/000123"] =>
    "O protocolo do processo.",
    "The lawsuit's protocol number.";
task: String [example = &"Audiência"] => "O nome do tipo.", "The name of the task's type.";
reward: u32 [range(max = 1_000_000), example = 10] =>
    "Os pontos que o tipo valia quando a tarefa foi criada.",
    "The points that the type was worth when the task was created.";
start: String [example = &"2026-12-10 14:30:00"] =>
    "Quando deve ser feita; 00:00:00 quer dizer sem hora marcada.",
    "The start of the task. 00:00:00 means no time of day.";
date_deadline: Option<String> [example = &"2026-12-10"] =>
    "O último dia para fazer.",
    "The last day for the task.";
comments: Option<String> [example = &"Levar procuração."] => "Anotações, texto livre.", "Free text.";
local: Option<String> [example = &"Fórum central, sala 301"] =>
    "Onde deve ser feita.",
    "The place of the task.";
created_at: String [example = &"2026-11-21 10:30:00"] =>
    "Data e hora do cadastro, no fuso do escritório.",
    "Time of creation, in the office's time zone.";
author: String [example = &"Ana Souza"] =>
    "Quem criou a tarefa, pelo nome.",
    "The name of the user who created the task.";
responsible: String [example = &"Ana Souza, Rui Prado"] =>
    "Quem deve fazer, pelo nome.",
    "The names of the task's guests.";
customers: String [example = &"Maria da Conceição, João Batista"] =>
    "Os clientes do processo, pelo nome.",
    "The names of the lawsuit's customers.";
post_id: u32 [range(min = 1), example = 9] => "O id da tarefa.", "The task's id.";
status: TaskStatusOut [example = &"pending"] =>
    "`completed` (concluída) quando todos os responsáveis a fizeram, antes disso `pending` (pendente).",
    "`completed` if every guest has completed the task, otherwise `pending`.";
completed_at: Option<String> [example = &"2026-12-10 17:20:31"] =>
    "Quando o último responsável a fez.",
    "The time at which the last guest completed the task.";
#[serde(skip_serializing_if = "Option::is_none")]
deleted_at: Option<String> [with = "String", example = &"2026-11-21 11:02:10"] =>
    "Quando foi excluída; só aparece com `deleted=true`.",
    "Time of deletion. Only with `deleted=true`.";
}

impl HistoryItem {
    /// Reads the tasks of a lawsuit in the order of `found`.
    fn read(
        db: Db<'_>,
        lawsuit: u32,
        found: &Found,
        zone: &TimeZone,
    ) -> Result<Vec<HistoryItem>, store::Error> {
        let customers =
            names(lawsuits::customers(db, lawsuit)?.iter().map(|customer| customer.name.as_str()));
        let mut items = Vec::new();
        let item = |row: Row<'_>| {
            let id = row.id()?;
            let Some(TaskContext { process_number, protocol_number, .. }) = tasks::beside(db, id)? else {
                return Ok(());
            };
            let value = |shown: &str| {
                let at = Task::TABLE.fields.iter().position(|field| field.shown == shown);
                at.map_or(Ok(Value::Null), |at| row.value(at))
            };
            let text = |shown: &str| Ok::<_, store::Error>(value(shown)?.text().map(str::to_owned));
            let created = if let Value::Integer(seconds) = value("created_at")? { seconds } else { 0 };
            let guests = tasks::guests(db, id)?;
            let completed_at = tasks::completed_at(&guests);
            items.push(HistoryItem {
                process_number,
                protocol_number,
                task: text("task")?.unwrap_or_default(),
                reward: value("reward")?.id().unwrap_or_default(),
                start: text("date")?.unwrap_or_default(),
                date_deadline: text("date_deadline")?,
                comments: text("notes")?,
                local: text("local")?,
                created_at: moment(created, zone),
                author: text("author")?.unwrap_or_default(),
                responsible: names(guests.iter().map(|guest| guest.name.as_str())),
                customers: customers.clone(),
                post_id: id,
                status: TaskStatusOut::of(completed_at),
                completed_at: completed_at.map(|at| moment(at, zone)),
                deleted_at: row.deleted_at(Task::TABLE)?.map(|at| moment(at, zone)),
            });
            Ok(())
        };
        match found.of_deleted {
            true => show_deleted(db, Task::TABLE, &found.ids, item)?,
            false => show_each(db, Task::TABLE, &found.ids, item)?,
        }
        Ok(items)
    }
}

fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
