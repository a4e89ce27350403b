//! Due work: tasks, deadlines of publications, and payments, each listed once under one day.

use std::collections::BTreeSet;

use crate::api::pages::{Stage, Status, cut};
use crate::api::publications::case;
use crate::api::tasks::{due_day, time, whose};
use crate::console::layout::view::money;
use crate::console::prelude::*;
use crate::domain::{Order, Page, TaskStatus};
use crate::index::{Condition, DayRange, Filter, Guest, Index};
use crate::records::{Publication, Transaction};

/// Records read per query.
const AT_ONCE: u32 = 1000;
/// Tasks read when looking for the first pending ones of a day.
const LOOKED_AT: u32 = 500;
/// Maximum length of a publication's text in an entry, in characters.
const NOTICE: usize = 90;

/// A task, publication or payment under its day.
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

    /// Returns the time of day at which a task with a time ends, or `24:00` if it ends on a later day. `None` if it has no
    /// end.
    pub fn end_time(&self) -> Option<&str> {
        let is_later = self.view.value("end_date").day().is_some_and(|end| end > self.day);
        let time = self.view.text("end_time").get(..5).filter(|time| *time != "00:00");
        if self.time().is_empty() || !self.is_task() {
            return None;
        }
        if is_later { Some("24:00") } else { time }
    }

    /// Returns the type of a task, the beginning of a publication's text, or the heading of another record.
    pub fn what(&self, lang: Lang) -> String {
        match self.view.table.kind {
            Kind::Task => self.view.text("task").to_owned(),
            Kind::Publication => cut(self.view.text("publication"), NOTICE),
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
    let (found, _) = index.find_due(db, &open, days, today, Page::first(LOOKED_AT))?;
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
    let due = tasks.into_iter().filter_map(|view| {
        let with_day = !in_agenda || view.value("display_schedule").id() == Some(1);
        let (day, is_deadline) = due_day(&view, today, with_day)?;
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
    let mut ids = Vec::new();
    let mut offset = 0;
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
