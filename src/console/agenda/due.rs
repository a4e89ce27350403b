//! Due work: tasks, deadlines of publications, and payments, each listed once under one day.

use std::collections::BTreeSet;

use crate::api::pages::{Stage, Status};
use crate::api::tasks::{status, time, whose};
use crate::console::prelude::*;
use crate::console::view::money;
use crate::domain::{Order, Page, TaskStatus};
use crate::index::{Condition, Filter, Guest, Index};
use crate::records::{Publication, Task, Transaction};

/// Records read per query.
const AT_ONCE: u32 = 1000;
/// Tasks read per query when looking for the first pending ones.
const LOOKED_AT: u32 = 500;

/// A task, publication or payment under its day.
pub(in crate::console) struct Due {
    pub pages: &'static Pages,
    pub view: View,
    /// The day that the entry is listed under.
    pub day: Day,
    /// `true` if `day` is the deadline.
    pub is_deadline: bool,
}

/// First and last day of a range; `None` leaves that side open.
pub(in crate::console) type DayRange = (Option<Day>, Option<Day>);

/// The first due entries and the total by kind.
#[derive(Default)]
pub(in crate::console) struct DueList {
    pub first: Vec<Due>,
    /// Entries of each kind, among those that were read.
    pub totals: Vec<(&'static Pages, u64)>,
    /// `true` if there are more tasks than were read.
    pub has_more: bool,
}

impl Due {
    /// Returns the task's time of day, such as `14:30`, or an empty text. A task listed under its deadline on
    /// another day has none.
    pub fn time(&self) -> &str {
        let is_of_day = self.view.value("start_date").day() == Some(self.day);
        if self.is_task() && is_of_day { time(&self.view) } else { "" }
    }

    /// Returns the type of a task, or the heading of another record.
    pub fn what(&self, lang: Lang) -> String {
        match self.is_task() {
            true => self.view.text("task").to_owned(),
            false => (self.pages.presentation.heading)(&self.view, lang),
        }
    }

    /// Returns the customers or the lawsuit's number; for a payment also the amount.
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

    pub fn place(&self) -> &str {
        if self.view.table.kind == Kind::Transaction { "" } else { self.view.text("local") }
    }

    /// Returns the names of the responsible people.
    pub fn who(&self) -> &str {
        self.view.text(if self.is_task() { "guest_names" } else { "responsible" })
    }

    /// Returns the label that distinguishes the entry from a task on its day. A publication that is due needs
    /// none, because its status says so.
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

    /// Sort key within a day: deadlines and entries without a time of day, then timed tasks, then payments.
    fn place_on_day(&self) -> (bool, String, bool, u32) {
        let is_payment = self.view.table.kind == Kind::Transaction;
        (is_payment, self.time().to_owned(), self.is_task(), self.view.id)
    }
}

/// Returns the day to list a task under, and `true` if it is the deadline. An open task is listed under the
/// earlier of day and deadline that is not past, a late one under its deadline, and a done one under its day.
/// Without `with_day`, only the deadline counts.
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

/// Returns all entries of the days for the agenda, in order, for one person or for all.
pub(in crate::console) fn between(
    index: &Index,
    db: Db<'_>,
    (first, last): (Day, Day),
    user: Option<u32>,
    today: Day,
) -> Result<Vec<Due>> {
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

/// Returns the pending entries of the days: up to `most` of each kind, nearest to today first.
pub(in crate::console) fn pending(
    index: &Index,
    db: Db<'_>,
    days: DayRange,
    today: Day,
    most: usize,
) -> Result<DueList> {
    let is_late = days.1.is_some_and(|last| last < today);
    let order = if is_late { Order::Descending } else { Order::Ascending };
    let on_days = Condition::Days(days.0, days.1);
    let guest = Condition::Guest(Guest::of(TaskStatus::Pending));
    let (mut list, mut ids) = (DueList::default(), BTreeSet::new());
    for column in ["start_date", "date_deadline"] {
        let mut filter = Filter::default().with(column, on_days.clone()).with("guests", guest.clone());
        if is_late && column == "start_date" {
            // With a deadline, the task is late only if the deadline has passed.
            filter = filter.with("date_deadline", Condition::IsAbsent(true));
        }
        // The newest are read, because most of those are still current.
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

    /// Returns `true` if the total of this kind counts only what was read.
    pub fn is_cut(&self, pages: &Pages) -> bool {
        self.has_more && pages.table.kind == Kind::Task
    }

    pub fn total(&self) -> u64 {
        self.totals.iter().map(|(_, total)| total).sum()
    }
}

/// The other kinds: each with the column of its due day, and a filter for records that are still open.
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
) -> Result<Vec<Due>> {
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

fn of_others(db: Db<'_>, kind: Kind, column: &'static str, ids: &[u32]) -> Result<Vec<Due>> {
    let Some(pages) = pages_of(kind) else { return Ok(Vec::new()) };
    let views = db.snapshot(|db| View::read(db, pages.table, ids))?;
    let due = views.into_iter().filter_map(|view| {
        let day = view.value(column).day()?;
        Some(Due { pages, view, day, is_deadline: true })
    });
    Ok(due.collect())
}

/// Returns `true` if the person is responsible for the entry, or if `user` is `None`.
fn is_of(due: &Due, user: Option<u32>) -> bool {
    let column = if due.view.table.kind == Kind::Transaction { "user_id" } else { "responsible_id" };
    user.is_none() || due.view.value(column).id() == user
}

/// Returns the ids of all matching records, page by page.
fn all(index: &Index, db: Db<'_>, kind: Kind, filter: &Filter) -> Result<Vec<u32>> {
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
