//! A client who comes without an appointment: the form of a new customer also takes what was said, stored as a completed
//! task, and the next task (office 55).

use crate::api::tasks::NewTask;
use crate::api::tasks::initial_values::{APPOINTMENT, HELD};
use crate::console::day_echo;
use crate::console::layout::choices::Choices;
use crate::console::layout::control::with_calendar;
use crate::console::layout::field_errors::{FieldErrors, described, invalid, reasons_as_sentence};
use crate::console::prelude::*;
use crate::console::records::form::input_types::{Typing, day_typed, typing};
use crate::domain::Invalid;
use crate::http::Call;
use crate::http::json::form::Fields;
use crate::records::{Customer, CustomerId, DayRule, Record};
use crate::store::Tx;

/// Form fields, in addition to those of the customer.
const NOTES: &str = "walk_in_notes";
const DAY: &str = "next_day";
const TYPE: &str = "next_type";
const GUEST: &str = "next_guest";
const FIELDS: [(&str, Bilingual); 4] = [
    (NOTES, ("O que foi dito", "What was said")),
    (DAY, ("Próxima tarefa em", "Next task on")),
    (TYPE, ("Tipo da tarefa", "Type of task")),
    (GUEST, ("Quem faz", "Assigned to")),
];

pub(in crate::console) struct WalkIn {
    notes: String,
    day: String,
    kind: String,
    guest: String,
}

/// A task of the new customer.
struct WalkInTask {
    fields: Vec<(&'static str, String)>,
    is_completed: bool,
}

/// The tasks to store with the customer.
pub(in crate::console) struct WalkInTasks(Vec<WalkInTask>);

impl WalkIn {
    /// Reads the fields of a form that was sent. `None` for records of other kinds, and if the caller may add no task and
    /// has typed none.
    pub fn sent(table: &Table, visit: &Visit) -> Option<WalkIn> {
        if table.kind != Customer::TABLE.kind {
            return None;
        }
        let field = |name| visit.field(name).trim().to_owned();
        let day = day_typed(visit.field(DAY), DayRule::OfRecord, visit);
        let walk_in =
            WalkIn { notes: field(NOTES).replace("\r\n", "\n"), day, kind: field(TYPE), guest: field(GUEST) };
        (walk_in.is_filled() || visit.may(Access::Create(Kind::Task))).then_some(walk_in)
    }

    /// Refuses what the caller may not add.
    pub fn refusal(&self, visit: &Visit) -> Option<Problem> {
        let create = Access::Create(Kind::Task);
        (self.is_filled() && !visit.may(create)).then(|| Problem::not_allowed(create))
    }

    /// Returns `true` if the next task lacks its type.
    pub fn is_incomplete(&self) -> bool {
        self.has_next() && self.kind.is_empty()
    }

    fn is_filled(&self) -> bool {
        !self.notes.is_empty() || self.has_next()
    }

    fn has_next(&self) -> bool {
        [&self.day, &self.kind, &self.guest].into_iter().any(|text| !text.is_empty())
    }

    /// Returns the tasks. They are of the person who works here, or of the one responsible for the customer; the next one
    /// is of the latter, unless another person was chosen.
    pub async fn tasks(&self, responsible: &str, visit: &Visit) -> Result<WalkInTasks> {
        let Some(pages) = pages_of(Kind::Task) else { return Ok(WalkInTasks(Vec::new())) };
        let initial_form = async |query: &[(&str, &str)]| {
            let query = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            let mut form = pages.initial_form(&query.collect::<Vec<_>>(), visit).await?;
            let author = form.values.entry("from").or_default();
            if visit.acting.is_none() || author.is_empty() {
                responsible.clone_into(author);
            }
            Ok::<_, Problem>(form)
        };
        let mut tasks = Vec::new();
        if !self.notes.is_empty() {
            let mut form =
                initial_form(&[(APPOINTMENT, "1"), (HELD, "1"), ("comments", &self.notes)]).await?;
            let author = form.value("from").to_owned();
            form.values.insert("guests", author);
            if form.value("tasks_id").is_empty() {
                let choices = Choices::read(visit).await?;
                let first = choices.entries(List::Tasks).iter().find(|entry| entry.active);
                form.values.insert("tasks_id", first.map(|entry| entry.id.to_string()).unwrap_or_default());
            }
            tasks.push(WalkInTask { fields: form.changed(), is_completed: true });
        }
        if self.has_next() {
            let guest = if self.guest.is_empty() { responsible } else { &self.guest };
            let query = [("start_date", self.day.as_str()), ("tasks_id", &self.kind), ("guests", guest)];
            tasks.push(WalkInTask { fields: initial_form(&query).await?.changed(), is_completed: false });
        }
        Ok(WalkInTasks(tasks))
    }

    pub fn render(&self, wrong: &FieldErrors, choices: &Choices, visit: &Visit) -> Markup {
        html! {
            details.quick open[self.is_filled()] {
                summary.button data-log aria-keyshortcuts="Alt+R" { (visit.pick("Registrar atendimento", "Log an appointment")) }
                fieldset {
                    legend { (visit.pick("Atendimento de hoje", "Today's appointment")) }
                    div.fields {
                        @for (name, (pt, en)) in FIELDS {
                            div.field.wide[name == NOTES] {
                                label for={ "f-" (name) } { (visit.pick(pt, en)) }
                                (self.control(name, wrong, choices, visit))
                                (reasons_as_sentence(name, wrong))
                            }
                        }
                    }
                }
            }
        }
    }

    fn control(&self, name: &str, wrong: &FieldErrors, choices: &Choices, visit: &Visit) -> Markup {
        let is_wrong = invalid(name, wrong);
        let described = described(name, wrong);
        let select = |list: List, chosen: &str, none: &str| {
            html! {
                select #{ "f-" (name) } name=(name) aria-invalid=[is_wrong] aria-describedby=[&described] {
                    option value="" { (none) }
                    (choices.entry_options(list, chosen, visit))
                }
            }
        };
        match name {
            NOTES => html! {
                textarea #{ "f-" (name) } name=(name) rows="4" aria-invalid=[is_wrong] aria-describedby=[&described] { "\n" (self.notes) }
            },
            DAY => {
                let Typing { kind, mode, mask, hint } = typing(Type::Day, visit);
                let input = html! {
                    input #{ "f-" (name) } type=(kind) name=(name) value=(self.day) data-mask=[mask] placeholder=[hint] inputmode=[mode] autocomplete="off"
                        aria-invalid=[is_wrong] aria-describedby=[&described];
                };
                with_calendar(&input, &day_echo::render(name, &self.day, DayRule::OfRecord, visit), visit)
            }
            TYPE => select(List::Tasks, &self.kind, ""),
            _ => select(List::Users, &self.guest, visit.pick("o mesmo do cliente", "same as the customer's")),
        }
    }

    /// Renders links to the fields with errors.
    pub fn wrong(wrong: &FieldErrors, visit: &Visit) -> Markup {
        let is_wrong = |(name, _): &(&str, Bilingual)| wrong.contains_key(*name);
        html! {
            @if FIELDS.iter().any(is_wrong) { ul {
                @for (name, (pt, en)) in FIELDS.into_iter().filter(is_wrong) { li { a href={ "#f-" (name) } { (visit.pick(pt, en)) } } }
            } }
        }
    }
}

impl WalkInTasks {
    pub fn next(&self) -> Option<&Fields> {
        self.0.iter().find(|task| !task.is_completed).map(|task| task.fields.as_slice())
    }

    /// Returns the input, which tells the forms of one idempotency key apart.
    pub fn input(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.0.iter().flat_map(|task| task.fields.iter().cloned())
    }

    /// Checks the tasks. The write stores them for the customer with an id. Errors name the fields of this form.
    pub fn check(self, call: &Call<'_>) -> Result<impl FnOnce(Tx<'_>, u32) -> Result<()> + Send + 'static> {
        let now = call.app().now();
        let complete = pages_of(Kind::Task).and_then(|pages| pages.complete_new);
        let mut tasks = Vec::new();
        let mut refused: Option<Problem> = None;
        for WalkInTask { fields, is_completed } in self.0 {
            match NewTask::of_fields(call, &fields) {
                Ok(task) => tasks.push((task, is_completed)),
                Err(problem) => {
                    let problem = of_this_form(problem, is_completed);
                    refused = Some(match refused {
                        Some(first) => first.and(problem),
                        None => problem,
                    });
                }
            }
        }
        if let Some(problem) = refused {
            return Err(problem);
        }
        Ok(move |tx: Tx<'_>, customer: u32| {
            for (task, is_completed) in tasks {
                let id = task.of_customer(CustomerId::from_stored(customer)).store(tx)?;
                if let Some(complete) = complete.filter(|_| is_completed) {
                    complete(tx, id.get(), now)?;
                }
            }
            Ok(())
        })
    }
}

/// Names the fields of this form in place of those of a task.
fn of_this_form(problem: Problem, is_completed: bool) -> Problem {
    let mut renamed = Invalid::new();
    for (member, reason) in problem.wrong().iter() {
        let field = match member {
            "guests" if !is_completed => GUEST,
            "tasks_id" if !is_completed => TYPE,
            "from" | "guests" => "users_id",
            _ if is_completed => NOTES,
            _ => DAY,
        };
        renamed.add(field, *reason);
    }
    if renamed.is_empty() { problem } else { renamed.into() }
}
