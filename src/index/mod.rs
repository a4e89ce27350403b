//! The in-memory index that answers lists. Every filter yields a set of ids; the intersection of the sets gives the exact
//! total and any page.
//!
//! **The way through.** `noun_index` builds the index of one noun out of the store. `follow` applies every commit before it is
//! confirmed, so a list includes every confirmed write. `filter` is what a list asks for, `page` answers it, `search` is
//! the search over everything.
//!
//! **The rooms.** `sets`: sets of ids. `values`: indexes of amounts, days, references and other values. `words`: the words
//! of texts. `names`: similar names, by letters and by sound.
//!
//! **What holds.** SQLite stays the source of truth, and the index holds only what lists need. It is built when the
//! program starts. When in doubt, it is rebuilt.
//!
//! **Deliberately missing.** Files of the index, and texts of records: a page's records are read from the store.

mod field;
mod filter;
mod follow;
mod hidden;
mod names;
mod noun_index;
mod page;
mod person_query;
mod search;
mod sets;
mod stop;
mod values;
mod words;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use jiff::tz::TimeZone;
use roaring::RoaringBitmap;

pub use filter::{Condition, DayRange, Filter, Guest};
pub use names::known::KnownNames;
pub use names::{Candidates, NameIndex};
pub use page::Found;
pub use person_query::{NameMatching, PersonQuery, SearchCost};
pub use search::{Everything, MAX_COUNTED_MATCHES};
pub use sets::buckets::OfEntry;
pub use values::reference::Named;
pub use words::terms::{MatchMode, SearchText, Term, other_notation};

use crate::domain::{Bilingual, Order, Page, Sum};
use crate::progress::Progress;
use crate::records::{Find, TABLES, Table, Type};
use crate::store::records::external_ids;
use crate::store::{self, Db, Lane, Store, records};

use field::FieldIndex;
use follow::Followed;
use hidden::{hidden, without};
use noun_index::NounIndex;
use search::{SearchedTable, Searching};
use sets::sorted::sorted;
use stop::Stop;
use values::idle::{idle, newest_day, newest_days};
use words::Match;

/// Label of the progress while the index is built.
const BUILDING: Bilingual = ("construindo o índice", "building the index");

/// The index of a store, with one part for each independent noun, so that a search for customers does not
/// wait for lawsuits.
pub struct Index {
    parts: Arc<Vec<Followed>>,
    stop: Stop,
}

impl Index {
    /// Starts to follow `store` and builds the parts on the store's threads. A list whose part is not built
    /// yet waits for it. `zone` is the office's time zone, which decides where days begin.
    pub fn start(store: &Arc<Store>, zone: &TimeZone) -> Index {
        let stop = Stop::default();
        // Only for the progress: if the highest id cannot be read, the total is unknown.
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

    /// Aborts the builds in progress, as the first step of a shutdown. Lists are still answered from the
    /// parts that are built; a list that waits for another part gets `Closed`.
    pub fn stop(&self) {
        self.stop.set();
    }

    /// Returns a future that resolves when the initial build of the table's part has ended or was aborted.
    /// Returns `None` if it already has.
    pub fn begun(&self, table: &Table) -> Option<impl Future<Output = ()> + Send + use<>> {
        self.part(table).ok()?.begun()
    }

    /// Waits until the initial builds of all parts have ended or were aborted.
    pub async fn all_begun(&self) {
        for begun in self.parts.iter().filter_map(Followed::begun) {
            begun.await;
        }
    }

    /// Returns the progress of the initial build in records read, or `None` once it has ended, even if it failed.
    pub fn progress(&self) -> Option<Progress> {
        if self.stop.is_set() || self.parts.iter().all(Followed::is_begun) {
            return None;
        }
        let each = self.parts.iter().map(Followed::progress);
        let (done, all) = each.fold((0, 0), |(done, all), (own, of)| (done + own, all + of));
        Some(Progress::of(BUILDING, done, all))
    }

    /// Returns a page of the matching records by id, in the page's order. If a text is searched from the newest on, the
    /// best matches come first.
    pub fn find(
        &self,
        db: Db<'_>,
        table: &'static Table,
        filter: &Filter,
        page: Page,
    ) -> Result<Found, store::Error> {
        self.with_searched(db, table, filter, |_, all, searching| cut(all, filter, page, searching))
    }

    /// Returns a page of the matching records, and one sum of the column `sum` for each of `groups` over all
    /// matching records. The page is sorted by the column `sort` if given, then by id; records without a
    /// value come last. Without it, the page is that of [`find`](Self::find). The matches and the sums come from one
    /// state of the index, whatever is written meanwhile.
    pub fn find_and_sum(
        &self,
        db: Db<'_>,
        table: &'static Table,
        filter: &Filter,
        (page, sort): (Page, Option<&str>),
        (sum, groups): (&str, &[Filter]),
    ) -> Result<(Found, Vec<Sum>), store::Error> {
        let found = self.with_searched(db, table, filter, |part, all, searching| {
            let of_group = |group: &Filter| {
                let Some(FieldIndex::Amounts(amounts)) = part.index(sum) else { return Sum::default() };
                let mut both = part.find(group);
                both.push(Cow::Borrowed(all));
                amounts.sum(&page::and_all(both))
            };
            let sums: Vec<Sum> = groups.iter().map(of_group).collect();
            let page = match sort {
                None => Ok(cut(all, filter, page, searching)),
                // The sort keys are in the part of another table.
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

    /// Returns a page of those `ids` that match, in the given order.
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

    /// Returns a page of the newest record of each owner that the column `column` refers to, by day and id,
    /// newest first. Only records within the filter's days that match the rest of the filter count, and only
    /// owners that match `of`.
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
        // The days bound the walk over an owner's records. Testing each record between them would take ten
        // times as long.
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

    /// Calls `work` with the records that meet every condition; all records if there are no conditions, and none if the
    /// noun is hidden from the caller.
    fn with_matching<T>(
        &self,
        db: Db<'_>,
        table: &'static Table,
        filter: &Filter,
        work: impl FnOnce(&NounIndex, &RoaringBitmap) -> T,
    ) -> Result<T, store::Error> {
        self.with_searched(db, table, filter, |part, all, _| work(part, all))
    }

    /// Like [`with_matching`](Self::with_matching), also with the search for the filter's text.
    fn with_searched<T>(
        &self,
        db: Db<'_>,
        table: &'static Table,
        filter: &Filter,
        work: impl FnOnce(&NounIndex, &RoaringBitmap, Option<&SearchedTable<'_>>) -> T,
    ) -> Result<T, store::Error> {
        if !db.nouns().has(table.kind) {
            return Ok(work(&*self.part(table)?.current(db)?, &RoaringBitmap::new(), None));
        }
        let hidden = hidden(db, table)?;
        let mut linked = self.linked(db, table, filter)?;
        let searched = filter.text().map(|text| {
            let searching = Searching::read(db, &[table], filter.is_of_deleted(), |table| self.part(table))?;
            Ok::<_, store::Error>(SearchedTable { searching, kind: table.kind, text })
        });
        let searched = searched.transpose()?;
        linked.extend(searched.as_ref().map(SearchedTable::listed));
        // The search holds its parts: locking one twice could wait for a write that waits for the first lock.
        let held = match &searched {
            Some(_) => None,
            None => Some(self.part(table)?.current(db)?),
        };
        let part =
            searched.as_ref().and_then(|searched| searched.searching.part(table.kind)).or(held.as_deref());
        let part = part.ok_or_else(|| store::Error::Defect("a search without its own table".to_owned()))?;
        let mut found = part.find(filter);
        found.extend(linked.iter().map(Cow::Borrowed));
        // Conditions also match deleted records.
        found.push(Cow::Borrowed(part.among(filter.is_of_deleted())));
        Ok(work(part, &without(page::and_all(found), &hidden), searched.as_ref()))
    }

    /// Returns the best `limit` matches of a text in each of these tables. At least one word must match the
    /// record itself: matches through an owner alone are shown under the owner.
    pub fn search(
        &self,
        db: Db<'_>,
        tables: &[&'static Table],
        text: &SearchText,
        limit: u32,
    ) -> Result<Everything, store::Error> {
        Ok(Searching::read(db, tables, false, |table| self.part(table))?.everything(tables, text, limit))
    }

    /// Suggests a corrected text for one that matches nothing in these tables and their owners, using words
    /// that records have.
    pub fn respell(
        &self,
        db: Db<'_>,
        tables: &[&'static Table],
        text: &SearchText,
    ) -> Result<Option<String>, store::Error> {
        Ok(Searching::read(db, tables, false, |table| self.part(table))?.respell(text))
    }

    /// Returns the number of live records that the caller may see.
    pub fn total(&self, db: Db<'_>, table: &'static Table) -> Result<u64, store::Error> {
        if !db.nouns().has(table.kind) {
            return Ok(0);
        }
        let hidden = hidden(db, table)?;
        Ok(self.part(table)?.current(db)?.all().difference_len(&hidden))
    }

    /// Returns the matches of each condition that only the store can answer, such as links and external ids.
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
                (Condition::LinkedOrThrough([through, member], id), _) => {
                    let mut ids: RoaringBitmap =
                        records::linked_to(db, table, column, *id)?.into_iter().collect();
                    let between = table.field(through).and_then(|field| field.record());
                    if let Some(kind) = between.filter(|kind| db.nouns().has(*kind)) {
                        for other in records::linked_to(db, kind.table(), member, *id)? {
                            ids.extend(records::linked_to(db, table, through, other)?);
                        }
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
}

impl Drop for Index {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Builds the remaining parts one after the other, customers first, as jobs on one of the two threads that
/// answer lists. A search for customers thus does not wait for movements, which are far more numerous.
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
                tracing::warn!(%cause, "building the index failed; the next list tries again");
            }
        }
        if let Some(store) = then.upgrade() {
            build(&store, parts, left);
        }
    });
}

/// Cuts the page out of the matching ids.
fn cut(ids: &RoaringBitmap, filter: &Filter, page: Page, searched: Option<&SearchedTable<'_>>) -> Found {
    let (total, of_deleted) = (ids.len(), filter.is_of_deleted());
    if let (Some(searched), Order::Descending, None) = (searched, page.order(), page.after()) {
        return Found { ids: searched.page(ids, page), total, of_deleted };
    }
    let limit = usize::try_from(page.limit()).unwrap_or(usize::MAX);
    let before = page::before(ids, page);
    let in_order = match page.order() {
        Order::Ascending => page::page(ids, before, limit),
        Order::Descending => page::page_from_end(ids, before, limit),
    };
    Found { ids: in_order, total, of_deleted }
}

#[cfg(test)]
mod tests;
