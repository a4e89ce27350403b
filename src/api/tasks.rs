//! Tasks, which the cloud service calls posts (resources 12 and 13).

pub mod clashes;
mod completion;
pub mod history;
pub mod initial_values;
pub mod rewards;
mod task_writes;
mod texts;
mod wire;

use schemars::{Schema, SchemaGenerator};

use super::changes::members::PastValue;
use super::console_pages::{
    self, Action, Button, Column, CompleteNew, DueDay, EVERYTHING, InPages, InitialValues, NamedRecords,
    Participant, Presentation, Preset, Pressed, View,
};
use super::deadlines::{KeepsCount as _, count_before};
use super::record::{
    Changeable, MadeOut, WrittenOut, edit, present, refuse_taken_external_id, store_changed,
};
use crate::domain::{Bilingual, Day, Invalid, Reason};
use crate::http::json::form::Fields;
use crate::http::json::request_body::{Edit, New, ensure_valid};
use crate::http::requests::route::MaxPageSize;
use crate::http::{Call, Create, Draft, IfMatch, InAnswers, OwnMembers, Problem, Update, Write};
use crate::records::{Kind, Nouns, Task, TaskId};
use crate::store::nouns::{tasks, transactions};
use crate::store::records::Row;
use crate::store::{self, Db, StoreResult, Tx};

use task_writes::{acting, check, give, of_one, reward_of, treat, treat_again, untreat};
use texts::{start, what};
use wire::{GuestOut, LawsuitOfTask, TaskStatusOut};

use completion::mark;
pub use completion::{complete, reopen};
pub use task_writes::NewTask;
pub use texts::{due_day, end_time, status, time, whose};

/// Maximum page sizes of task lists.
pub const MAX_PAGE_SIZE: MaxPageSize = MaxPageSize { document: 1000, live: 1000 };

/// Explains GET /posts in the API description.
pub const SEARCHING: Bilingual = (
    "Sem `status`: as tarefas que alguém ainda tem de fazer; com `completed_start` ou `completed_end`, as que alguém \
     fez nesses dias, e com `id`, essa tarefa. Com `user_id` ou `user_name`, a situação é só a parte dessa pessoa. \
     As mais novas vêm primeiro; para percorrer todas, cada uma uma vez, peça `status=all&order=asc`.",
    "Without `status`, returns the tasks that at least one guest has not completed. With `completed_start` or \
     `completed_end`, returns the tasks that a guest completed on those days, and with `id`, that task. With \
     `user_id` or `user_name`, the status is that of this user only. The newest tasks come first. To read all \
     tasks, each once, use `status=all&order=asc`.",
);

/// Explains POST /posts in the API description.
pub const CREATING: Bilingual = (
    "Sem `lawsuits_id`, é um atendimento, uma ligação ou uma reunião: de um cliente, com `customers_id`, ou de ninguém. \
     Uma tarefa do mesmo tipo, processo, cliente, data e hora, prazo, responsáveis, publicação, texto e local que outra que ainda \
     não foi feita é recusada como `duplicate`, com o `post_id` dela, a não ser que traga `external_ids`. `end_time` sem \
     `end_date` é do dia do início.",
    "Without `lawsuits_id`, the task is a consultation, a call or a meeting, of a customer with `customers_id`. \
     A task is refused as `duplicate`, with the `post_id` of the existing one, if an open task has the same \
     type, lawsuit, customer, date and time, deadline, guests, publication, text and place. This does not apply to a task with \
     `external_ids`. \
     `end_time` without `end_date` is on the day of the start.",
);

/// Explains PUT /posts/{id} in the API description.
pub const CHANGING: Bilingual = (
    "Só mudam os campos informados; `null` ou `\"\"` esvazia um opcional. `guests` substitui todos os responsáveis: \
     quem fica e já fez continua tendo feito. Um tipo novo traz seus pontos, a não ser que alguém já tenha feito a \
     tarefa. Com `If-Match`, nada que outra pessoa alterou nesse meio-tempo é sobrescrito.",
    "Changes only the members in the body. `null` or `\"\"` clears an optional member. `guests` replaces all \
     guests. A guest who stays keeps the completion. A new type sets its points, unless a guest has completed \
     the task. With `If-Match`, changes that others made in the meantime are not overwritten.",
);

/// Explains PUT /posts/{id}/complete in the API description.
pub const COMPLETING: Bilingual = (
    "O corpo pode ser vazio: então todos os que ainda não fizeram passam a ter feito agora. Um `users_id` vazio ou \
     null é recusado. Quem já tinha feito mantém a data e a hora; por isso, enviar duas vezes não muda nada.",
    "With an empty body, all guests who have not completed the task complete it now. A `users_id` that is \
     empty or null is refused. A guest who completed the task before keeps that time, so sending the request \
     twice changes nothing.",
);

/// Explains PUT /posts/{id}/reopen in the API description.
pub const REOPENING: Bilingual = (
    "O corpo pode ser vazio: então ninguém fez. Um `users_id` vazio ou null é recusado. Enviar duas vezes não muda nada.",
    "With an empty body, the task is reopened for all guests. A `users_id` that is empty or null is refused. \
     Sending the request twice changes nothing.",
);

impl Changeable for Task {
    type Changed = WrittenOut<Task>;

    fn changed(_: Db<'_>, id: TaskId) -> Result<WrittenOut<Task>, Problem> {
        Ok(id.into())
    }

    /// Its publication is to be treated again, if making the task marked it as treated.
    fn after_deletion(tx: Tx<'_>, id: TaskId, now: i64) -> Result<(), Problem> {
        untreat(tx, id, now)
    }

    fn after_restoration(tx: Tx<'_>, id: TaskId, now: i64) -> Result<(), Problem> {
        treat_again(tx, id, now)
    }
}

impl InPages for Task {
    type Made = MadeOut<Task>;
    const PRESENTATION: Presentation = Presentation {
        new: ("Nova tarefa", "New task"),
        duplicates: ("Já há outras iguais:", "There are others like it:"),
        placeholder: ("Tipo da tarefa ou responsável", "Type of task or person"),
        meanings,
        heading: |task, _| {
            let parts = [task.text("task"), &whose(task)];
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
        },
        columns: &[
            Column::Called("task", ("Tarefa", "Task"), what),
            Column::Called("customers", ("Processo ou cliente", "Case or customer"), |task, _| whose(task)),
            Column::Status(status),
            Column::As("start_date", start),
            Column::Of("date_deadline"),
            Column::Called("guest_names", ("Responsáveis", "Assigned to"), |task, _| {
                task.text("guest_names").to_owned()
            }),
        ],
    };
    const FACTS: &'static [Column] = &[Column::Of("deadline_memory")];
    const PRESET: Option<Preset> = Some(Preset {
        parameter: "status",
        // Empty, because the API's own default depends on the other parameters.
        value: "",
        everything: "all",
        choices: &[
            ("", ("A fazer", "To do")),
            ("completed", ("Concluídas", "Done")),
            (EVERYTHING, ("Todas", "All")),
        ],
        none_left: ("Nenhuma tarefa a fazer.", "Nothing is left to do."),
    });
    const IN_ROWS: &'static [&'static str] = &["complete"];
    const TOGETHER: &'static [&'static [&'static str]] =
        &[&["lawsuit_id", "customer_id"], &["date_deadline", "deadline_query", "deadline_memory"]];
    const DETAIL: Option<fn(&View) -> String> = Some(texts::detail);
    const DUE_DAY: Option<DueDay> = Some(|task, today| due_day(task, today, true).map(|(day, _)| day));
    const COMPLETE_NEW: Option<CompleteNew> = Some(|tx, id, now| {
        for guest in tasks::guests(*tx, id)? {
            tasks::complete(tx, TaskId::from_stored(id), guest.user, now)?;
        }
        Ok(())
    });
    const ACTIONS: &'static [Action] = &[
        Action {
            name: "complete",
            done: ("Marcada como feita.", "Marked as done."),
            many: ("Concluir", "Complete"),
            many_done: ("concluídas", "completed"),
        },
        Action {
            name: "reopen",
            done: ("Reaberta.", "Reopened."),
            many: ("Reabrir", "Reopen"),
            many_done: ("reabertas", "reopened"),
        },
    ];

    /// Creates a task (resources 12.3).
    fn create(call: &Call<'_>, new: New<Draft<Task>>) -> Result<Create<MadeOut<Task>>, Problem> {
        let task = NewTask::check(call, new)?;
        Ok(Create::new(move |tx| Ok(task.store(tx)?.into())))
    }

    /// Changes some members of a task (resources 12.5).
    fn change(
        call: &Call<'_>,
        id: TaskId,
        body: Edit<Draft<Task>>,
        if_match: IfMatch,
    ) -> Result<Update<WrittenOut<Task>>, Problem> {
        let (draft, standing, mut wrong) = edit(call, id, body)?;
        let now = call.app().now();
        let viewer = call.viewer();
        let actor = acting(call);
        let sees_customers = viewer.nouns.has(Kind::Customer);
        let lawsuits = Nouns::of(Kind::Lawsuit);
        if standing.lawsuit_id.is_some() && draft.names("customer_id") && !viewer.nouns.contain(lawsuits) {
            return Err(viewer.lacks(lawsuits));
        }
        check(call.db(), &draft, &standing, &mut wrong)?;
        ensure_valid(wrong)?;
        Ok(Update::new(move |tx| {
            let standing: Task = present(*tx, id)?;
            if_match.check::<Task>(tx, id, &viewer)?;
            let mut wrong = Invalid::new();
            check(*tx, &draft, &standing, &mut wrong)?;
            ensure_valid(wrong)?;
            let keeps_customer = sees_customers && !draft.names("customer_id");
            let mut changed = of_one(standing.change_counted(draft)?);
            // A task that leaves its case stays with the case's customer.
            if let (Some(lawsuit), None, true) = (standing.lawsuit_id, changed.lawsuit_id, keeps_customer) {
                changed.customer_id = transactions::only_customer(*tx, lawsuit)?;
            }
            let is_begun = || {
                Ok::<_, Problem>(tasks::guests(*tx, id.get())?.iter().any(|one| one.completed_at.is_some()))
            };
            if changed.type_id != standing.type_id && !is_begun()? {
                changed.reward = reward_of(tx, &changed)?;
            }
            refuse_taken_external_id(tx.seen_by(viewer.nouns), &changed, Some(id))?;
            store_changed(tx, id, &changed, &standing, now)?;
            changed.guests.retain(|guest| !standing.guests.contains(guest));
            give(tx, id, &changed.guests, actor)?;
            tasks::forget_former_guests(tx, id)?;
            if changed.publication_id != standing.publication_id {
                treat(tx, changed.publication_id, changed.author_id, now)?;
            }
            Ok(id.into())
        }))
    }

    fn put_back(
        call: &Call<'_>,
        id: TaskId,
        past: Vec<PastValue>,
        fields: &Fields,
    ) -> Result<Write<()>, Problem> {
        let names = |column: &str| past.iter().any(|value| value.field.column == column);
        let standing: Task = present(call.db(), id)?;
        if standing.lawsuit_id.is_some() && names("customer_id") && !names("lawsuit_id") {
            return Err(Invalid::one("customers_id", Reason::NotBeside { other: "lawsuits_id" }).into());
        }
        let fields = fields.iter().cloned().chain(count_before(&past)).collect::<Vec<_>>();
        console_pages::change_any(call, id, &fields)
    }

    /// Returns one button for all guests, and if there are several guests, another one for each.
    fn buttons(task: &View, _: Day) -> Vec<Button> {
        let guests = Task::people(task);
        let is_open = guests.iter().any(|guest| guest.done_at.is_none());
        let all =
            Button { action: "complete", who: None, label: ("Concluir para todos", "Complete for all") };
        let one = Button { label: ("Concluir", "Complete"), ..all };
        let again = Button { action: "reopen", who: None, label: ("Reabrir", "Reopen") };
        let first = match guests.len() {
            _ if !is_open => again,
            1 => one,
            _ => all,
        };
        let each = guests.iter().map(|guest| match guest.done_at {
            Some(_) => Button { action: "reopen", who: Some(guest.user), label: ("Reabrir", "Reopen") },
            None => Button { action: "complete", who: Some(guest.user), label: ("Concluir", "Complete") },
        });
        // A single guest is covered by the button for all.
        let each = each.filter(|_| guests.len() > 1);
        std::iter::once(first).chain(each).collect()
    }

    fn act(
        call: &Call<'_>,
        id: TaskId,
        Pressed { action, who, at, .. }: &Pressed,
    ) -> Result<Write<()>, Problem> {
        let completion = (who.map(|user| vec![user]), Invalid::new());
        let at = at.unwrap_or(call.app().now());
        let done = match action.as_str() {
            "complete" => mark(call, id, completion, move |tx, user| tasks::complete(tx, id, user, at))?,
            "reopen" => mark(call, id, completion, move |tx, user| tasks::reopen(tx, id, user))?,
            _ => return Err(Problem::no_route()),
        };
        Ok(done.map(|_| ()))
    }

    fn initial_values(db: Db<'_>, named_record: NamedRecords<'_>, today: Day) -> StoreResult<InitialValues> {
        initial_values::initial_values(db, named_record, today)
    }

    fn people(task: &View) -> Vec<Participant> {
        let done = tasks::guests_of(task.text("completions")).collect::<Vec<_>>();
        let of = |user: u32| done.iter().find(|(own, _)| *own == user).and_then(|(_, at)| *at);
        task.value("guests").ids().into_iter().map(|user| Participant { user, done_at: of(user) }).collect()
    }
}

/// Guesses the members that a search text is meant for, likeliest first. Digits mean a task's id.
fn meanings(text: &str) -> Vec<&'static str> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { vec!["id"] } else { vec!["task_id", "user_name"] }
}

impl InAnswers for Task {
    fn own(db: Db<'_>, row: &Row<'_>, members: &mut OwnMembers<'_>) -> Result<(), store::Error> {
        let id = row.id()?;
        let Some(beside) = tasks::beside(db, id)? else { return Ok(()) };
        let customers = beside.customers(db)?;
        members.add(&LawsuitOfTask::new(&beside, &customers));
        let guests = tasks::guests(db, id)?;
        let moments = guests.iter().map(|guest| guest.completed_at.map(|at| members.moment(at)));
        let shown = guests.iter().zip(moments).map(|(guest, done)| GuestOut::new(guest, done, &beside));
        let shown = shown.collect::<Vec<_>>();
        members.add(&shown);
        let done = tasks::completed_at(&guests);
        members.add(&TaskStatusOut::of(done));
        members.add(&done.map(|at| members.moment(at)));
        Ok(())
    }

    fn own_schema(member: &str, generator: &mut SchemaGenerator) -> Schema {
        match member {
            "lawsuit" => generator.subschema_for::<LawsuitOfTask<'_>>(),
            "users" => generator.subschema_for::<Vec<GuestOut<'_>>>(),
            "status" => generator.subschema_for::<TaskStatusOut>(),
            _ => wire::moment_schema(),
        }
    }
}
