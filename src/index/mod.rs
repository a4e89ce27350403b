//! What lists are answered from: every filter gives a bitmap of ids, bitmaps are intersected, and the exact total and
//! any page fall out.
//!
//! SQLite stays the only truth. The index holds what lists look at and no more. It is built at the start of the program and
//! then hears of every commit before it is answered, so that a list sees every write that was answered before it. When in
//! doubt it is built again.

mod buckets;
mod days;
mod field;
mod filter;
mod follow;
mod keys;
mod nested;
mod page;
mod part;
mod reference;
mod stop;
mod union;
mod words;

use std::borrow::Cow;
use std::sync::Arc;

use jiff::tz::TimeZone;
use roaring::RoaringBitmap;

pub use filter::{Condition, Filter};
pub use reference::Named;

use crate::domain::Page;
use crate::records::{Customer, Record, TABLES, Table, Type};
use crate::store::{self, Db, Lane, Store, records};

use follow::Followed;
use stop::Stop;

/// The ids of a page, in the list's order, and how many match in all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The page.
    pub ids: Vec<u32>,
    /// The exact number of matches, whatever the page.
    pub total: u64,
}

/// The index of a store, a part a noun that stands independently: who looks for a customer does not wait for lawsuits.
pub struct Index {
    parts: Arc<Vec<Followed>>,
    stop: Stop,
}

impl Index {
    /// Begins to follow `store`. The parts are built on threads of the store's; lists that are asked before their part
    /// stands wait. `zone` is where the office's days begin.
    pub fn start(store: &Arc<Store>, zone: &TimeZone) -> Index {
        let stop = Stop::default();
        let part = |table: &&'static Table| {
            Followed::new(table, store.folder().to_owned(), zone.clone(), stop.clone())
        };
        let parts: Arc<Vec<Followed>> = Arc::new(TABLES.iter().map(part).collect());
        let following = parts.clone();
        store.after_commit(Box::new(move |db, committed| {
            following.iter().for_each(|part| part.committed(db, committed));
        }));
        for at in 0..parts.len() {
            build(store, parts.clone(), at);
        }
        Index { parts, stop }
    }

    /// Begins the end: what is being built is given up. Lists are answered from what stands; where that is nothing yet,
    /// whoever waits gets `Closed`.
    pub fn stop(&self) {
        self.stop.set();
    }

    /// The page of the records that match, by id.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn find(
        &self,
        db: Db<'_>,
        table: &'static Table,
        filter: &Filter,
        page: Page,
    ) -> Result<Found, store::Error> {
        let linked = self.linked(db, table, filter)?;
        let part = self.part(table)?.current(db)?;
        let mut found = part.find(filter);
        found.extend(linked.iter().map(Cow::Borrowed));
        Ok(cut(found, part.all(), page))
    }

    /// How many records there are.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn total(&self, db: Db<'_>, table: &'static Table) -> Result<u64, store::Error> {
        Ok(self.part(table)?.current(db)?.all().len())
    }

    /// The records that each condition on links admits: the store knows them.
    fn linked(
        &self,
        db: Db<'_>,
        table: &'static Table,
        filter: &Filter,
    ) -> Result<Vec<RoaringBitmap>, store::Error> {
        let mut linked = Vec::new();
        for (column, condition) in filter.conditions() {
            let to = match (condition, table.field(column).map(|field| field.ty)) {
                (Condition::Linked(id), _) => Some(*id),
                (Condition::LinkedBy(by, key), Some(Type::Links(kind))) => {
                    self.part(kind.table())?.current(db)?.exact(by, key).min()
                }
                _ => continue,
            };
            let ids = to.map_or(Ok(Vec::new()), |to| records::linked_to(db, table, column, to))?;
            linked.push(ids.into_iter().collect());
        }
        Ok(linked)
    }

    fn part(&self, table: &Table) -> Result<&Followed, store::Error> {
        let part = self.parts.iter().zip(TABLES).find(|(_, own)| own.kind == table.kind);
        part.map(|(part, _)| part).ok_or_else(|| store::Error::Defect("a noun without an index".to_owned()))
    }

    /// The page of the customers who were born in that month, by day of the month, then name, then id.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn birthdays(&self, db: Db<'_>, month: u8, page: Page) -> Result<Found, store::Error> {
        let counts = self.part(Customer::TABLE)?.current(db)?.days_of_month("birthdate", month);
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
}

impl Drop for Index {
    fn drop(&mut self) {
        self.stop();
    }
}

fn build(store: &Store, parts: Arc<Vec<Followed>>, at: usize) {
    store.submit_read(Lane::Long, move |db| {
        let Some(part) = parts.get(at) else { return };
        match db.and_then(|db| part.build(db)) {
            Ok(()) | Err(store::Error::Closed) => {}
            Err(cause) => {
                tracing::warn!(%cause, "the index could not be built yet; the next list tries again");
            }
        }
    });
}

/// The page of those that every filter admits; of all of them where there is no filter.
fn cut(filters: Vec<Cow<'_, RoaringBitmap>>, all: &RoaringBitmap, page: Page) -> Found {
    let ids = if filters.is_empty() { Cow::Borrowed(all) } else { page::and_all(filters) };
    let limit = usize::try_from(page.limit()).unwrap_or(usize::MAX);
    Found { ids: page::page(&ids, page.offset(), limit), total: ids.len() }
}
