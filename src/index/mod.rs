//! What lists are answered from: every filter gives a bitmap of ids, bitmaps are intersected, and the exact total and
//! any page fall out.
//!
//! SQLite stays the only truth. The index holds what lists look at and no more; it follows `store::changes`, so that a
//! list sees every write that was answered before it, also another process's. When in doubt it is built again.

mod buckets;
mod customers;
mod days;
mod keys;
mod lawsuits;
mod page;
mod reference;
mod union;
mod words;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use jiff::tz::TimeZone;
use parking_lot::{MappedRwLockReadGuard, Mutex, RwLock, RwLockReadGuard};
use roaring::RoaringBitmap;

pub use customers::Filter as CustomerFilter;
pub use lawsuits::Filter as LawsuitFilter;
pub use reference::Named;

use crate::domain::page::Page;
use crate::store::changes::{self, Kind};
use crate::store::{self, Db, Store};

use customers::Customers;
use lawsuits::Lawsuits;
use reference::Reference;

/// The ids of a page, in the list's order, and how many match in all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The page.
    pub ids: Vec<u32>,
    /// The exact number of matches, whatever the page.
    pub total: u64,
}

/// The index of a store.
pub struct Index {
    zone: TimeZone,
    state: RwLock<Option<State>>,
    /// Held while the state is built, so that it is built once.
    building: Mutex<()>,
}

/// Everything that lists look at, as it was after the change number `seq`.
struct State {
    seq: u64,
    customers: Customers,
    lawsuits: Lawsuits,
    reference: Reference,
}

impl Index {
    /// Begins to follow `store`. The index is built on a thread of its own; lists that are asked before it stands wait.
    /// `zone` is where the office's days begin.
    pub fn start(store: &Arc<Store>, zone: TimeZone) -> Arc<Index> {
        let index = Arc::new(Index { zone, state: RwLock::new(None), building: Mutex::new(()) });
        let following = index.clone();
        store.after_commit(Box::new(move |db| following.after_commit(db)));
        let building = index.clone();
        store.submit_read(store::Lane::Long, move |db| {
            if let Err(cause) = db.and_then(|db| building.build(db)) {
                tracing::warn!(%cause, "the index could not be built yet; the next list tries again");
            }
        });
        index
    }

    /// The page of the customers that match, by id.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn customers(&self, db: Db<'_>, filter: &CustomerFilter, page: Page) -> Result<Found, store::Error> {
        let state = self.current(db)?;
        let found = state.customers.find(filter, &state.reference);
        Ok(cut(found, state.customers.all(), page))
    }

    /// The page of the customers who were born in that month, by day of the month, then name, then id.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn birthdays(&self, db: Db<'_>, month: u8, page: Page) -> Result<Found, store::Error> {
        let counts = self.current(db)?.customers.births_by_day(month);
        let total = counts.iter().map(|(_, count)| count).sum();
        let (mut skip, mut wanted) = (page.offset(), u64::from(page.limit()));
        let mut ids = Vec::new();
        for (day, count) in counts {
            if skip >= count {
                skip -= count;
            } else if wanted > 0 {
                let born = store::customers::born_on(db, month, day, skip, wanted)?;
                wanted = wanted.saturating_sub(u64::try_from(born.len()).unwrap_or(wanted));
                skip = 0;
                ids.extend(born);
            }
        }
        Ok(Found { ids, total })
    }

    /// The page of the lawsuits that match, by id.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn lawsuits(&self, db: Db<'_>, filter: &LawsuitFilter, page: Page) -> Result<Found, store::Error> {
        let state = self.current(db)?;
        let mut found = state.lawsuits.find(filter, &state.reference);
        let holder = filter.identification.as_ref().map(|tax_id| state.customers.with_tax_id(tax_id));
        for customer in [filter.customer.map(Some), holder].into_iter().flatten() {
            let linked =
                customer.map_or(Ok(Vec::new()), |customer| store::lawsuits::of_customer(db, customer))?;
            found.push(Cow::Owned(linked.into_iter().collect()));
        }
        Ok(cut(found, state.lawsuits.all(), page))
    }

    /// The index, once it holds everything that `db` shows.
    fn current(&self, db: Db<'_>) -> Result<MappedRwLockReadGuard<'_, State>, store::Error> {
        loop {
            let latest = changes::latest(db)?;
            match RwLockReadGuard::try_map(self.state.read(), Option::as_ref) {
                Ok(state) if state.seq >= latest => return Ok(state),
                Ok(behind) => {
                    drop(behind);
                    self.catch_up(db)?;
                }
                Err(missing) => {
                    drop(missing);
                    self.build(db)?;
                }
            }
        }
    }

    fn after_commit(&self, db: Db<'_>) {
        if let Err(cause) = self.catch_up(db) {
            tracing::warn!(%cause, "the index did not follow a write; the next list catches up");
        }
    }

    /// Applies what was written since. Does nothing before the index stands: whoever builds it catches up then.
    fn catch_up(&self, db: Db<'_>) -> Result<(), store::Error> {
        let mut slot = self.state.write();
        let Some(state) = slot.as_mut() else { return Ok(()) };
        let followed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            db.snapshot(|db| state.follow(db, &self.zone))
        }));
        match followed {
            Ok(Ok(true)) => Ok(()),
            Ok(Err(cause)) => Err(cause),
            // Too far behind, or half-way when it panicked: the next list builds it again.
            Ok(Ok(false)) | Err(_) => {
                *slot = None;
                Ok(())
            }
        }
    }

    fn build(&self, db: Db<'_>) -> Result<(), store::Error> {
        let _once = self.building.lock();
        if self.state.read().is_some() {
            return Ok(());
        }
        let state = db.snapshot(|db| State::build(db, &self.zone))?;
        *self.state.write() = Some(state);
        self.catch_up(db)
    }
}

impl State {
    fn build(db: Db<'_>, zone: &TimeZone) -> Result<State, store::Error> {
        let mut state = State {
            seq: changes::latest(db)?,
            customers: Customers::default(),
            lawsuits: Lawsuits::default(),
            reference: Reference::read(db)?,
        };
        state.customers.refresh(db, ALL, zone)?;
        state.lawsuits.refresh(db, ALL, zone)?;
        Ok(state)
    }

    /// Takes over what was written since; answers false where that is not known any more.
    fn follow(&mut self, db: Db<'_>, zone: &TimeZone) -> Result<bool, store::Error> {
        let Some(changes) = changes::since(db, self.seq)? else { return Ok(false) };
        let touched = |kind| changes.iter().filter(move |change| change.0 == kind).map(|change| change.1);
        if touched(Kind::Settings).next().is_some() {
            self.reference = Reference::read(db)?;
        }
        let mut lawsuits = touched(Kind::Lawsuit).collect::<BTreeSet<_>>();
        for customer in touched(Kind::Customer).collect::<BTreeSet<_>>() {
            self.customers.refresh(db, customer..=customer, zone)?;
            // A lawsuit's name is made of its customers' names.
            lawsuits.extend(store::lawsuits::of_customer(db, customer)?);
        }
        for lawsuit in lawsuits {
            self.lawsuits.refresh(db, lawsuit..=lawsuit, zone)?;
        }
        self.seq += u64::try_from(changes.len()).unwrap_or_default();
        Ok(true)
    }
}

const ALL: RangeInclusive<u32> = 0..=u32::MAX;

/// The page of those that every filter admits; of all of them where there is no filter.
fn cut(filters: Vec<Cow<'_, RoaringBitmap>>, all: &RoaringBitmap, page: Page) -> Found {
    let ids = if filters.is_empty() { Cow::Borrowed(all) } else { page::and_all(filters) };
    let limit = usize::try_from(page.limit()).unwrap_or(usize::MAX);
    Found { ids: page::page(&ids, page.offset(), limit), total: ids.len() }
}

/// The day on which a moment falls in the office's time zone, as days since 1970.
fn day_of(moment: i64, zone: &TimeZone) -> Option<i32> {
    let moment = jiff::Timestamp::from_second(moment).ok()?;
    Some(crate::domain::date::Day::on_calendar(zone.to_datetime(moment).date()).number())
}

/// The day that a column holds, as days since 1970.
fn day_in(column: Option<&str>) -> Option<i32> {
    column.and_then(|text| crate::domain::date::Day::parse(text).ok()).map(|day| day.number())
}
