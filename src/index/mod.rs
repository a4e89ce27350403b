//! What lists are answered from: every filter gives a bitmap of ids, bitmaps are intersected, and the exact total and
//! any page fall out.
//!
//! SQLite stays the only truth. The index holds what lists look at and no more. It is built at the start of the program and
//! then hears of every commit before it is answered, so that a list sees every write that was answered before it. When in
//! doubt it is built again.

mod buckets;
mod customers;
mod days;
mod follow;
mod keys;
mod lawsuits;
mod nested;
mod page;
mod reference;
mod stop;
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
use stop::Stop;

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
    parts: Arc<Parts>,
    stop: Stop,
}

struct Parts {
    customers: Followed<Customers>,
    lawsuits: Followed<Lawsuits>,
}

impl Index {
    /// Begins to follow `store`. The parts are built on two threads of the store's; lists that are asked before their part
    /// stands wait. `zone` is where the office's days begin.
    pub fn start(store: &Arc<Store>, zone: &TimeZone) -> Index {
        let stop = Stop::default();
        let parts = Arc::new(Parts {
            customers: Followed::new(store.folder().to_owned(), zone.clone(), stop.clone()),
            lawsuits: Followed::new(store.folder().to_owned(), zone.clone(), stop.clone()),
        });
        let following = parts.clone();
        store.after_commit(Box::new(move |db, committed| {
            following.customers.committed(db, committed);
            following.lawsuits.committed(db, committed);
        }));
        build(store, &parts, |parts| &parts.customers);
        build(store, &parts, |parts| &parts.lawsuits);
        Index { parts, stop }
    }

    /// Begins the end: what is being built is given up. Lists are answered from what stands; where that is nothing yet,
    /// whoever waits gets `Closed`.
    pub fn stop(&self) {
        self.stop.set();
    }

    /// The page of the customers that match, by id.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn customers(&self, db: Db<'_>, filter: &CustomerFilter, page: Page) -> Result<Found, store::Error> {
        let customers = self.parts.customers.current(db)?;
        Ok(cut(customers.find(filter), customers.all(), page))
    }

    /// The page of the customers who were born in that month, by day of the month, then name, then id.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn birthdays(&self, db: Db<'_>, month: u8, page: Page) -> Result<Found, store::Error> {
        let counts = self.parts.customers.current(db)?.births_by_day(month);
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
            Some(tax_id) => Some(self.parts.customers.current(db)?.with_tax_id(tax_id)),
            None => None,
        };
        let lawsuits = self.parts.lawsuits.current(db)?;
        let mut found = lawsuits.find(filter);
        for customer in [filter.customer.map(Some), holder].into_iter().flatten() {
            let linked =
                customer.map_or(Ok(Vec::new()), |customer| store::lawsuits::of_customer(db, customer))?;
            found.push(Cow::Owned(linked.into_iter().collect()));
        }
        Ok(cut(found, lawsuits.all(), page))
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        self.stop();
    }
}

fn build<T: Follow>(store: &Store, parts: &Arc<Parts>, part: fn(&Parts) -> &Followed<T>) {
    let parts = parts.clone();
    store.submit_read(Lane::Long, move |db| match db.and_then(|db| part(&parts).build(db)) {
        Ok(()) | Err(store::Error::Closed) => {}
        Err(cause) => tracing::warn!(%cause, "the index could not be built yet; the next list tries again"),
    });
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
