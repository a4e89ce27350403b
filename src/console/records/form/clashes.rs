//! The warning before a form is stored that someone has another appointment at that time, or that a deadline is on a weekend
//! (office 55). It is shown once; a second click stores the form.

use crate::api::tasks::clashes::clashes;
use crate::console::agenda::calendar::{weekday_name, written};
use crate::console::layout::choices::Choices;
use crate::console::prelude::*;
use crate::http::json::form::Fields;
use crate::index::Index;
use crate::records::Task;

/// Form field with the keys of the warnings that the visitor has seen.
const SEEN: &str = "clashes";

enum Clash {
    /// The guest's other task at that time.
    Busy { guest: u32, name: String, task: View, day: Option<Day> },
    /// A deadline on a Saturday or Sunday.
    Weekend(Day),
}

#[derive(Default)]
pub(in crate::console) struct Clashes {
    found: Vec<Clash>,
    seen: Vec<String>,
}

impl Clashes {
    /// Looks for clashes of a form that was sent with these changed fields. `record` is the id of the record that it changes.
    pub async fn of_form(
        table: &'static Table,
        record: Option<u32>,
        changed: &Fields,
        visit: &Visit,
    ) -> Result<Clashes> {
        let mut found = Vec::new();
        for field in table.stored().filter(|field| field.column == "date_deadline") {
            let typed = changed.iter().find(|(name, _)| *name == field.member);
            let day = typed.and_then(|(_, text)| Day::parse(text).ok());
            found.extend(day.filter(|day| matches!(day.weekday(), 0 | 6)).map(Clash::Weekend));
        }
        if table.kind == Kind::Task {
            let fields = changed.to_vec();
            let zone = visit.zone().clone();
            let read = move |index: &Index, db: Db<'_>| {
                let choices = Choices::of(db)?;
                let mut busy = Vec::new();
                for clash in clashes(index, db, &fields, record, &zone)? {
                    let guest = clash.guest.get();
                    let name = choices.named(List::Users, &guest.to_string()).0.to_owned();
                    let tasks = View::read(db, Task::TABLE, &[clash.task])?;
                    busy.extend(tasks.into_iter().map(|task| Clash::Busy {
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
        let seen = visit.field(SEEN).split(',').map(str::to_owned).collect();
        Ok(Clashes { found, seen })
    }

    /// Returns `true` if the form already showed all of them.
    pub fn is_seen(&self) -> bool {
        self.found.iter().all(|clash| self.seen.contains(&clash.key()))
    }

    pub fn render(&self, visit: &Visit) -> Markup {
        let keys = self.found.iter().map(Clash::key).collect::<Vec<_>>().join(",");
        html! {
            @if !self.found.is_empty() {
                div.alert.alike role="alert" tabindex="-1" data-focus[!self.is_seen()] {
                    p { strong { (visit.pick("Confira antes de salvar:", "Check before you save:")) } }
                    ul { @for clash in &self.found { li { (clash.render(visit)) } } }
                    p { (visit.pick("Nada foi salvo ainda.", "Nothing is saved yet.")) }
                }
                input type="hidden" name=(SEEN) value=(keys);
            }
        }
    }
}

impl Clash {
    fn key(&self) -> String {
        match self {
            Clash::Busy { guest, task, .. } => format!("{guest}-{}", task.id),
            Clash::Weekend(day) => day.iso(),
        }
    }

    fn render(&self, visit: &Visit) -> Markup {
        match self {
            Clash::Busy { name, task, day, .. } => html! {
                (name)
                @match day {
                    None => (visit.pick(" já tem, às ", " already has, at ")),
                    Some(day) => { (visit.pick(" já tem, em ", " already has, on ")) (written(*day, visit.lang)) (visit.pick(" às ", " at ")) },
                }
                 (crate::api::tasks::time(task)) ": "
                @if let Some(pages) = pages_of(Kind::Task) {
                    // Opens in another tab, so that the filled-in form is kept.
                    a href=(pages.at(&task.id.to_string())) target="_blank" { ((pages.presentation.heading)(task, visit.lang)) }
                }
            },
            Clash::Weekend(day) => html! {
                (visit.pick("O prazo, ", "The deadline, ")) (written(*day, visit.lang))
                (visit.pick(", cai em ", ", is a ")) (weekday_name(*day, visit.lang)) "."
            },
        }
    }
}
