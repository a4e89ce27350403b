//! The tasks that others assigned to the person, until the overview or a list shows them to the person (office 55).

use std::sync::atomic::Ordering;

use crate::api::changes::history;
use crate::console::layout::days::written;
use crate::console::prelude::*;
use crate::console::records::list::rows::stage;
use crate::records::Task;
use crate::store::Tx;
use crate::store::journal::Who;
use crate::store::nouns::tasks::assigned_tasks;

/// Tasks that the overview lists.
const MAX_LISTED_TASKS: usize = 10;
/// Changes of a task among which the one that assigned it to the person is looked for.
const MAX_READ_CHANGES: u32 = 20;

/// The newest of the tasks, and the number of all.
#[derive(Default)]
pub(in crate::console) struct AssignedTasks {
    /// Each with the name of who assigned it.
    first: Vec<(View, String)>,
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
pub(in crate::console) async fn count_for(visit: &Visit) -> u64 {
    let Some(user) = person(visit) else { return 0 };
    let version = visit.app().store().version();
    if let Some(count) = visit.console.assigned.find(user, version) {
        return count;
    }
    let count = visit.read(move |db| Ok(assigned_tasks::count(db, user)?)).await.unwrap_or_default();
    visit.console.assigned.keep(user, version, count);
    count
}

/// Notes that the person is shown these tasks.
pub(in crate::console) async fn mark_seen(visit: &Visit, shown: &[u32]) -> Result<()> {
    let Some(user) = person(visit) else { return Ok(()) };
    let version = visit.app().store().version();
    let read = move |db: Db<'_>| Ok((assigned_tasks::noted(db, user)?, assigned_tasks::assigned(db, user)?));
    let (noted, assigned) = visit.read(read).await?;
    note(visit, user, version, (noted, &assigned), shown);
    Ok(())
}

/// Notes that a person is shown tasks. Does not wait for that, as a long write may be under way. `noted` and `assigned` were
/// read when the store had that version.
fn note(
    visit: &Visit,
    user: u32,
    version: u64,
    (noted, assigned): (Option<Vec<u32>>, &[u32]),
    shown: &[u32],
) {
    let is_first = noted.is_none();
    // What is done or deleted is not new any more either.
    let is_over = |task: &u32| shown.contains(task) || !assigned.contains(task);
    let tasks = noted.unwrap_or_default().into_iter().filter(is_over).collect::<Vec<_>>();
    let left = assigned.iter().filter(|task| !shown.contains(task)).count() as u64;
    visit.assigned.store(left, Ordering::Relaxed);
    if is_first || !tasks.is_empty() {
        let mark = move |tx: Tx<'_>| assigned_tasks::mark_seen(tx, user, &tasks);
        visit.app().store().submit(mark, move |marked| {
            if let Err(cause) = marked {
                tracing::error!(%cause, "what a person looked at was not noted");
            }
        });
        // What is not in the journal leaves the store's version as it is.
        visit.console.assigned.keep(user, version, left);
    }
}

/// Returns the name of the person who put `user` among the guests of a task, otherwise of the task's author.
fn assigner(db: Db<'_>, task: &View, user: u32) -> Result<String> {
    let changes = history::of_record(db, Task::TABLE, task.id, MAX_READ_CHANGES)?;
    let assigned = changes.into_iter().find(|change| {
        let [before, after] = &change.guests;
        after.contains_key(&user) && !before.contains_key(&user)
    });
    let assigner = assigned.and_then(|change| change.entry.person);
    Ok(assigner.unwrap_or_else(|| task.text("author").to_owned()))
}

impl AssignedTasks {
    /// Reads the tasks, and notes that the person is shown the first ones.
    pub async fn read(visit: &Visit) -> Result<AssignedTasks> {
        let Some(user) = person(visit) else { return Ok(AssignedTasks::default()) };
        let version = visit.app().store().version();
        let read = move |db: Db<'_>| {
            let assigned = assigned_tasks::assigned(db, user)?;
            let newest = assigned.iter().copied().take(MAX_LISTED_TASKS).collect::<Vec<_>>();
            let mut first = Vec::new();
            for task in View::read(db, Task::TABLE, &newest)? {
                let assigner = assigner(db, &task, user)?;
                first.push((task, assigner));
            }
            Ok((assigned_tasks::noted(db, user)?, assigned, first))
        };
        let (noted, assigned, first) = visit.read(read).await?;
        let shown = first.iter().map(|(task, _)| task.id).collect::<Vec<_>>();
        note(visit, user, version, (noted, &assigned), &shown);
        Ok(AssignedTasks { first, total: assigned.len() as u64 })
    }

    pub fn render(&self, visit: &Visit) -> Markup {
        let Some(pages) = pages_of(Kind::Task).filter(|_| self.total > 0) else { return html! {} };
        html! {
            section.panel.assigned {
                h2 { (visit.pick("Novas para você", "New for you")) " (" (count(self.total, visit.lang)) ")" }
                ul.tasks { @for (task, assigner) in &self.first {
                    @let day = task.value("date_deadline").day().or_else(|| task.value("start_date").day());
                    li {
                        span.on { @if let Some(day) = day { (written(day, visit.lang)) } }
                        div {
                            a href=(pages.at(&task.id.to_string())) { ((pages.presentation.heading)(task, visit.lang)) }
                            @if let Some(status) = pages.status(task, visit.today) { " " (stage(&status, visit.lang)) }
                            p.quiet { (visit.pick("de ", "from ")) (assigner) }
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
