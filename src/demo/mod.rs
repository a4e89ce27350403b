//! An invented office: as many customers and lawsuits as are asked for, the same ones for the same seed.
//!
//! For benchmarks, tests and people who want to look around. Names, numbers and dates are as they are in Brazil, nobody
//! among them is real. Everything goes through the store's own functions and the domain's own rules.

mod chance;
mod customers;
mod lawsuits;
mod names;
mod places;
mod words;

use std::sync::mpsc::sync_channel;

use crate::domain::{Day, Name, OriginId, StageId, TypeId, UserId};
use crate::records::Record;
use crate::store::settings::{self, List};
use crate::store::{self, Db, Store, Tx, changes, records};

use chance::{Chance, Zipf};
use names::NamePool;
use places::Places;

/// The most customers and the most lawsuits that can be asked for: tax ids are made unique up to here.
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
    /// Another seed gives another office.
    pub seed: u64,
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
            stages: stages
                .iter()
                .filter_map(|stage| Some((StageId::new(of(stage))?, stage.parent == closing)))
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
    let customer = |row| {
        let fields = customers::customer(&office, row).ok_or_else(unmade)?;
        Ok((fields, moment(row, plan.customers)))
    };
    in_batches(store, plan.customers, customer, &mut progress)?;
    let lawsuit = |row| {
        let created = moment(row, plan.lawsuits);
        let day = i32::try_from(created.div_euclid(DAY)).ok().and_then(Day::from_number);
        let fields = day.and_then(|day| lawsuits::lawsuit(&office, row, day)).ok_or_else(unmade)?;
        Ok((fields, created))
    };
    let before = u64::from(plan.customers);
    in_batches(store, plan.lawsuits, lawsuit, |rows| progress(before + rows))
}

/// Writes `count` rows, the next batch being made while the writer has one in hand.
fn in_batches<R: Record>(
    store: &Store,
    count: u32,
    make: impl Fn(u32) -> Result<(R, i64), store::Error>,
    mut progress: impl FnMut(u64),
) -> Result<(), store::Error> {
    let (reply, written) = sync_channel(1);
    let batches = count.div_ceil(BATCH);
    for batch in 0..batches {
        let first = batch * BATCH;
        let rows = (first..count.min(first + BATCH)).map(&make).collect::<Result<Vec<_>, _>>()?;
        if batch > 0 {
            written.recv().unwrap_or(Err(store::Error::Closed))?;
            progress(u64::from(first));
        }
        let reply = reply.clone();
        store.submit_alone(
            move |tx| {
                for (record, created) in &rows {
                    records::insert(tx, record, *created)?;
                }
                changes::prune(tx)
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
    Ok(())
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
        if settings::named(*tx, List::Users, &name)?.is_none() {
            settings::insert(tx, List::Users, &settings::Fields::new(name))?;
        }
    }
    Ok(())
}

/// When the row of so many was created, in seconds since 1970: evenly over the working hours of all years.
fn moment(row: u32, count: u32) -> i64 {
    const SECONDS: u64 = WEEKS * 5 * OPEN;
    let worked = u64::from(row) * SECONDS / u64::from(count.max(1));
    let (days, seconds) = (worked / OPEN, worked % OPEN);
    let (year, month, day) = FIRST_DAY;
    let first = Day::from_ymd(year, month, day).map_or(0, Day::number);
    let day = i64::from(first) + (days / 5 * 7 + days % 5) as i64;
    day * DAY + (OPENS + seconds) as i64
}

const DAY: i64 = 24 * 3600;

fn unmade() -> store::Error {
    store::Error::Defect("a row of the demonstration cannot be made".to_owned())
}
