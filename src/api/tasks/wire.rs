//! Wire types of tasks (resources 12 and 13).

use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, json_schema};
use serde::Serialize;
use serde_json::Value;

use crate::api::record::{WrittenOut, versioned};
use crate::domain::{Moment, Name, ProcessNumber, ProtocolNumber, Reason, TaxId};
use crate::http::json::answer_members::answer;
use crate::http::json::body_members::body;
use crate::http::json::values::{Shown, Stored, moment};
use crate::http::openapi::schema::MOMENT;
use crate::records::{CustomerId, LawsuitId, Task, TaskId, UserId};
use crate::store::nouns::lawsuits::LinkedCustomer;
use crate::store::nouns::tasks::{LinkedGuest, TaskContext};

answer! {
pub struct LawsuitOfTask<'r> =
    "O processo de uma tarefa; sem processo, só o cliente dela.",
    "The lawsuit of a task. Without a lawsuit, only the customer of the task.";

id: Option<Shown<LawsuitId>> [example = 5] => "O id.", "The lawsuit's id.";
process_number: Option<Stored<'r, ProcessNumber>> [example = &"0001234-03.2026.8.26.0100"] =>
    "O número do processo.",
    "The lawsuit's process number at the court.";
protocol_number: Option<Stored<'r, ProtocolNumber>> [example = &"2026/000123"] =>
    "O número do protocolo.",
    "The lawsuit's protocol number.";
customers: Vec<CustomerOfTask<'r>> =>
    "Os clientes do processo, na ordem informada; sem processo, o da tarefa.",
    "The lawsuit's customers, in the order given. Without a lawsuit, the task's customer.";
}

answer! {
pub struct CustomerOfTask<'r> =
    "Um cliente de uma tarefa.",
    "A customer of a task.";

customer_id: Shown<CustomerId> [example = 17] => "O id.", "The customer's id.";
name: Stored<'r, Name> [example = &"Maria da Conceição"] => "Nome completo.", "Full name.";
identification: Option<Stored<'r, TaxId>> [example = &"529.982.247-25"] =>
    "CPF ou CNPJ, sempre com pontuação.",
    "CPF or CNPJ, always punctuated.";
}

impl<'r> LawsuitOfTask<'r> {
    pub(super) fn new(beside: &'r TaskContext, customers: &'r [LinkedCustomer]) -> LawsuitOfTask<'r> {
        let customer = |customer: &'r LinkedCustomer| CustomerOfTask {
            customer_id: Shown(customer.id),
            name: Stored::new(&customer.name),
            identification: customer.identification.as_deref().map(Stored::new),
        };
        LawsuitOfTask {
            id: beside.lawsuit.map(Shown),
            process_number: beside.process_number.as_deref().map(Stored::new),
            protocol_number: beside.protocol_number.as_deref().map(Stored::new),
            customers: customers.iter().map(customer).collect(),
        }
    }
}

answer! {
pub struct GuestOut<'r> =
    "Um responsável por uma tarefa.",
    "A guest of a task: a user who is responsible for it.";

user_id: Shown<UserId> [example = 2] =>
    "Quem: um id de `users` em `GET /settings`.",
    "The user's id, from `users` in `GET /settings`.";
name: Stored<'r, Name> [example = &"Ana Souza"] => "O nome dessa pessoa.", "The user's name.";
completed: Option<String> [example = &"2026-12-10 16:05:00"] =>
    "Quando a pessoa fez a tarefa.",
    "The time at which the user completed the task.";
important: u8 [range(max = 1), example = 1] =>
    "1 se é importante; senão, 0.",
    "1 if the task is important, else 0.";
urgent: u8 [range(max = 1), example = 0] => "1 se é urgente; senão, 0.", "1 if the task is urgent, else 0.";
}

impl<'r> GuestOut<'r> {
    pub(super) fn new(
        guest: &'r LinkedGuest,
        completed: Option<String>,
        beside: &TaskContext,
    ) -> GuestOut<'r> {
        GuestOut {
            user_id: Shown(guest.user),
            name: Stored::new(&guest.name),
            completed,
            important: beside.important.into(),
            urgent: beside.urgent.into(),
        }
    }
}

/// The status of a task: `completed` if every guest has completed it.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "A situação de uma tarefa: `completed` (concluída) quando todos os responsáveis a fizeram."))]
#[schemars(rename = "TaskStatus", inline)]
#[serde(rename_all = "lowercase")]
pub enum TaskStatusOut {
    Pending,
    Completed,
}

impl TaskStatusOut {
    pub(super) fn of(completed_at: Option<i64>) -> TaskStatusOut {
        if completed_at.is_some() { TaskStatusOut::Completed } else { TaskStatusOut::Pending }
    }
}

/// Returns the schema of a time or null.
pub fn moment_schema() -> Schema {
    json_schema!({
        "type": ["string", "null"], "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$",
        "examples": ["2026-12-10 17:20:31"],
    })
}

body! {
/// The body of PUT /posts/{id}/complete. An empty list of users is refused, because it is usually missing data in the
/// calling program and not a request for all guests.
pub struct Completion = "TaskCompletion", "Quem fez uma tarefa e quando.",
    "The users who have completed a task, and when.";

completed: Moment = Optional "completed" by moment_in, { "type": ["string", "null"], "pattern": MOMENT } =>
    "Quando; se nada é informado, agora. AAAA-MM-DD HH:MM:SS no relógio do escritório, ou data e hora ISO com o \
     próprio fuso. Não pode ser no futuro.",
    "The time of completion. Default: now. YYYY-MM-DD HH:MM:SS in the office's time zone, or an ISO date-time \
     with its own offset. Not in the future.",
    "2026-12-10 16:05:00";
users: Vec<UserId> = Required "users_id" or "user_id" =>
    "Quais responsáveis; se nada é informado, todos. Uma lista de ids, um id só ou um texto como `1,2`. Também aceito \
     como `user_id`.",
    "The guests. Default: all of them. An array of ids, a single id, or text such as `1,2`. Also accepted as \
     `user_id`.",
    1;
}

body! {
/// The body of PUT /posts/{id}/reopen. Its users are read as in [`Completion`].
pub struct Reopening = "TaskReopening", "Quem não fez uma tarefa.", "The users for whom a task is reopened.";

users: Vec<UserId> = Required "users_id" or "user_id" =>
    "Quais responsáveis; se nada é informado, todos. Uma lista de ids, um id só ou um texto como `1,2`. Também aceito \
     como `user_id`.",
    "The guests. Default: all of them. An array of ids, a single id, or text such as `1,2`. Also accepted as \
     `user_id`.",
    1;
}

fn moment_in(value: &Value) -> Result<Moment, Reason> {
    value.as_str().map_or(Err(Reason::NotMoment), Moment::parse)
}

/// The status of a task after it was completed or reopened.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "Como fica uma tarefa depois de concluída ou reaberta."), rename = "TaskStanding")]
pub struct StandingOut {
    #[serde(flatten)]
    written: WrittenOut<Task>,
    /// `completed` if every guest has completed the task, otherwise `pending`.
    #[schemars(extend("x-pt" = "`completed` (concluída) quando todos os responsáveis a fizeram, antes disso `pending` \
                                (pendente)."))]
    #[schemars(example = &"pending")]
    status: TaskStatusOut,
    /// The time at which the last guest completed the task.
    #[schemars(extend("x-pt" = "Quando o último responsável a fez."), example = &"2026-12-10 17:20:31")]
    completed_at: Option<String>,
}

impl StandingOut {
    pub(super) fn new(id: TaskId, completed_at: Option<i64>, zone: &TimeZone) -> StandingOut {
        StandingOut {
            written: id.into(),
            status: TaskStatusOut::of(completed_at),
            completed_at: completed_at.map(|at| moment(at, zone)),
        }
    }
}

versioned!(StandingOut: written.id);
