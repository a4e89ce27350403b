//! An invented office: as many records of each kind as are asked for, the same ones for the same seed.
//!
//! For benchmarks, tests and people who want to look around. Names, numbers and dates are as they are in Brazil, nobody
//! among them is real. Everything goes through the store's own functions and the domain's own rules.

mod chance;
mod customers;
mod lawsuits;
mod movements;
mod names;
mod places;
mod publications;
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
use crate::store::settings::{self, List};
use crate::store::{self, Db, Store, Tx, records};

use chance::{Chance, Zipf};
use names::NamePool;
use places::Places;

/// The most records of a kind that can be asked for: tax ids are made unique up to here.
pub const MOST: u32 = 50_000_000;

/// How many rows share a transaction: enough that its fsync is lost in it.
const BATCH: u32 = 10_000;

/// How many people are added to the one whom every new store has.
const COLLEAGUES: u32 = 11;

/// The office's first day in the program, a Monday, and its working weeks from then on: ten years up to October 2026. They
/// stand still, so that the same seed gives the same rows on any day.
const FIRST_DAY: (i16, u8, u8) = (2016, 11, 7);
const WEEKS: u64 = 521;

/// A working day: ten hours from 11:00 UTC, eight o'clock in most of Brazil. In seconds.
const OPENS: u64 = 11 * 3600;
const OPEN: u64 = 10 * 3600;

/// What is asked for. With any lawsuits there has to be at least one customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How many customers, 0 to [`MOST`].
    pub customers: u32,
    /// How many lawsuits, 0 to [`MOST`].
    pub lawsuits: u32,
    /// How many tasks, 0 to [`MOST`]. They need a lawsuit.
    pub tasks: u32,
    /// How many movements, 0 to [`MOST`]. They need a lawsuit.
    pub movements: u32,
    /// How many publications, 0 to [`MOST`]. A few are of no lawsuit.
    pub publications: u32,
    /// How many transactions, 0 to [`MOST`].
    pub transactions: u32,
    /// Another seed gives another office.
    pub seed: u64,
}

impl Plan {
    /// An office of so many customers and lawsuits, with as much of everything else as comes with them.
    pub fn of(customers: u32, lawsuits: u32) -> Plan {
        let each = |times: u32| lawsuits.saturating_mul(times).min(MOST);
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

    /// How many rows that are in all.
    pub fn rows(&self) -> u64 {
        let Plan { customers, lawsuits, tasks, movements, publications, transactions, seed: _ } = *self;
        [customers, lawsuits, tasks, movements, publications, transactions].into_iter().map(u64::from).sum()
    }
}

/// What rows are made of.
struct Office {
    plan: Plan,
    seed: u64,
    names: NamePool,
    places: Places,
    users: Vec<UserId>,
    origins: Vec<OriginId>,
    by_origin: Zipf,
    types: Vec<TypeId>,
    by_type: Zipf,
    /// Each with whether a lawsuit that stands there is closed.
    stages: Vec<(StageId, bool)>,
    by_stage: Zipf,
    /// Each with its points.
    task_types: Vec<(TaskTypeId, Whole<0, 1_000_000>)>,
    by_task_type: Zipf,
    /// Each with which way its money goes.
    categories: Vec<(CategoryId, Flow)>,
    banks: Vec<BankId>,
    cost_centers: Vec<CostCenterId>,
    departments: Vec<DepartmentId>,
}

impl Office {
    fn new(db: Db<'_>, plan: Plan) -> Result<Office, store::Error> {
        let entries = |list| -> Result<Vec<settings::Entry>, store::Error> {
            let mut entries = settings::all(db, list)?;
            // In an order of chance, so that the frequent ones are not all of the first group or step.
            entries.sort_by_key(|entry| chance::scattered(plan.seed, entry.id));
            Ok(entries)
        };
        let (types, origins) = (entries(List::Types)?, entries(List::Origins)?);
        let closing = settings::all(db, List::Steps)?.pop().map(|step| step.id);
        let stages = entries(List::Stages)?;
        let of = |entry: &settings::Entry| u64::from(entry.id);
        let task_type = |entry: &settings::Entry| -> Result<Option<_>, store::Error> {
            let id = TaskTypeId::from_stored(entry.id);
            Ok(records::by_id::<TaskType>(db, id)?.map(|kind| (id, kind.reward)))
        };
        let task_types = entries(List::Tasks)?;
        let task_types = task_types.iter().filter_map(|entry| task_type(entry).transpose());
        let task_types = task_types.collect::<Result<Vec<_>, _>>()?;
        let category = |entry: &settings::Entry| -> Result<Option<(CategoryId, Flow)>, store::Error> {
            let id = CategoryId::from_stored(entry.id);
            Ok(records::by_id::<Category>(db, id)?.map(|category| (id, category.flow)))
        };
        let categories = entries(List::Categories)?;
        let categories = categories.iter().filter_map(|entry| category(entry).transpose());
        Ok(Office {
            plan,
            seed: plan.seed,
            names: NamePool::new(),
            places: Places::new(),
            users: entries(List::Users)?.iter().filter_map(|user| UserId::new(of(user))).collect(),
            by_origin: Zipf::new(origins.len(), 1),
            origins: origins.iter().filter_map(|origin| OriginId::new(of(origin))).collect(),
            by_type: Zipf::new(types.len(), 3),
            types: types.iter().filter_map(|kind| TypeId::new(of(kind))).collect(),
            by_stage: Zipf::new(stages.len(), 5),
            by_task_type: Zipf::new(task_types.len(), 2),
            task_types,
            stages: stages
                .iter()
                .filter_map(|stage| Some((StageId::new(of(stage))?, stage.parent == closing)))
                .collect(),
            categories: categories.collect::<Result<_, _>>()?,
            banks: entries(List::Banks)?.iter().filter_map(|bank| BankId::new(of(bank))).collect(),
            cost_centers: entries(List::CostCenters)?
                .iter()
                .filter_map(|one| CostCenterId::new(of(one)))
                .collect(),
            departments: entries(List::Departments)?
                .iter()
                .filter_map(|one| DepartmentId::new(of(one)))
                .collect(),
        })
    }
}

/// Fills an empty store, in large transactions. `progress` hears after each how many rows there are.
///
/// # Errors
/// Why the store cannot be read or written; what was committed before stays.
pub fn fill(store: &Store, plan: Plan, mut progress: impl FnMut(u64)) -> Result<(), store::Error> {
    store.write(move |tx| colleagues(tx, plan.seed))?;
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
        all.try_for_each(|(user, at)| store::tasks::complete(tx, id, user, at).map(|_| ()))
    };
    let task = |row, day| tasks::task(&office, row, day);
    in_batches(store, plan.tasks, task, complete, |rows| progress(before + rows))?;
    Ok(())
}

/// What is written beside most records.
fn nothing<R>(_: Tx<'_>, _: Id<R>, _: &R) -> Result<(), store::Error> {
    Ok(())
}

/// Writes `count` rows, each made of its number and the day on which it is created, and what `also` writes of each; the next
/// batch is made while the writer has one in hand. Answers how many there are.
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
    let batches = count.div_ceil(BATCH);
    for batch in 0..batches {
        let first = batch * BATCH;
        let rows = (first..count.min(first + BATCH)).map(row).collect::<Result<Vec<_>, _>>()?;
        if batch > 0 {
            written.recv().unwrap_or(Err(store::Error::Closed))?;
            progress(u64::from(first));
        }
        let (reply, also) = (reply.clone(), also.clone());
        store.submit_alone(
            move |tx| {
                for (record, created) in &rows {
                    let id = records::insert(tx, record, *created)?;
                    also(tx, id, record)?;
                }
                Ok(())
            },
            move |done| {
                // Nobody waits any more where an earlier batch failed.
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

/// Adds the people of the office.
fn colleagues(tx: Tx<'_>, seed: u64) -> Result<(), store::Error> {
    let names = NamePool::new();
    for row in 0..COLLEAGUES {
        let mut chance = Chance::of(seed, 3, row);
        let given = names.given(chance.percent(50), &mut chance);
        let name = format!("{given} {}", names.family(&mut chance));
        let name = Name::parse(&name).map_err(|_| unmade())?;
        // Two of the same name would be one too many: no list has that.
        let user = User { name, email: None, cellphone: None, active: true };
        if settings::namesake(*tx, &user, None)?.is_none() {
            records::insert(tx, &user, 0)?;
        }
    }
    Ok(())
}

/// When the row of so many was created, in seconds since 1970: evenly over the working hours of all years.
fn moment(row: u32, count: u32) -> i64 {
    const SECONDS: u64 = WEEKS * 5 * OPEN;
    let worked = u64::from(row) * SECONDS / u64::from(count.max(1));
    let (days, seconds) = (worked / OPEN, worked % OPEN);
    let day = i64::from(first_day()) + (days / 5 * 7 + days % 5) as i64;
    day * DAY + (OPENS + seconds) as i64
}

/// The day on which that is.
fn day(row: u32, count: u32) -> Option<Day> {
    i32::try_from(moment(row, count).div_euclid(DAY)).ok().and_then(Day::from_number)
}

/// The day after the office's last one, as days since 1970.
fn today() -> i32 {
    first_day() + (WEEKS * 7) as i32
}

/// The office's first day, as days since 1970.
fn first_day() -> i32 {
    let (year, month, day) = FIRST_DAY;
    Day::from_ymd(year, month, day).map_or(0, Day::number)
}

const DAY: i64 = 24 * 3600;

fn unmade() -> store::Error {
    store::Error::Defect("a row of the demonstration cannot be made".to_owned())
}
