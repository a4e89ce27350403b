//! What the office has to act on: tasks, deadlines of publications and payments, each once, under the day that counts.

use std::collections::BTreeSet;

use super::view::money;
use crate::api::pages::{Pages, Stage, Status, View};
use crate::api::pages_of;
use crate::api::tasks::{status, time, whose};
use crate::domain::{Bilingual, Day, Lang, Order, Page, TaskStatus};
use crate::http::Problem;
use crate::index::{Condition, Filter, Guest, Index};
use crate::records::{Kind, Publication, Record, Task, Transaction, Value};
use crate::store::Db;

/// How many records are read at once.
const AT_ONCE: u32 = 1000;
/// How many records of a kind are read to find the first of them.
const LOOKED_AT: u32 = 500;

/// Something to act on.
pub(super) struct Due {
    pub pages: &'static Pages,
    pub view: View,
    /// The day that counts.
    pub day: Day,
    /// `true` if that is a deadline.
    pub is_deadline: bool,
}

/// The first days and the last; without an end the range is open.
pub(super) type DayRange = (Option<Day>, Option<Day>);

/// The first of what is due, and how many there are in all.
#[derive(Default)]
pub(super) struct DueList {
    pub first: Vec<Due>,
    /// How many there are of each kind, as far as they were read.
    pub totals: Vec<(&'static Pages, u64)>,
    /// `true` if there are more than were read.
    pub has_more: bool,
}

impl Due {
    /// The time of day, as `14:30`; empty without one. A deadline on another day than its task has none.
    pub fn time(&self) -> &str {
        let is_of_day = self.view.value("start_date").day() == Some(self.day);
        if self.is_task() && is_of_day { time(&self.view) } else { "" }
    }

    /// What it is: the type of a task, the heading of another record.
    pub fn what(&self, lang: Lang) -> String {
        match self.is_task() {
            true => self.view.text("task").to_owned(),
            false => (self.pages.presentation.heading)(&self.view, lang),
        }
    }

    /// For whom: the customers, or the lawsuit's number; of a payment also how much.
    pub fn whose(&self, lang: Lang) -> String {
        let [name, number] = ["name", "process_number"].map(|column| self.view.text(column));
        match (self.view.table.kind, self.view.value("amount")) {
            (Kind::Transaction, Value::Integer(centavos)) => {
                let name = if name.is_empty() { number } else { name };
                let amount = format!("R$ {}", money((*centavos).into(), lang));
                [amount.as_str(), name]
                    .map(str::to_owned)
                    .into_iter()
                    .filter(|text| !text.is_empty())
                    .collect::<Vec<_>>()
                    .join(" · ")
            }
            _ => whose(&self.view).to_owned(),
        }
    }

    /// Where it is to be done.
    pub fn place(&self) -> &str {
        if self.view.table.kind == Kind::Transaction { "" } else { self.view.text("local") }
    }

    /// Who is to do it.
    pub fn who(&self) -> &str {
        self.view.text(if self.is_task() { "guest_names" } else { "responsible" })
    }

    /// What tells it from a task on its day. The status of a publication whose deadline has come says so itself.
    pub fn mark(&self, today: Day) -> Option<Bilingual> {
        match self.view.table.kind {
            Kind::Transaction if self.view.text("entry_type") == "income" => {
                Some(("a receber", "to receive"))
            }
            Kind::Transaction => Some(("a pagar", "to pay")),
            Kind::Publication if self.day <= today => None,
            _ => self.is_deadline.then_some(("prazo", "deadline")),
        }
    }

    pub fn status(&self, today: Day) -> Status {
        self.pages.status(&self.view, today).unwrap_or(Status { word: ("", ""), stage: Stage::Open })
    }

    fn is_task(&self) -> bool {
        self.view.table.kind == Kind::Task
    }

    /// In which order those of a day stand: deadlines and what has no time of day, then by the clock, then payments.
    fn place_on_day(&self) -> (bool, String, bool, u32) {
        let is_payment = self.view.table.kind == Kind::Transaction;
        (is_payment, self.time().to_owned(), self.is_task(), self.view.id)
    }
}

/// The day under which a task stands, and whether that is its deadline: the earlier of day and deadline that is still to come.
/// Of a task that is done, its day; of one that is late, its deadline. Without `with_day` its day does not count.
fn day_of_task(task: &View, today: Day, with_day: bool) -> Option<(Day, bool)> {
    let day = task.value("start_date").day().filter(|_| with_day).map(|day| (day, false));
    let deadline = task.value("date_deadline").day().map(|day| (day, true));
    let (Some(day), Some(deadline)) = (day, deadline) else { return day.or(deadline) };
    let is_done = status(task, today).stage == Stage::Done;
    let is_late = deadline.0 < today;
    match day.0 == deadline.0 {
        true => Some(deadline),
        false if is_done => Some(day),
        false if is_late || day.0 < today => Some(deadline),
        false => Some(day.min(deadline)),
    }
}

/// Everything on those days, of one person or of all, by day: what stands in the agenda.
///
/// # Errors
/// Why the store or the index cannot be read.
pub(super) fn between(
    index: &Index,
    db: Db<'_>,
    (first, last): (Day, Day),
    user: Option<u32>,
    today: Day,
) -> Result<Vec<Due>, Problem> {
    let days = Condition::Days(Some(first), Some(last));
    let guest = Condition::Guest(Guest { user, ..Guest::of(TaskStatus::All) });
    let mut tasks = BTreeSet::new();
    for column in ["start_date", "date_deadline"] {
        let filter = Filter::default().with(column, days.clone()).with("guests", guest.clone());
        tasks.extend(all(index, db, Kind::Task, &filter)?);
    }
    let tasks = tasks.into_iter().collect();
    let mut due = of_tasks(db, tasks, (Some(first), Some(last)), today, true)?;
    for (kind, column, open) in others() {
        let ids = all(index, db, kind, &open.with(column, days.clone()))?;
        due.extend(of_others(db, kind, column, &ids)?.into_iter().filter(|due| is_of(due, user)));
    }
    due.sort_by_cached_key(|due| (due.day, due.place_on_day()));
    Ok(due)
}

/// What is pending on those days, `most` of each kind: the nearest to today first.
///
/// # Errors
/// Why the store or the index cannot be read.
pub(super) fn pending(
    index: &Index,
    db: Db<'_>,
    days: DayRange,
    today: Day,
    most: usize,
) -> Result<DueList, Problem> {
    let is_late = days.1.is_some_and(|last| last < today);
    let order = if is_late { Order::Descending } else { Order::Ascending };
    let on_days = Condition::Days(days.0, days.1);
    let guest = Condition::Guest(Guest::of(TaskStatus::Pending));
    let (mut list, mut ids) = (DueList::default(), BTreeSet::new());
    for column in ["start_date", "date_deadline"] {
        let mut filter = Filter::default().with(column, on_days.clone()).with("guests", guest.clone());
        if is_late && column == "start_date" {
            // With a deadline, that tells.
            filter = filter.with("date_deadline", Condition::IsAbsent(true));
        }
        // The newest, of which most is still true.
        let page = Page::parse(None, None, LOOKED_AT)?.in_order(Order::Descending);
        let found = index.find(db, Task::TABLE, &filter, page)?;
        list.has_more |= found.total > u64::from(LOOKED_AT);
        ids.extend(found.ids);
    }
    let tasks = of_tasks(db, ids.into_iter().collect(), days, today, false)?;
    let total = u64::try_from(tasks.len()).unwrap_or(u64::MAX);
    list.add(Kind::Task, tasks, total, order, most);
    for (kind, column, open) in others() {
        let page = Page::parse(None, None, u32::try_from(most).unwrap_or(u32::MAX))?.in_order(order);
        let filter = open.with(column, on_days.clone());
        let (found, _) = index.find_and_sum(db, kind.table(), &filter, (page, Some(column)), ("", &[]))?;
        let due = of_others(db, kind, column, &found.ids)?;
        list.add(kind, due, found.total, order, most);
    }
    Ok(list)
}

impl DueList {
    fn add(&mut self, kind: Kind, mut due: Vec<Due>, total: u64, order: Order, most: usize) {
        due.sort_by_cached_key(|due| (due.day, due.place_on_day()));
        if order == Order::Descending {
            due.reverse();
        }
        due.truncate(most);
        self.first.extend(due);
        self.totals.extend(pages_of(kind).filter(|_| total > 0).map(|pages| (pages, total)));
    }

    pub fn total(&self) -> u64 {
        self.totals.iter().map(|(_, total)| total).sum()
    }
}

/// The other kinds that have to be acted on, each with the column of its day, and the filter of those that are still open.
fn others() -> [(Kind, &'static str, Filter); 2] {
    let untreated = Filter::default().with("treated", Condition::Value(Value::Integer(0)));
    let unpaid = Filter::default().with("date_payment", Condition::IsAbsent(true));
    [(Publication::TABLE.kind, "date_deadline", untreated), (Transaction::TABLE.kind, "date_due", unpaid)]
}

fn of_tasks(
    db: Db<'_>,
    ids: Vec<u32>,
    (first, last): DayRange,
    today: Day,
    in_agenda: bool,
) -> Result<Vec<Due>, Problem> {
    let Some(pages) = pages_of(Kind::Task) else { return Ok(Vec::new()) };
    let tasks = db.snapshot(|db| View::read(db, pages.table, &ids))?;
    let due = tasks.into_iter().filter_map(|view| {
        let with_day = !in_agenda || view.value("display_schedule").id() == Some(1);
        let (day, is_deadline) = day_of_task(&view, today, with_day)?;
        let is_within = first.is_none_or(|first| first <= day) && last.is_none_or(|last| day <= last);
        is_within.then_some(Due { pages, view, day, is_deadline })
    });
    Ok(due.collect())
}

fn of_others(db: Db<'_>, kind: Kind, column: &'static str, ids: &[u32]) -> Result<Vec<Due>, Problem> {
    let Some(pages) = pages_of(kind) else { return Ok(Vec::new()) };
    let views = db.snapshot(|db| View::read(db, pages.table, ids))?;
    let due = views.into_iter().filter_map(|view| {
        let day = view.value(column).day()?;
        Some(Due { pages, view, day, is_deadline: true })
    });
    Ok(due.collect())
}

/// Returns `true` if it is that person's, or if no person is asked for.
fn is_of(due: &Due, user: Option<u32>) -> bool {
    let column = if due.view.table.kind == Kind::Transaction { "user_id" } else { "responsible_id" };
    user.is_none() || due.view.value(column).id() == user
}

/// The ids of all that match.
fn all(index: &Index, db: Db<'_>, kind: Kind, filter: &Filter) -> Result<Vec<u32>, Problem> {
    let (mut ids, mut offset) = (Vec::new(), 0);
    loop {
        let page = Page::parse(None, Some(&offset.to_string()), AT_ONCE)?;
        let found = index.find(db, kind.table(), filter, page)?;
        ids.extend(found.ids);
        offset += u64::from(AT_ONCE);
        if offset >= found.total {
            return Ok(ids);
        }
    }
}
