//! An invented office with any number of records of each kind, identical for the same seed.
//!
//! Used for benchmarks, tests and for trying the program. Names, numbers and dates are typical of Brazil, but
//! no person is real. Everything is written through the store's own functions and the domain's own rules.

mod customers;
mod holidays;
mod lawsuits;
mod movements;
mod names;
mod places;
mod publications;
mod random;
mod tasks;
mod transactions;
mod words;

use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use crate::domain::id::Id;
use crate::domain::{Day, Flow, Name, Whole};
use crate::records::{
    BankId, Category, CategoryId, CostCenterId, DepartmentId, OriginId, Record, StageId, Task, TaskType,
    TaskTypeId, TypeId, User, UserId,
};
use crate::store::lists::{self, List};
use crate::store::{self, Db, Store, Tx, records};

use names::NamePool;
use places::City;
use random::{Ranked, Rng};

/// Maximum number of records of a kind. Tax ids are unique up to this number.
pub const MAX_RECORDS: u32 = 50_000_000;

/// Rows in one transaction, enough to make the cost of its fsync negligible.
const ROWS_PER_TRANSACTION: u32 = 10_000;

/// Number of users added to the one that every new store has.
const COLLEAGUES: u32 = 11;

/// The office's first day in the program, a Monday, and the working weeks since then: ten years up to October
/// 2026. These are fixed, so that the same seed gives the same rows on any day.
const FIRST_DAY: (i16, u8, u8) = (2016, 11, 7);
const WEEKS: u64 = 521;

/// Start and length of a working day in seconds: ten hours from 11:00 UTC, which is eight o'clock in most of Brazil.
const OPENS: u64 = 11 * 3600;
const OPEN: u64 = 10 * 3600;

/// The numbers of records to create, each at most [`MAX_RECORDS`]. Lawsuits require a customer; tasks and movements
/// require a lawsuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub customers: u32,
    pub lawsuits: u32,
    pub tasks: u32,
    pub movements: u32,
    /// A few of these belong to no lawsuit.
    pub publications: u32,
    pub transactions: u32,
    /// Each seed gives a different office.
    pub seed: u64,
}

impl Plan {
    /// Creates the plan of an office with that many customers and lawsuits and a proportionate number of other records.
    pub fn of(customers: u32, lawsuits: u32) -> Plan {
        let each = |times: u32| lawsuits.saturating_mul(times).min(MAX_RECORDS);
        Plan {
            customers,
            lawsuits,
            tasks: each(2),
            movements: each(6),
            publications: each(1),
            transactions: each(2),
            seed: 1,
        }
    }

    pub fn rows(&self) -> u64 {
        let Plan { customers, lawsuits, tasks, movements, publications, transactions, seed: _ } = *self;
        [customers, lawsuits, tasks, movements, publications, transactions].into_iter().map(u64::from).sum()
    }
}

/// The values from which rows are made.
struct Office {
    plan: Plan,
    seed: u64,
    names: NamePool,
    cities: Ranked<City>,
    users: Vec<UserId>,
    origins: Ranked<OriginId>,
    types: Ranked<TypeId>,
    /// With `true` if a lawsuit in this stage is closed.
    stages: Ranked<(StageId, bool)>,
    /// With the points of the task type.
    task_types: Ranked<(TaskTypeId, Whole<0, 1_000_000>)>,
    /// With the direction of the category's money.
    categories: Vec<(CategoryId, Flow)>,
    banks: Vec<BankId>,
    cost_centers: Vec<CostCenterId>,
    departments: Vec<DepartmentId>,
}

impl Office {
    fn new(db: Db<'_>, plan: Plan) -> Result<Office, store::Error> {
        let entries = |list| -> Result<Vec<lists::Entry>, store::Error> {
            let mut entries = lists::all(db, list)?;
            // In random order, so that the frequent entries do not all belong to the first group or step.
            entries.sort_by_key(|entry| random::scattered(plan.seed, entry.id));
            Ok(entries)
        };
        let closing = lists::all(db, List::Steps)?.pop().map(|step| step.id);
        let stage = |stage: lists::Entry| (StageId::from_stored(stage.id), stage.parent == closing);
        let task_types = read::<TaskType>(db, entries(List::Tasks)?)?;
        let categories = read::<Category>(db, entries(List::Categories)?)?;
        Ok(Office {
            plan,
            seed: plan.seed,
            names: NamePool::new(),
            cities: Ranked::new(places::all(), 2),
            users: ids(entries(List::Users)?),
            origins: Ranked::new(ids(entries(List::Origins)?), 1),
            types: Ranked::new(ids(entries(List::Types)?), 3),
            stages: Ranked::new(entries(List::Stages)?.into_iter().map(stage), 5),
            task_types: Ranked::new(task_types.into_iter().map(|(id, kind)| (id, kind.reward)), 2),
            categories: categories.into_iter().map(|(id, category)| (id, category.flow)).collect(),
            banks: ids(entries(List::Banks)?),
            cost_centers: ids(entries(List::CostCenters)?),
            departments: ids(entries(List::Departments)?),
        })
    }
}

fn ids<R>(entries: Vec<lists::Entry>) -> Vec<Id<R>> {
    entries.into_iter().map(|entry| Id::from_stored(entry.id)).collect()
}

fn read<R: Record>(db: Db<'_>, entries: Vec<lists::Entry>) -> Result<Vec<(Id<R>, R)>, store::Error> {
    let mut all = Vec::new();
    for id in ids(entries) {
        all.extend(records::by_id::<R>(db, id)?.map(|record| (id, record)));
    }
    Ok(all)
}

/// Fills an empty store in large transactions. Reports the number of rows to `progress` after each one. On
/// failure, committed rows stay.
pub fn fill(store: &Store, plan: Plan, mut progress: impl FnMut(u64)) -> Result<(), store::Error> {
    store.write(move |tx| {
        colleagues(tx, plan.seed)?;
        let mut rows = holidays::holidays(plan.seed).into_iter();
        rows.try_for_each(|row| records::insert(tx, &row, moment(0, 1)).map(|_| ()))
    })?;
    let office = store.read(move |db| Office::new(db, plan))?;
    let office = Arc::new(office);
    let mut before = 0;
    let customer = |row, _| customers::customer(&office, row);
    before += in_batches(store, plan.customers, customer, nothing, |rows| progress(before + rows))?;
    let lawsuit = |row, day| lawsuits::lawsuit(&office, row, day);
    before += in_batches(store, plan.lawsuits, lawsuit, nothing, |rows| progress(before + rows))?;
    let transaction = |row, day| transactions::transaction(&office, row, day);
    before += in_batches(store, plan.transactions, transaction, nothing, |rows| progress(before + rows))?;
    let movement = |row, day| movements::movement(&office, row, day);
    before += in_batches(store, plan.movements, movement, nothing, |rows| progress(before + rows))?;
    let publication = |row, day| publications::publication(&office, row, day);
    before += in_batches(store, plan.publications, publication, nothing, |rows| progress(before + rows))?;
    let done = office.clone();
    let complete = move |tx: Tx<'_>, id: Id<Task>, task: &Task| {
        let mut all = tasks::completions(&done, id.get() - 1, task).into_iter();
        all.try_for_each(|(user, at)| store::nouns::tasks::complete(tx, id, user, at).map(|_| ()))
    };
    let task = |row, day| tasks::task(&office, row, day);
    in_batches(store, plan.tasks, task, complete, |rows| progress(before + rows))?;
    Ok(())
}

/// The additional writes of most records.
fn nothing<R>(_: Tx<'_>, _: Id<R>, _: &R) -> Result<(), store::Error> {
    Ok(())
}

/// Writes `count` rows, each made from its number and its day of creation, and the additional rows that `also` writes
/// for it. Makes the next batch while the writer stores the previous one. Returns the number of rows.
fn in_batches<R: Record + 'static>(
    store: &Store,
    count: u32,
    make: impl Fn(u32, Day) -> Option<R>,
    also: impl Fn(Tx<'_>, Id<R>, &R) -> Result<(), store::Error> + Clone + Send + 'static,
    mut progress: impl FnMut(u64),
) -> Result<u64, store::Error> {
    let row = |row| {
        let record = day(row, count).and_then(|day| make(row, day)).ok_or_else(unmade)?;
        Ok::<_, store::Error>((record, moment(row, count)))
    };
    let (reply, written) = sync_channel(1);
    let batches = count.div_ceil(ROWS_PER_TRANSACTION);
    for batch in 0..batches {
        let first = batch * ROWS_PER_TRANSACTION;
        let rows =
            (first..count.min(first + ROWS_PER_TRANSACTION)).map(row).collect::<Result<Vec<_>, _>>()?;
        if batch > 0 {
            written.recv().unwrap_or(Err(store::Error::Closed))?;
            progress(u64::from(first));
        }
        let reply = reply.clone();
        let also = also.clone();
        store.submit_alone(
            move |tx| {
                for (record, created) in &rows {
                    let id = records::insert(tx, record, *created)?;
                    also(tx, id, record)?;
                }
                Ok(())
            },
            move |done| {
                // The receiver is gone if an earlier batch failed.
                let _ = reply.send(done);
            },
        );
    }
    if batches > 0 {
        written.recv().unwrap_or(Err(store::Error::Closed))?;
        progress(u64::from(count));
    }
    Ok(count.into())
}

/// Adds the users of the office.
fn colleagues(tx: Tx<'_>, seed: u64) -> Result<(), store::Error> {
    let names = NamePool::new();
    for row in 0..COLLEAGUES {
        let mut chance = Rng::of(seed, 3, row);
        let given = names.given(chance.percent(50), &mut chance);
        let name = format!("{given} {}", names.family(&mut chance));
        let name = Name::parse(&name).map_err(|_| unmade())?;
        // Skips duplicate names, which no list of users may have.
        let user = User { name, email: None, cellphone: None, active: true };
        if lists::namesake(*tx, &user, None)?.is_none() {
            records::insert(tx, &user, 0)?;
        }
    }
    Ok(())
}

/// Returns the creation time of a row in seconds since 1970. Rows are spread evenly over the working hours of
/// all years.
fn moment(row: u32, count: u32) -> i64 {
    const SECONDS: u64 = WEEKS * 5 * OPEN;
    let worked = u64::from(row) * SECONDS / u64::from(count.max(1));
    let days = worked / OPEN;
    let seconds = worked % OPEN;
    let day = i64::from(first_day()) + (days / 5 * 7 + days % 5) as i64;
    day * Day::SECONDS + (OPENS + seconds) as i64
}

fn day(row: u32, count: u32) -> Option<Day> {
    i32::try_from(moment(row, count).div_euclid(Day::SECONDS)).ok().and_then(Day::from_number)
}

/// Returns the day after the office's last day, as days since 1970.
fn today() -> i32 {
    first_day() + (WEEKS * 7) as i32
}

/// Returns the office's first day, as days since 1970.
fn first_day() -> i32 {
    let (year, month, day) = FIRST_DAY;
    Day::from_ymd(year, month, day).map_or(0, Day::number)
}

fn unmade() -> store::Error {
    store::Error::Defect("a row of the demonstration cannot be made".to_owned())
}
