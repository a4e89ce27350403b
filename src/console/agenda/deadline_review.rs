//! The confirmed deadlines that a row of the calendar touches: open tasks and untreated publications whose count leads to
//! another day now (deadlines 31.9).

use crate::api::deadlines::{office_calendar, query_of};
use crate::app::App;
use crate::console::layout::days::{weekday_name, written};
use crate::console::prelude::*;
use crate::store::records::deadline_counts;

/// Maximum number of deadlines that are counted again.
const MAX_DEADLINES: usize = 500;

/// A task or a publication whose count leads to another day than its deadline.
struct DeadlineToReview {
    record: View,
    /// The deadline that was confirmed.
    confirmed: Day,
    /// The day to which the count leads now.
    counted: Day,
}

pub(in crate::console) struct DeadlineReview(Vec<DeadlineToReview>);

impl DeadlineReview {
    /// Counts the first deadlines again and reads those that end on another day now, by deadline, of the records that the
    /// caller may see. With `on`, only those whose count goes over that day.
    pub fn read(db: Db<'_>, app: &App, on: Option<Day>) -> StoreResult<DeadlineReview> {
        let mut calendar = office_calendar(db);
        let mut moved = Vec::new();
        for kept in deadline_counts::open(db, MAX_DEADLINES)? {
            let query = query_of(&kept.query, app);
            let Some(query) = query.filter(|query| on.is_none_or(|on| query.from <= on)) else { continue };
            let counted = calendar.count(&query)?.day;
            let confirmed = kept.deadline;
            if counted != confirmed && on.is_none_or(|on| on <= counted.max(confirmed)) {
                let record = View::read(db, kept.kind.table(), &[kept.id])?.pop();
                moved.extend(record.map(|record| DeadlineToReview { record, confirmed, counted }));
            }
        }
        Ok(DeadlineReview(moved))
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
            @if !self.0.is_empty() {
                section.below {
                    header { h2 { (visit.pick("Prazos a conferir", "Deadlines to review")) } }
                    p.quiet { (visit.pick(
                        "Pelo calendário de agora, a conta destes prazos acaba em outro dia. Nada muda sozinho: abra cada um e decida.",
                        "By the calendar of now, the count of these deadlines ends on another day. Nothing moves by itself: open each one and decide.",
                    )) }
                    table.list data-rows {
                        thead { tr {
                            th scope="col" { (visit.pick("Tarefa ou publicação", "Task or publication")) }
                            th scope="col" { (case) }
                            th scope="col" { (confirmed) }
                            th scope="col" { (counted) }
                        } }
                        tbody { @for one in &self.0 { tr {
                            td.name { @if let Some(pages) = pages_of(one.record.table.kind) {
                                a href=(pages.at(&one.record.id.to_string())) { (pages.name(&one.record, visit.lang)) }
                            } }
                            td.whole data-label=(case) { (one.record.text("process_number")) }
                            td data-label=(confirmed) { (in_words(one.confirmed)) }
                            td data-label=(counted) { (in_words(one.counted)) }
                        } } }
                    }
                }
            }
        }
    }
}
