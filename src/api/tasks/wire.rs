//! What tasks are on the wire: resources 12 and 13.

use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, json_schema};
use serde::Serialize;
use serde_json::json;

use crate::api::record::WrittenOut;
use crate::domain::{Moment, Name, ProcessNumber, ProtocolNumber, Reason, TaxId};
use crate::http::Versioned;
use crate::http::describe::Sentence;
use crate::http::input::{BodyReader, MemberDescription, Members, Need};
use crate::http::record::described_as;
use crate::http::wire::{Shown, Stored, moment};
use crate::records::{CustomerId, Kind, LawsuitId, List, Task, TaskId, Type, UserId};
use crate::store::lawsuits::LinkedCustomer;
use crate::store::tasks::{Beside, LinkedGuest};
use crate::store::{self, Db};

/// The lawsuit of a task.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "O processo de uma tarefa."))]
pub struct LawsuitOfTask<'r> {
    /// Its id.
    #[schemars(extend("x-pt" = "O id."), example = 5)]
    id: Shown<LawsuitId>,
    /// Its number at the court.
    #[schemars(extend("x-pt" = "O número do processo."), example = &"0001234-03.2026.8.26.0100")]
    process_number: Option<Stored<'r, ProcessNumber>>,
    /// Its protocol number.
    #[schemars(extend("x-pt" = "O número do protocolo."), example = &"2026/000123")]
    protocol_number: Option<Stored<'r, ProtocolNumber>>,
    /// Its customers, in the order given.
    #[schemars(extend("x-pt" = "Os clientes, na ordem informada."))]
    customers: Vec<CustomerOfTask<'r>>,
}

/// A customer of the lawsuit of a task.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "Um cliente do processo de uma tarefa."))]
pub struct CustomerOfTask<'r> {
    /// Its id.
    #[schemars(extend("x-pt" = "O id."), example = 17)]
    customer_id: Shown<CustomerId>,
    /// Full name.
    #[schemars(extend("x-pt" = "Nome completo."), example = &"Maria da Conceição")]
    name: Stored<'r, Name>,
    /// CPF or CNPJ, always punctuated.
    #[schemars(extend("x-pt" = "CPF ou CNPJ, sempre com pontuação."), example = &"529.982.247-25")]
    identification: Option<Stored<'r, TaxId>>,
}

impl<'r> LawsuitOfTask<'r> {
    pub(super) fn new(beside: &'r Beside, customers: &'r [LinkedCustomer]) -> LawsuitOfTask<'r> {
        let customer = |customer: &'r LinkedCustomer| CustomerOfTask {
            customer_id: Shown(customer.id),
            name: Stored::new(&customer.name),
            identification: customer.identification.as_deref().map(Stored::new),
        };
        LawsuitOfTask {
            id: Shown(beside.lawsuit),
            process_number: beside.process_number.as_deref().map(Stored::new),
            protocol_number: beside.protocol_number.as_deref().map(Stored::new),
            customers: customers.iter().map(customer).collect(),
        }
    }
}

/// Somebody who is to do a task.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "Um responsável por uma tarefa."))]
pub struct GuestOut<'r> {
    /// Who: an id of `users` in `GET /settings`.
    #[schemars(extend("x-pt" = "Quem: um id de `users` em `GET /settings`."), example = 2)]
    user_id: Shown<UserId>,
    /// That user's name.
    #[schemars(extend("x-pt" = "O nome dessa pessoa."), example = &"Ana Souza")]
    name: Stored<'r, Name>,
    /// When they have done it.
    #[schemars(extend("x-pt" = "Quando a pessoa fez a tarefa."), example = &"2026-12-10 16:05:00")]
    completed: Option<String>,
    /// 1 where it is important, else 0.
    #[schemars(extend("x-pt" = "1 se é importante; senão, 0."), range(max = 1), example = 1)]
    important: u8,
    /// 1 where it is urgent, else 0.
    #[schemars(extend("x-pt" = "1 se é urgente; senão, 0."), range(max = 1), example = 0)]
    urgent: u8,
}

impl<'r> GuestOut<'r> {
    pub(super) fn new(guest: &'r LinkedGuest, completed: Option<String>, beside: &Beside) -> GuestOut<'r> {
        GuestOut {
            user_id: Shown(guest.user),
            name: Stored::new(&guest.name),
            completed,
            important: beside.important.into(),
            urgent: beside.urgent.into(),
        }
    }
}

/// How far a task is: `completed` once every guest has done it.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "A situação de uma tarefa: `completed` (concluída) quando todos os responsáveis a fizeram."))]
#[schemars(rename = "TaskStatus", inline)]
#[serde(rename_all = "lowercase")]
pub enum TaskStatusOut {
    Pending,
    Completed,
}

impl TaskStatusOut {
    /// That of a task which was done then.
    pub(super) fn of(completed_at: Option<i64>) -> TaskStatusOut {
        if completed_at.is_some() { TaskStatusOut::Completed } else { TaskStatusOut::Pending }
    }
}

/// A moment, or nothing.
pub fn moment_schema() -> Schema {
    json_schema!({
        "type": ["string", "null"], "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$",
        "examples": ["2026-12-10 17:20:31"],
    })
}

/// The body of PUT /posts/{id}/complete.
pub struct Completion {
    pub(super) users: Option<Vec<UserId>>,
    pub(super) completed: Option<Moment>,
}

/// The body of PUT /posts/{id}/reopen.
pub struct Reopening {
    pub(super) users: Option<Vec<UserId>>,
}

/// Whom a body names; `None` stands for all guests. An empty value is refused: it is more often data that a program misses
/// than a wish for all of them.
fn users(reader: &mut BodyReader<'_>) -> Option<Vec<UserId>> {
    reader.value(["users_id", "user_id"], Need::Required).into_value()
}

fn users_described() -> MemberDescription {
    let about = (
        "Quais responsáveis; se nada é informado, todos. Uma lista de ids, um id só ou um texto como `1,2`.",
        "Which guests; without it all of them. An array of ids, a lone id, or text such as `1,2`.",
    );
    let ty = Type::Links(Kind::List(List::Users));
    described_as("users_id", Need::Required, ty, about, json!(1))
}

impl Members for Completion {
    fn name() -> String {
        "TaskCompletion".to_owned()
    }

    fn about() -> Sentence {
        ("Quem fez uma tarefa e quando.", "Who has done a task, and when.").into()
    }

    fn read(reader: &mut BodyReader<'_>) -> Completion {
        let completed = reader.read("completed", Need::Optional, |value| {
            value.as_str().map_or(Err(Reason::NotMoment), Moment::parse)
        });
        Completion { users: users(reader), completed: completed.into_value() }
    }

    fn members() -> Vec<MemberDescription> {
        let about = (
            "Quando; se nada é informado, agora. AAAA-MM-DD HH:MM:SS no relógio do escritório, ou data e hora ISO com o \
             próprio fuso. Não pode ser no futuro.",
            "When; without it now. YYYY-MM-DD HH:MM:SS by the office's clock, or an ISO date-time with its own offset. \
                     Not in the future.",
        );
        let completed =
            described_as("completed", Need::Optional, Type::DayTime, about, json!("2026-12-10 16:05:00"));
        vec![completed, users_described()]
    }
}

impl Members for Reopening {
    fn name() -> String {
        "TaskReopening".to_owned()
    }

    fn about() -> Sentence {
        ("Quem não fez uma tarefa.", "Who has not done a task.").into()
    }

    fn read(reader: &mut BodyReader<'_>) -> Reopening {
        Reopening { users: users(reader) }
    }

    fn members() -> Vec<MemberDescription> {
        vec![users_described()]
    }
}

/// How a task stands after somebody has done it, or has not.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "Como fica uma tarefa depois de concluída ou reaberta."), rename = "TaskStanding")]
pub struct StandingOut {
    #[serde(flatten)]
    written: WrittenOut<Task>,
    /// `completed` once every guest has done it, `pending` before.
    #[schemars(extend("x-pt" = "`completed` (concluída) quando todos os responsáveis a fizeram, antes disso `pending` \
                                (pendente)."))]
    #[schemars(example = &"pending")]
    status: TaskStatusOut,
    /// When the last guest did it.
    #[schemars(extend("x-pt" = "Quando o último responsável a fez."), example = &"2026-12-10 17:20:31")]
    completed_at: Option<String>,
}

impl StandingOut {
    pub(super) fn new(id: TaskId, completed_at: Option<i64>, zone: &TimeZone) -> StandingOut {
        StandingOut {
            written: WrittenOut(id),
            status: TaskStatusOut::of(completed_at),
            completed_at: completed_at.map(|at| moment(at, zone)),
        }
    }
}

impl Versioned for StandingOut {
    const HAS_VERSION: bool = true;

    fn version(&self, db: Db<'_>, zone: &TimeZone) -> Result<Option<String>, store::Error> {
        self.written.version(db, zone)
    }
}
