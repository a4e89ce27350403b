//! The tasks that others gave to the person since the person last had the overview or the tasks open (office 55).

use crate::console::agenda::calendar::written;
use crate::console::prelude::*;
use crate::console::records::rows::stage;
use crate::records::Task;
use crate::store::journal::Who;
use crate::store::{Tx, given_tasks};

/// Tasks that the overview lists.
const LISTED: u32 = 10;

/// The newest of the tasks, and the number of all.
#[derive(Default)]
pub(super) struct Given {
    first: Vec<View>,
    total: u64,
}

/// Returns the person whose tasks these are. `None` if the browser's person is unknown, or may not see tasks.
fn person(visit: &Visit) -> Option<u32> {
    match visit.caller.who {
        Some(Who::Person(id)) if visit.may(Access::Read(Kind::Task)) => Some(id),
        _ => None,
    }
}

/// Counts the tasks for the navigation.
pub(super) async fn count_for(visit: &Visit) -> u64 {
    let Some(user) = person(visit) else { return 0 };
    let version = visit.app().store().version();
    if let Some(count) = visit.console.given.find(user, version) {
        return count;
    }
    let count = visit.read(move |db| Ok(given_tasks::count(db, user)?)).await.unwrap_or_default();
    visit.console.given.keep(user, version, count);
    count
}

/// Notes that the person looks now.
pub(super) async fn look(visit: &Visit) -> Result<()> {
    read_and_look(visit, |_, _| Ok(())).await
}

/// Reads what the person looks at, and notes that the person looks now. Does not wait for the note, as a long write may
/// be under way.
async fn read_and_look<T: Default + Send + 'static>(
    visit: &Visit,
    read: impl FnOnce(Db<'_>, u32) -> Result<T> + Send + 'static,
) -> Result<T> {
    let Some(user) = person(visit) else { return Ok(T::default()) };
    let version = visit.app().store().version();
    let both = move |db: Db<'_>| Ok((given_tasks::noted(db, user)?, read(db, user)?));
    let (noted, read) = visit.read(both).await?;
    let is_news = noted.as_ref().is_none_or(|tasks| !tasks.is_empty());
    if is_news {
        let tasks = noted.unwrap_or_default();
        let look = move |tx: Tx<'_>| given_tasks::look(tx, user, &tasks);
        visit.app().store().submit(look, move |looked| {
            if let Err(cause) = looked {
                tracing::error!(%cause, "what a person looked at was not noted");
            }
        });
        // What is not in the journal leaves the store's version as it is.
        visit.console.given.keep(user, version, 0);
    }
    Ok(read)
}

impl Given {
    /// Reads the tasks, and notes that the person looks now.
    pub async fn read(visit: &Visit) -> Result<Given> {
        let read = |db: Db<'_>, user| {
            let first = View::read(db, Task::TABLE, &given_tasks::newest(db, user, LISTED)?)?;
            Ok(Given { first, total: given_tasks::count(db, user)? })
        };
        read_and_look(visit, read).await
    }

    pub fn draw(&self, visit: &Visit) -> Markup {
        let Some(pages) = pages_of(Kind::Task).filter(|_| self.total > 0) else { return html! {} };
        html! {
            section.panel.given {
                h2 { (visit.pick("Novas para você", "New for you")) " (" (count(self.total, visit.lang)) ")" }
                ul.tasks { @for task in &self.first {
                    @let day = task.value("date_deadline").day().or_else(|| task.value("start_date").day());
                    li {
                        span.on { @if let Some(day) = day { (written(day, visit.lang)) } }
                        div {
                            a href=(pages.at(&task.id.to_string())) { ((pages.presentation.heading)(task, visit.lang)) }
                            @if let Some(status) = pages.status(task, visit.today) { " " (stage(&status, visit.lang)) }
                            p.quiet { (visit.pick("de ", "from ")) (task.text("author")) }
                        }
                    }
                } }
                @if self.total > self.first.len() as u64 {
                    p { a href={ (BASE) "/" (pages.path()) } { (visit.pick("Ver todas as tarefas", "See all tasks")) } }
                }
            }
        }
    }
}
