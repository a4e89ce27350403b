//! What lists are answered from: every filter gives a bitmap of ids, bitmaps are intersected, and the exact total and
//! any page fall out.
//!
//! SQLite stays the only truth. The index holds what lists look at and no more; it follows `store::changes`, so that a
//! list sees every write that was answered before it, also another process's. When in doubt it is built again.

mod buckets;
mod customers;
mod days;
mod follow;
mod keys;
mod lawsuits;
mod page;
mod reference;
mod union;
mod words;

use std::borrow::Cow;
use std::sync::Arc;

use jiff::tz::TimeZone;
use roaring::RoaringBitmap;

pub use customers::Filter as CustomerFilter;
pub use lawsuits::Filter as LawsuitFilter;
pub use reference::Named;

use crate::domain::{Day, Page};
use crate::store::{self, Db, Lane, Store};

use customers::Customers;
use follow::{Follow, Followed};
use lawsuits::Lawsuits;

/// The ids of a page, in the list's order, and how many match in all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The page.
    pub ids: Vec<u32>,
    /// The exact number of matches, whatever the page.
    pub total: u64,
}

/// The index of a store, in two parts that stand independently: who looks for a customer does not wait for lawsuits.
pub struct Index {
    zone: TimeZone,
    customers: Followed<Customers>,
    lawsuits: Followed<Lawsuits>,
}

impl Index {
    /// Begins to follow `store`. The parts are built on two threads of the store's; lists that are asked before their
    /// part stands wait. `zone` is where the office's days begin.
    pub fn start(store: &Arc<Store>, zone: TimeZone) -> Arc<Index> {
        let index = Arc::new(Index { zone, customers: Followed::default(), lawsuits: Followed::default() });
        let following = index.clone();
        store.after_commit(Box::new(move |db| {
            catch_up(&following.customers, db, &following.zone);
            catch_up(&following.lawsuits, db, &following.zone);
        }));
        let building = index.clone();
        store.submit_read(Lane::Long, move |db| build(&building.customers, db, &building.zone));
        let building = index.clone();
        store.submit_read(Lane::Long, move |db| build(&building.lawsuits, db, &building.zone));
        index
    }

    /// The page of the customers that match, by id.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn customers(&self, db: Db<'_>, filter: &CustomerFilter, page: Page) -> Result<Found, store::Error> {
        let customers = self.customers.current(db, &self.zone)?;
        Ok(cut(customers.find(filter), customers.all(), page))
    }

    /// The page of the customers who were born in that month, by day of the month, then name, then id.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn birthdays(&self, db: Db<'_>, month: u8, page: Page) -> Result<Found, store::Error> {
        let counts = self.customers.current(db, &self.zone)?.births_by_day(month);
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
        let holder = match &filter.identification {
            Some(tax_id) => Some(self.customers.current(db, &self.zone)?.with_tax_id(tax_id)),
            None => None,
        };
        let lawsuits = self.lawsuits.current(db, &self.zone)?;
        let mut found = lawsuits.find(filter);
        for customer in [filter.customer.map(Some), holder].into_iter().flatten() {
            let linked =
                customer.map_or(Ok(Vec::new()), |customer| store::lawsuits::of_customer(db, customer))?;
            found.push(Cow::Owned(linked.into_iter().collect()));
        }
        Ok(cut(found, lawsuits.all(), page))
    }
}

fn catch_up<T: Follow>(part: &Followed<T>, db: Db<'_>, zone: &TimeZone) {
    if let Err(cause) = part.catch_up(db, zone) {
        tracing::warn!(%cause, "the index did not follow a write; the next list catches up");
    }
}

fn build<T: Follow>(part: &Followed<T>, db: Result<Db<'_>, store::Error>, zone: &TimeZone) {
    if let Err(cause) = db.and_then(|db| part.build(db, zone)) {
        tracing::warn!(%cause, "the index could not be built yet; the next list tries again");
    }
}

/// The page of those that every filter admits; of all of them where there is no filter.
fn cut(filters: Vec<Cow<'_, RoaringBitmap>>, all: &RoaringBitmap, page: Page) -> Found {
    let ids = if filters.is_empty() { Cow::Borrowed(all) } else { page::and_all(filters) };
    let limit = usize::try_from(page.limit()).unwrap_or(usize::MAX);
    Found { ids: page::page(&ids, page.offset(), limit), total: ids.len() }
}

/// The day on which a moment falls in the office's time zone, as days since 1970.
fn day_of(moment: i64, zone: &TimeZone) -> Option<i32> {
    let moment = jiff::Timestamp::from_second(moment).ok()?;
    Some(Day::on_calendar(zone.to_datetime(moment).date()).number())
}

/// The day that a column holds, as days since 1970.
fn day_in(column: Option<&str>) -> Option<i32> {
    column.and_then(|text| Day::parse(text).ok()).map(Day::number)
}
