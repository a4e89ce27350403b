//! Due work: tasks, deadlines of publications, and payments, each listed once under one day.

use std::collections::BTreeSet;

use crate::api::console_pages::{Stage, Status, cut};
use crate::api::publications::case;
use crate::api::tasks::{due_day, end_time, time, whose};
use crate::console::layout::days::near_short;
use crate::console::layout::view::money;
use crate::console::prelude::*;
use crate::domain::{Order, Page, TaskStatus};
use crate::index::{Condition, DayRange, Filter, Guest, Index};
use crate::records::{Publication, Transaction};
use crate::store::nouns::tasks::lasting_until;

const RECORDS_PER_QUERY: u32 = 1000;
/// Tasks read when looking for the first pending ones of a day.
const MAX_TASKS_READ: u32 = 500;
/// Maximum length of a publication's text in an entry, in characters.
const MAX_NOTICE_CHARACTERS: usize = 90;

/// A task, publication or payment under its day. The agenda has a task of several days under each of them.
pub(in crate::console) struct Due {
    pub pages: &'static Pages,
    pub view: View,
    /// The day that the entry is listed under.
    pub day: Day,
    /// `true` if `day` is the deadline.
    pub is_deadline: bool,
}

/// The first due entries and the total by kind.
#[derive(Default)]
pub(in crate::console) struct DueList {
    pub first: Vec<Due>,
    /// Number of all entries of each kind.
    pub totals: Vec<(&'static Pages, u64)>,
}

impl Due {
    /// Returns the task's time of day, such as `14:30`, or an empty text. A task listed under its deadline on
    /// another day has none.
    pub fn time(&self) -> &str {
        let is_of_day = self.view.value("start_date").day() == Some(self.day);
        if self.is_task() && is_of_day { time(&self.view) } else { "" }
    }

    /// Returns the time of day at which a task with a time ends on this day, at most `24:00`. `None` if it has no end.
    pub fn end_time(&self) -> Option<&str> {
        let is_timed = self.is_task() && !self.time().is_empty();
        match self.several_days() {
            Some((_, last)) if last > self.day => is_timed.then_some("24:00"),
            _ => end_time(&self.view).filter(|_| is_timed),
        }
    }

    /// Returns when a task of several days ends, such as `qua 09/12 18:00`, without the day on that day. `None` for all
    /// other entries.
    pub fn until(&self, today: Day, lang: Lang) -> Option<String> {
        let (_, last) = self.several_days()?;
        let day = if last > self.day { near_short(last, today, lang) } else { String::new() };
        let until = [&day, end_time(&self.view).unwrap_or_default()].join(" ").trim().to_owned();
        Some(until).filter(|until| !until.is_empty())
    }

    /// Returns the first and the last day of a task that is not listed under its deadline and lasts several days.
    fn several_days(&self) -> Option<(Day, Day)> {
        let first = self.view.value("start_date").day()?;
        let last = self.view.value("end_date").day()?;
        (self.is_task() && last > first && !self.is_deadline).then_some((first, last))
    }

    /// Returns the type of a task, the beginning of a publication's text, or the heading of another record.
    pub fn what(&self, lang: Lang) -> String {
        match self.view.table.kind {
            Kind::Task => self.view.text("task").to_owned(),
            Kind::Publication => cut(self.view.text("publication"), MAX_NOTICE_CHARACTERS),
            _ => (self.pages.presentation.heading)(&self.view, lang),
        }
    }

    /// Returns the customers or the lawsuit's number, of a publication both; for a payment also the amount.
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
            (Kind::Publication, _) => case(&self.view),
            _ => whose(&self.view),
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

    pub fn stage(&self, visit: &Visit) -> Stage {
        self.status(visit.today).stage
    }

    pub fn is_task(&self) -> bool {
        self.view.table.kind == Kind::Task
    }

    /// Sort key within a day: deadlines and entries without a time of day, then timed tasks, then payments.
    fn place_on_day(&self) -> (bool, String, bool, u32) {
        let is_payment = self.view.table.kind == Kind::Transaction;
        (is_payment, self.time().to_owned(), self.is_task(), self.view.id)
    }
}

/// Returns all entries of the days for the agenda, in order, for one person or for all, with payments or without.
pub(in crate::console) fn between(
    index: &Index,
    db: Db<'_>,
    (first, last): (Day, Day),
    user: Option<u32>,
    has_money: bool,
    today: Day,
) -> Result<Vec<Due>> {
    let days = Condition::Days(Some(first), Some(last));
    let guest = Condition::Guest(Guest { user, ..Guest::of(TaskStatus::All) });
    let mut tasks = BTreeSet::new();
    for column in ["start_date", "date_deadline"] {
        let filter = Filter::default().with(column, days.clone()).with("guests", guest.clone());
        tasks.extend(all(index, db, Kind::Task, &filter)?);
    }
    tasks.extend(lasting_until(db, user, first)?);
    let tasks = tasks.into_iter().collect();
    let mut due = of_tasks(db, tasks, (Some(first), Some(last)), today, true)?;
    let others = others().into_iter().filter(|(kind, ..)| has_money || *kind != Kind::Transaction);
    for (kind, column, open) in others {
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
    let mut list = DueList::default();
    let open = Filter::default().with("guests", Condition::Guest(Guest::of(TaskStatus::Pending)));
    // More than are shown, because the time of day decides which ones are.
    let (found, _) = index.find_due(db, &open, days, today, Page::first(MAX_TASKS_READ))?;
    let tasks = of_tasks(db, found.ids, days, today, false)?;
    list.add(Kind::Task, tasks, found.total, order, most);
    let on_days = Condition::Days(days.0, days.1);
    for (kind, column, open) in others() {
        let page = Page::first(u32::try_from(most).unwrap_or(u32::MAX)).in_order(order);
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
    let first_day = |view: View| {
        let with_day = !in_agenda || view.value("display_schedule").id() == Some(1);
        let (day, is_deadline) = due_day(&view, today, with_day)?;
        Some(Due { pages, view, day, is_deadline })
    };
    let mut due = Vec::new();
    for entry in tasks.into_iter().filter_map(first_day) {
        let (first_day, last_day) =
            entry.several_days().filter(|_| in_agenda).unwrap_or((entry.day, entry.day));
        let days = first_day.max(first.unwrap_or(first_day))..=last_day.min(last.unwrap_or(last_day));
        let each = (days.start().number()..=days.end().number()).filter_map(Day::from_number);
        due.extend(each.map(|day| Due { day, view: entry.view.clone(), ..entry }));
    }
    Ok(due)
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
    let mut ids = Vec::new();
    let mut offset = 0;
    loop {
        let page = Page::parse(None, Some(&offset.to_string()), RECORDS_PER_QUERY)?;
        let found = index.find(db, kind.table(), filter, page)?;
        ids.extend(found.ids);
        offset += u64::from(RECORDS_PER_QUERY);
        if offset >= found.total {
            return Ok(ids);
        }
    }
}
