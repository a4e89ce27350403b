//! The confirmed deadlines that a row of the calendar touches: open tasks whose count leads to another day now (deadlines 31.9).

use std::collections::BTreeMap;

use crate::api::deadlines::{office_calendar, query_of};
use crate::app::App;
use crate::console::agenda::calendar::{weekday_name, written};
use crate::console::prelude::*;
use crate::records::Task;
use crate::store::tasks::with_count;

/// Maximum number of tasks that are counted again.
const MAX_TASKS: usize = 500;

/// An open task whose count leads to another day than its deadline.
struct DeadlineToReview {
    task: View,
    /// The deadline that was confirmed.
    confirmed: Day,
    /// The day to which the count leads now.
    counted: Day,
}

pub(in crate::console) struct DeadlineReview(Vec<DeadlineToReview>);

impl DeadlineReview {
    /// Counts the first open tasks again, by deadline, and reads those that end on another day now, of the tasks that the caller may
    /// see. With `on`, only those whose count goes over that day.
    pub fn read(db: Db<'_>, app: &App, on: Option<Day>) -> StoreResult<DeadlineReview> {
        let mut calendar = office_calendar(db);
        let mut moved = BTreeMap::new();
        for task in with_count(db, MAX_TASKS)? {
            let query = query_of(&task.query, app);
            let Some(query) = query.filter(|query| on.is_none_or(|on| query.from <= on)) else { continue };
            let day = calendar.count(&query)?.day;
            if day != task.deadline && on.is_none_or(|on| on <= day.max(task.deadline)) {
                moved.insert(task.id, (task.deadline, day));
            }
        }
        let ids = moved.keys().copied().collect::<Vec<_>>();
        let of_task = |task: View| {
            let (confirmed, counted) = *moved.get(&task.id)?;
            Some(DeadlineToReview { task, confirmed, counted })
        };
        let mut found: Vec<_> = View::read(db, Task::TABLE, &ids)?.into_iter().filter_map(of_task).collect();
        found.sort_by_key(|one| one.confirmed);
        Ok(DeadlineReview(found))
    }

    /// Reads the deadlines that a holiday touches. `None` for other records.
    pub fn of_holiday(db: Db<'_>, app: &App, record: &View) -> StoreResult<Option<DeadlineReview>> {
        let day = record.value("day").day().filter(|_| record.table.kind == Kind::Holiday);
        day.map(|day| DeadlineReview::read(db, app, Some(day))).transpose()
    }

    pub fn render(&self, visit: &Visit) -> Markup {
        let in_words = |day: Day| format!("{}, {}", weekday_name(day, visit.lang), written(day, visit.lang));
        let case = visit.pick("Processo", "Case");
        let confirmed = visit.pick("Prazo confirmado", "Confirmed deadline");
        let counted = visit.pick("A conta agora", "The count now");
        html! {
            @if let Some(pages) = pages_of(Kind::Task).filter(|_| !self.0.is_empty()) {
                section.below {
                    header { h2 { (visit.pick("Prazos a conferir", "Deadlines to review")) } }
                    p.quiet { (visit.pick(
                        "Pelo calendário de agora, a conta destes prazos acaba em outro dia. Nada muda sozinho: abra a tarefa e decida.",
                        "By the calendar of now, the count of these deadlines ends on another day. Nothing moves by itself: open the task and decide.",
                    )) }
                    table.list data-rows {
                        thead { tr {
                            th scope="col" { (visit.pick("Tarefa", "Task")) }
                            th scope="col" { (case) }
                            th scope="col" { (confirmed) }
                            th scope="col" { (counted) }
                        } }
                        tbody { @for one in &self.0 { tr {
                            td.name { a href=(pages.at(&one.task.id.to_string())) { (pages.name(&one.task, visit.lang)) } }
                            td.whole data-label=(case) { (one.task.text("process_number")) }
                            td data-label=(confirmed) { (in_words(one.confirmed)) }
                            td data-label=(counted) { (in_words(one.counted)) }
                        } } }
                    }
                }
            }
        }
    }
}
