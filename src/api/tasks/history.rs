//! The tasks of a lawsuit, as clients of the cloud read them: resources 13.

use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Serialize;

use super::wire::TaskStatusOut;
use crate::api::record::present;
use crate::domain::{Order, TaskStatus};
use crate::http::describe::Parameter;
use crate::http::input::PathId;
use crate::http::query::{Parameters, QueryReader};
use crate::http::route::Largest;
use crate::http::search::{DELETED, ORDER, deleted, order};
use crate::http::wire::moment;
use crate::http::{Call, ListOut, Problem, Query, Rows};
use crate::index::{Condition, Filter, Found, Guest};
use crate::records::{Lawsuit, Record, Task, Value};
use crate::store::lawsuits;
use crate::store::records::{Row, show_deleted, show_each};
use crate::store::tasks::{self, Beside};
use crate::store::{self, Db};

/// The pages of a lawsuit's history.
pub const PAGE: Largest = Largest { document: 10_000, live: 10_000 };

/// In which order it comes by itself.
const NEWEST_FIRST: Order = Order::Descending;

/// The tasks of a lawsuit: resources 13.
pub fn read(
    call: &Call<'_>,
    PathId(lawsuit): PathId<Lawsuit>,
    query: Query<HistoryAsked>,
) -> Result<Rows<ListOut<'static, HistoryItem, HistoryOut>>, Problem> {
    let (asked, request) = query.into_valid()?;
    call.db().snapshot(|db| {
        present::<Lawsuit>(db, lawsuit)?;
        let filter = Filter::default()
            .with("lawsuit_id", Condition::Linked(lawsuit.get()))
            .with("guests", Condition::Guest(Guest::of(asked.status)))
            .of_deleted(asked.of_deleted);
        let page = request.page.in_order(asked.order);
        let found = call.app().index().find(db, Task::TABLE, &filter, page)?;
        let data = HistoryItem::read(db, lawsuit.get(), &found, call.app().zone())?;
        let status = HistoryOut { status: asked.status.as_str() };
        let document = ListOut::new(call, data, (page.limit(), page.offset()), found.total, status);
        Ok(Rows(document))
    })
}

/// The parameters of GET /history/{id}.
#[derive(Debug)]
pub struct HistoryAsked {
    status: TaskStatus,
    order: Order,
    of_deleted: bool,
}

impl Parameters for HistoryAsked {
    const BY_ID: bool = true;

    fn read(reader: &mut QueryReader<'_>) -> HistoryAsked {
        HistoryAsked {
            status: reader.parameter("status").unwrap_or(TaskStatus::All),
            order: reader.parameter(ORDER).unwrap_or(NEWEST_FIRST),
            of_deleted: reader.parameter(DELETED).unwrap_or_default(),
        }
    }

    fn parameters() -> Vec<Parameter> {
        let about = (
            "A situação das tarefas; se nada é informado, `all` (todas).",
            "How far they are; without it `all`.",
        );
        vec![Parameter::of::<TaskStatus>("status", about, "pending"), deleted(), order(NEWEST_FIRST)]
    }
}

/// What an answer says besides of the tasks of a lawsuit.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "As tarefas de um processo."))]
pub struct HistoryOut {
    /// How far the tasks are that were asked for.
    #[schemars(extend("x-pt" = "Em que situação estão as tarefas pedidas."), example = &"all")]
    status: &'static str,
}

/// A task of a lawsuit's history.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "Uma tarefa do histórico de um processo."))]
pub struct HistoryItem {
    /// The lawsuit's number at the court.
    #[schemars(extend("x-pt" = "O número do processo no tribunal."), example = &"0001234-03.2026.8.26.0100")]
    process_number: Option<String>,
    /// The lawsuit's protocol number.
    #[schemars(extend("x-pt" = "O protocolo do processo."), example = &"2026/000123")]
    protocol_number: Option<String>,
    /// The type's name.
    #[schemars(extend("x-pt" = "O nome do tipo."), example = &"Audiência")]
    task: String,
    /// The points that its type was worth when it was made.
    #[schemars(extend("x-pt" = "Os pontos que o tipo valia quando a tarefa foi criada."))]
    #[schemars(range(max = 1_000_000), example = 10)]
    reward: u32,
    /// When it is to be done; 00:00:00 means no time of day.
    #[schemars(extend("x-pt" = "Quando deve ser feita; 00:00:00 quer dizer sem hora marcada."))]
    #[schemars(example = &"2026-12-10 14:30:00")]
    start: String,
    /// The last day on which it can be done.
    #[schemars(extend("x-pt" = "O último dia para fazer."), example = &"2026-12-10")]
    date_deadline: Option<String>,
    /// Free text.
    #[schemars(extend("x-pt" = "Anotações, texto livre."), example = &"Levar procuração.")]
    comments: Option<String>,
    /// Where it is to be done.
    #[schemars(extend("x-pt" = "Onde deve ser feita."), example = &"Fórum central, sala 301")]
    local: Option<String>,
    /// When it was created, in the office's time zone.
    #[schemars(extend("x-pt" = "Data e hora do cadastro, no fuso do escritório."))]
    #[schemars(example = &"2026-11-21 10:30:00")]
    created_at: String,
    /// Who made it, by name.
    #[schemars(extend("x-pt" = "Quem criou a tarefa, pelo nome."), example = &"Ana Souza")]
    author: String,
    /// Who is to do it, by name.
    #[schemars(extend("x-pt" = "Quem deve fazer, pelo nome."), example = &"Ana Souza, Rui Prado")]
    responsible: String,
    /// The lawsuit's customers, by name.
    #[schemars(extend("x-pt" = "Os clientes do processo, pelo nome."))]
    #[schemars(example = &"Maria da Conceição, João Batista")]
    customers: String,
    /// The task's id.
    #[schemars(extend("x-pt" = "O id da tarefa."), range(min = 1), example = 9)]
    post_id: u32,
    /// `completed` once every guest has done it, `pending` before.
    #[schemars(extend("x-pt" = "`completed` (concluída) quando todos os responsáveis a fizeram, antes disso `pending` \
                                (pendente)."))]
    #[schemars(example = &"pending")]
    status: TaskStatusOut,
    /// When the last guest did it.
    #[schemars(extend("x-pt" = "Quando o último responsável a fez."), example = &"2026-12-10 17:20:31")]
    completed_at: Option<String>,
    /// When it was deleted; there with `deleted=true` alone.
    #[schemars(extend("x-pt" = "Quando foi excluída; só aparece com `deleted=true`."))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", example = &"2026-11-21 11:02:10")]
    deleted_at: Option<String>,
}

impl HistoryItem {
    /// Those that were found of that lawsuit, in that order.
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
            let Some(Beside { process_number, protocol_number, .. }) = tasks::beside(db, id)? else {
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
