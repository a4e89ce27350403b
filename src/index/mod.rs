//! What lists are answered from: every filter gives a bitmap of ids, bitmaps are intersected, and the exact total and
//! any page fall out.
//!
//! SQLite stays the only truth. The index holds what lists look at and no more. It is built at the start of the program and
//! then hears of every commit before it is answered, so that a list sees every write that was answered before it. When in
//! doubt it is built again.

mod amounts;
mod buckets;
mod chunks;
mod days;
mod field;
mod filter;
mod follow;
mod guests;
mod idle;
mod newest;
mod owners;
mod page;
mod part;
mod reference;
mod search;
mod sorted;
mod stop;
mod terms;
mod union;
mod words;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use jiff::tz::TimeZone;
use roaring::RoaringBitmap;

pub use filter::{Condition, Filter, Guest};
pub use page::Found;
pub use reference::Named;
pub use search::Everything;
pub use terms::{Looked, SearchText, Term};

use crate::domain::{Bilingual, Order, Page, Sum};
use crate::progress::Progress;
use crate::records::{Customer, Find, Record, TABLES, Table, Type};
use crate::store::{self, Db, Lane, Store, external_ids, records};

use field::{FieldIndex, birthday};
use follow::Followed;
use idle::{idle, newest_day, newest_days};
use part::Part;
use search::Searching;
use sorted::sorted;
use stop::Stop;
use words::Match;

/// What is told of while it is done.
const BUILDING: Bilingual = ("construindo o índice", "building the index");

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
        // Only who waits for the index asks: where it cannot be told, nobody is told how far that is.
        let highest =
            |table: &'static Table| store.read(move |db| records::highest_id(db, table)).unwrap_or(0);
        let part = |table: &&'static Table| {
            let highest = highest(table);
            Followed::new(table, store.folder().to_owned(), zone.clone(), stop.clone(), highest)
        };
        let parts: Arc<Vec<Followed>> = Arc::new(TABLES.iter().map(part).collect());
        let following = parts.clone();
        store.after_commit(Box::new(move |db, committed| {
            following.iter().for_each(|part| part.committed(db, committed));
        }));
        build(store, parts.clone(), 0..parts.len());
        Index { parts, stop }
    }

    /// Begins the end: what is being built is given up. Lists are answered from what stands; where that is nothing yet,
    /// whoever waits gets `Closed`.
    pub fn stop(&self) {
        self.stop.set();
    }

    /// Where the part of such records is being built at the start: waits until it is, or that was given up.
    pub fn begun(&self, table: &Table) -> Option<impl Future<Output = ()> + Send + use<>> {
        self.part(table).ok()?.begun()
    }

    /// Waits until all parts are, or that was given up.
    pub async fn all_begun(&self) {
        for begun in self.parts.iter().filter_map(Followed::begun) {
            begun.await;
        }
    }

    /// How far it is built at the start, in records read, of how many; none once that is over, whatever came of it.
    pub fn progress(&self) -> Option<Progress> {
        if self.stop.is_set() || self.parts.iter().all(Followed::is_begun) {
            return None;
        }
        let each = self.parts.iter().map(Followed::progress);
        let (done, all) = each.fold((0, 0), |(done, all), (own, of)| (done + own, all + of));
        Some(Progress::of(BUILDING, done, all))
    }

    /// The page of the records that match, by id in the order that the page says.
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
        self.with_matching(db, table, filter, |_, all| cut(all, filter, page))
    }

    /// The same by what the member of the column `sort` holds where one is named, then by id, those that hold nothing there last;
    /// and what the member of the column `sum` comes to over all that match, of each group apart. Whatever is written meanwhile,
    /// all of it is of one state.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn find_and_sum(
        &self,
        db: Db<'_>,
        table: &'static Table,
        filter: &Filter,
        (page, sort): (Page, Option<&str>),
        (sum, groups): (&str, &[Filter]),
    ) -> Result<(Found, Vec<Sum>), store::Error> {
        let found = self.with_matching(db, table, filter, |part, all| {
            let of_group = |group: &Filter| {
                let Some(FieldIndex::Amounts(amounts)) = part.index(sum) else { return Sum::default() };
                let mut both = part.find(group);
                both.push(Cow::Borrowed(all));
                amounts.sum(&page::and_all(both))
            };
            let sums: Vec<Sum> = groups.iter().map(of_group).collect();
            let page = match sort {
                None => Ok(cut(all, filter, page)),
                // The records by which these are put in order have a part of their own.
                Some(column) if newest_day(table, column).is_some() => Err((column, all.clone())),
                Some(column) => match part.page_by(column, all, page) {
                    Some(ids) => Ok(Found { ids, total: all.len(), of_deleted: filter.is_of_deleted() }),
                    None => Err((column, all.clone())),
                },
            };
            (page, sums)
        })?;
        Ok(match found {
            (Ok(found), sums) => (found, sums),
            (Err((column, all)), sums) => {
                let ids = match newest_day(table, column) {
                    Some((kind, of)) => {
                        let part = self.part(kind.table())?.current(db)?;
                        page::page_by_keys(newest_days(&part, of, &all), page)
                    }
                    None => sorted(db, table, column, &all, page)?,
                };
                (Found { ids, total: all.len(), of_deleted: filter.is_of_deleted() }, sums)
            }
        })
    }

    /// The page of those of `ids` that match, in their order.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn find_among(
        &self,
        db: Db<'_>,
        table: &'static Table,
        filter: &Filter,
        mut ids: Vec<u32>,
        page: Page,
    ) -> Result<Found, store::Error> {
        self.with_matching(db, table, filter, |_, all| ids.retain(|id| all.contains(*id)))?;
        let (total, offset) = (ids.len() as u64, usize::try_from(page.offset()).unwrap_or(usize::MAX));
        let limit = usize::try_from(page.limit()).unwrap_or(usize::MAX);
        let ids = ids.into_iter().skip(offset).take(limit).collect();
        Ok(Found { ids, total, of_deleted: filter.is_of_deleted() })
    }

    /// The page of the newest record of each one that the member `column` refers to: within the days that the filter asks
    /// for, among those that match the rest of it, and of those that match `of`. By day, then id, the newest first.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn newest(
        &self,
        db: Db<'_>,
        table: &'static Table,
        column: &str,
        filter: &Filter,
        of: &Filter,
        page: Page,
    ) -> Result<Found, store::Error> {
        let field = table.field(column).and_then(|field| Some((field.record()?, field.find?)));
        let Some((kind, Find::Newest(day))) = field else {
            return Err(store::Error::Defect("a column without a newest record".to_owned()));
        };
        // Days are a walk's beginning and end, where to look at each record among them would take ten times as long.
        let (days, filter) = filter.clone().split_days(day);
        let owners = match of.conditions().next() {
            Some(_) => Some(self.with_matching(db, kind.table(), of, |_, all| all.clone())?),
            None => None,
        };
        self.with_matching(db, table, &filter, |part, all| {
            let Some(FieldIndex::Newest(newest)) = part.index(column) else { return Found::default() };
            Found { of_deleted: filter.is_of_deleted(), ..newest.page(days, all, owners.as_ref(), page) }
        })
    }

    /// What `work` makes of the records that match: those that every condition admits, all where there is none.
    fn with_matching<T>(
        &self,
        db: Db<'_>,
        table: &'static Table,
        filter: &Filter,
        work: impl FnOnce(&Part, &RoaringBitmap) -> T,
    ) -> Result<T, store::Error> {
        let mut linked = self.linked(db, table, filter)?;
        if let Some(text) = filter.text() {
            let searching = Searching::read(db, &[table], filter.is_of_deleted(), |table| self.part(table))?;
            linked.push(searching.listed(table.kind, text));
        }
        let part = self.part(table)?.current(db)?;
        let mut found = part.find(filter);
        found.extend(linked.iter().map(Cow::Borrowed));
        // Every condition knows deleted records as well.
        found.push(Cow::Borrowed(part.among(filter.is_of_deleted())));
        Ok(work(&part, &page::and_all(found)))
    }

    /// The newest `limit` records of each of these tables that a text finds. At least a part of it has to be in the record
    /// itself: what is found only by what it belongs to is found there.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn search(
        &self,
        db: Db<'_>,
        tables: &[&'static Table],
        text: &SearchText,
        limit: usize,
    ) -> Result<Everything, store::Error> {
        Ok(Searching::read(db, tables, false, |table| self.part(table))?.everything(tables, text, limit))
    }

    /// What somebody may have meant whose text finds nothing in these tables and what their records belong to: the same in
    /// words that records have.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn respell(
        &self,
        db: Db<'_>,
        tables: &[&'static Table],
        text: &SearchText,
    ) -> Result<Option<String>, store::Error> {
        Ok(Searching::read(db, tables, false, |table| self.part(table))?.respell(text))
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
                    self.part(kind.table())?.current(db)?.matching(by, key, Match::Whole).min()
                }
                (Condition::LinkedThrough(member, id), Some(Type::Record(kind))) => {
                    let mut ids = RoaringBitmap::new();
                    for other in records::linked_to(db, kind.table(), member, *id)? {
                        ids.extend(records::linked_to(db, table, column, other)?);
                    }
                    linked.push(ids);
                    continue;
                }
                (Condition::IdleSince(day), _) => {
                    let Some((kind, of)) = newest_day(table, column) else { continue };
                    let all = self.part(table)?.current(db)?.among(filter.is_of_deleted()).clone();
                    let days = newest_days(&*self.part(kind.table())?.current(db)?, of, &all);
                    linked.push(idle(&*self.part(table)?.current(db)?, &days, *day));
                    continue;
                }
                (Condition::ExternalId(id), _) => {
                    linked.push(external_ids::holder(db, table, id)?.into_iter().collect());
                    continue;
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
        let part = self.part(Customer::TABLE)?.current(db)?;
        let Some(FieldIndex::Keys(days)) = part.index("birthdate") else { return Ok(Found::default()) };
        let count = |day| days.any_of([birthday(month, day)]).intersection_len(part.all());
        let counts: Vec<(u8, u64)> = (1..=31).map(|day| (day, count(day))).collect();
        drop(part);
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
        Ok(Found { ids, total, of_deleted: false })
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Builds the parts that are left one behind the other, customers first, on one of the two threads that answer lists: who looks
/// for a customer does not wait for movements, of which there are many more.
fn build(store: &Arc<Store>, parts: Arc<Vec<Followed>>, mut left: Range<usize>) {
    let Some(at) = left.next() else { return };
    let then = Arc::downgrade(store);
    store.submit_read(Lane::Long, move |db| {
        let Some(part) = parts.get(at) else { return };
        let built = db.and_then(|db| part.build(db));
        part.begin();
        match built {
            Ok(()) | Err(store::Error::Closed) => {}
            Err(cause) => {
                tracing::warn!(%cause, "the index could not be built yet; the next list tries again");
            }
        }
        if let Some(store) = then.upgrade() {
            build(&store, parts, left);
        }
    });
}

/// The page of those ids.
fn cut(ids: &RoaringBitmap, filter: &Filter, page: Page) -> Found {
    let limit = usize::try_from(page.limit()).unwrap_or(usize::MAX);
    let before = page::before(ids, page);
    let in_order = match page.order() {
        Order::Ascending => page::page(ids, before, limit),
        Order::Descending => page::page_from_end(ids, before, limit),
    };
    Found { ids: in_order, total: ids.len(), of_deleted: filter.is_of_deleted() }
}

#[cfg(test)]
mod tests;
