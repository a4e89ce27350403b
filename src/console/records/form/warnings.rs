//! The warning before a form is stored that someone has another appointment at that time, that a day of a new task is past,
//! that a deadline is on a weekend, or that a task loses its customer (office 55), and the day of a deadline that was typed as
//! a number of days (deadlines 31.8). It is shown once; a second click stores the form.

use crate::api::tasks::clashes::clashes;
use crate::api::tasks::time;
use crate::console::layout::choices::Choices;
use crate::console::layout::days::{in_full_with_year, weekday_name, written};
use crate::console::prelude::*;
use crate::console::records::form::appointment::TaskForm;
use crate::http::json::form::Fields;
use crate::index::Index;
use crate::records::Task;
use crate::store::nouns::lawsuits;

/// Form field with the keys of the warnings that the visitor has seen.
pub(in crate::console) const SEEN: &str = "clashes";

enum FormWarning {
    /// The guest's other task at that time.
    Busy { guest: u32, name: String, task: View, day: Option<Day> },
    /// A day of a new task that is past, with the field's label.
    Past(&'static Field, Day),
    /// A deadline on a Saturday or Sunday.
    Weekend(Day),
    /// The day of a deadline that was typed as a number of days, with the key of the count.
    Counted(String, Day),
    /// A task that leaves its case has no customer, because the case has several: their names.
    NoCustomer(Vec<String>),
}

#[derive(Default)]
pub(in crate::console) struct FormWarnings {
    found: Vec<FormWarning>,
    seen: Vec<String>,
}

impl FormWarnings {
    /// Looks for warnings of a new record.
    pub async fn of_new(
        table: &'static Table,
        task_form: TaskForm,
        fields: &Fields,
        visit: &Visit,
    ) -> Result<FormWarnings> {
        let mut warnings = FormWarnings::of_form(table, None, fields, visit).await?;
        if table.kind == Kind::Task && task_form != TaskForm::Held {
            let past = table.stored().filter_map(|field| {
                let (_, text) = fields.iter().find(|(name, _)| *name == field.member)?;
                let day = Day::parse(text).ok().filter(|day| *day < visit.today)?;
                (field.ty == Type::Day).then_some(FormWarning::Past(field, day))
            });
            warnings.found.extend(past);
        }
        Ok(warnings)
    }

    /// Looks for warnings of a form that was sent with these changed fields. `record` is the id of the record that it changes.
    pub async fn of_form(
        table: &'static Table,
        record: Option<u32>,
        changed: &Fields,
        visit: &Visit,
    ) -> Result<FormWarnings> {
        let mut found = Vec::new();
        for field in table.stored().filter(|field| field.column == "date_deadline") {
            let typed = changed.iter().find(|(name, _)| *name == field.member);
            let day = typed.and_then(|(_, text)| Day::parse(text).ok());
            found.extend(day.filter(|day| matches!(day.weekday(), 0 | 6)).map(FormWarning::Weekend));
        }
        if table.kind == Kind::Task {
            let fields = changed.to_vec();
            let zone = visit.zone().clone();
            let read = move |index: &Index, db: Db<'_>| {
                let choices = Choices::of(db)?;
                let mut busy = Vec::new();
                busy.extend(left_without_customer(db, &fields, record)?);
                for clash in clashes(index, db, &fields, record, &zone)? {
                    let guest = clash.guest.get();
                    let name = choices.named(List::Users, &guest.to_string()).0.to_owned();
                    let tasks = View::read(db, Task::TABLE, &[clash.task])?;
                    busy.extend(tasks.into_iter().map(|task| FormWarning::Busy {
                        guest,
                        name: name.clone(),
                        task,
                        day: clash.day,
                    }));
                }
                Ok(busy)
            };
            found.extend(visit.list(read).await?);
        }
        // The part beside a counted deadline has a field of its own.
        let sent = visit.form.iter().filter(|(name, _)| name == SEEN);
        let seen = sent.flat_map(|(_, keys)| keys.split(',')).map(str::to_owned).collect();
        Ok(FormWarnings { found, seen })
    }

    /// Asks to confirm the day of a counted deadline. `key` is what the form sends if the visitor has seen it.
    pub fn confirm(&mut self, key: String, day: Day) {
        self.found.insert(0, FormWarning::Counted(key, day));
    }

    /// Returns `true` if the form already showed all of them.
    pub fn is_seen(&self) -> bool {
        self.found.iter().all(|warning| self.seen.contains(&warning.key()))
    }

    pub fn render(&self, visit: &Visit) -> Markup {
        let keys = self.found.iter().map(FormWarning::key).collect::<Vec<_>>().join(",");
        html! {
            @if !self.found.is_empty() {
                div.alert.alike role="alert" tabindex="-1" data-focus[!self.is_seen()] {
                    p { strong { (visit.pick("Confira antes de salvar:", "Check before you save:")) } }
                    ul { @for warning in &self.found { li { (warning.render(visit)) } } }
                    p { (visit.pick("Nada foi salvo ainda.", "Nothing is saved yet.")) }
                }
                input type="hidden" name=(SEEN) value=(keys);
            }
        }
    }
}

impl FormWarning {
    fn key(&self) -> String {
        match self {
            FormWarning::Busy { guest, task, .. } => format!("{guest}-{}", task.id),
            FormWarning::Past(field, day) => format!("{}-{}", field.member, day.iso()),
            FormWarning::Weekend(day) => day.iso(),
            FormWarning::Counted(key, _) => key.clone(),
            FormWarning::NoCustomer(_) => "customer".to_owned(),
        }
    }

    fn render(&self, visit: &Visit) -> Markup {
        match self {
            FormWarning::Busy { name, task, day, .. } => html! {
                (name) (visit.pick(" já tem, ", " already has, ")) (when(task, *day, visit)) ": "
                @if let Some(pages) = pages_of(Kind::Task) {
                    // Opens in another tab, so that the filled-in form is kept.
                    a href=(pages.at(&task.id.to_string())) target="_blank" { ((pages.presentation.heading)(task, visit.lang)) }
                }
            },
            FormWarning::Past(Field { label, .. }, day) => html! {
                (visit.lang.pick(label.0, label.1)) ": " (written(*day, visit.lang)) (visit.pick(" já passou.", " is past."))
            },
            FormWarning::Weekend(day) => html! {
                (visit.pick("O prazo, ", "The deadline, ")) (written(*day, visit.lang))
                (visit.pick(", cai em ", ", is a ")) (weekday_name(*day, visit.lang)) "."
            },
            FormWarning::Counted(_, day) => html! {
                (visit.pick("O prazo acaba em: ", "The deadline ends on: ")) (in_full_with_year(*day, visit.lang)) "."
            },
            FormWarning::NoCustomer(names) => html! {
                (visit.pick("Sem o processo, a tarefa fica sem cliente. Escolha um, se for de um destes: ", "Without the case, the task has no customer. Choose one, if it is of one of these: ")) (names.join(", ")) "."
            },
        }
    }
}

/// Finds the customers of the case that a task leaves, if there are several and the form names none.
fn left_without_customer(db: Db<'_>, fields: &Fields, task: Option<u32>) -> Result<Option<FormWarning>> {
    let typed = |member: &str| fields.iter().find(|(name, _)| *name == member).map(|(_, text)| text.trim());
    let leaves = typed("lawsuits_id") == Some("") && typed("customers_id").is_none();
    let Some(task) = task.filter(|_| leaves) else { return Ok(None) };
    let task = View::read(db, Task::TABLE, &[task])?.pop();
    let Some(lawsuit) = task.and_then(|task| task.value("lawsuit_id").id()) else { return Ok(None) };
    let customers = lawsuits::customers(db, lawsuit)?;
    let names = customers.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
    Ok(Some(names).filter(|names| names.len() > 1).map(FormWarning::NoCustomer))
}

/// Returns when a task is: `às 14:30`, `em 07/12/2026 às 09:00`, or the days of a task without a time of day. `day` is its
/// first one if the form has another.
fn when(task: &View, day: Option<Day>, visit: &Visit) -> String {
    let written = |day: Day| written(day, visit.lang);
    let time = time(task);
    match (day, task.value("start_date").day().zip(task.value("end_date").day())) {
        (_, Some((first, last))) if time.is_empty() => {
            let [from, to] = [("de ", "from "), (" a ", " to ")].map(|(pt, en)| visit.pick(pt, en));
            [from, &written(first), to, &written(last)].concat()
        }
        (Some(day), _) if time.is_empty() => [visit.pick("em ", "on "), &written(day)].concat(),
        (Some(day), _) => {
            [visit.pick("em ", "on "), &written(day), visit.pick(" às ", " at "), time].concat()
        }
        (None, _) if time.is_empty() => visit.pick("neste dia", "on this day").to_owned(),
        (None, _) => [visit.pick("às ", "at "), time].concat(),
    }
}
