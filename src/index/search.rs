//! The console's search: every term of a search text must match the record itself or one of its owners. Owners are the
//! records that it belongs to, directly or through another owner.
//!
//! A record's text is indexed only with the record itself; a search also looks at the owners' index entries. A task is
//! thus found by the phone of its lawsuit's customer, although the task's own entries hold no phone. The only
//! exception is customers' names, which are indexed with their lawsuits too.

mod rank;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use parking_lot::MappedRwLockReadGuard;
use roaring::{MultiOps, RoaringBitmap};

use super::follow::Followed;
use super::hidden::hidden;
use super::noun_index::NounIndex;
use super::noun_index::own::OwnTextMatches;
use super::page::Found;
use super::words::terms::{SearchText, Term};
use crate::domain::{Order, Page};
use crate::records::{Kind, Nouns, Table};
use crate::store::{self, Db};

/// Owners are looked up record by record if less than one record in this many still has to be checked. Otherwise, one
/// pass over all records of the kind is faster, and serves again.
const ONE_BY_ONE: u64 = if cfg!(test) { 16 } else { 128 };
/// A word is rare if less than one record in this many has it. All records that match it, by their owners too, are found
/// sooner than as many are looked up.
const RARE: u64 = if cfg!(test) { 8 } else { 256 };

/// A search over everything counts the matches of each table up to this number, and then looks no further.
pub const MAX_COUNTED_MATCHES: u64 = 100;
/// Number of records, the newest of those that may match, that a search over everything checks first. The next time it
/// checks `WIDER` times as many.
const NEWEST: u64 = if cfg!(test) { 16 } else { 2_048 };
const WIDER: u64 = 8;

/// The result of a search over several tables.
#[derive(Debug, Default)]
pub struct Everything {
    /// The best matches and the total of each requested table, in the requested order. A total above [`MAX_COUNTED_MATCHES`]
    /// means that there are more.
    pub found: Vec<Found>,
    /// The record to open directly, if there is exactly one candidate. Candidates are the records whose own text
    /// matches every term or, if there are none, all matches.
    pub only: Option<(Kind, u32)>,
}

/// A search over the records of some kinds and over their owners.
pub(super) struct Searching<'i> {
    parts: BTreeMap<Kind, MappedRwLockReadGuard<'i, NounIndex>>,
    of_deleted: bool,
    /// The nouns that the caller may see.
    nouns: Nouns,
    /// The records of these kinds that the caller may not see.
    hidden: BTreeMap<Kind, RoaringBitmap>,
    /// Cached results of the method `own`.
    own: Cached<OwnTextMatches>,
    /// Cached results of the method `all`.
    all: Cached<RoaringBitmap>,
}

/// A search for a text in one table.
pub(super) struct SearchedTable<'i> {
    pub searching: Searching<'i>,
    pub kind: Kind,
    pub text: &'i SearchText,
}

impl SearchedTable<'_> {
    /// Returns the records, live or in the trash, that match the text.
    pub fn listed(&self) -> RoaringBitmap {
        self.searching.listed(self.kind, self.text)
    }

    /// Returns a page of these matches, which must be in descending order: the best first.
    pub fn page(&self, found: &RoaringBitmap, page: Page) -> Vec<u32> {
        self.searching.page(self.kind, self.text, found.clone(), page)
    }
}

/// Results by kind and word.
type Cached<T> = RefCell<BTreeMap<(Kind, String), Rc<T>>>;

impl<'i> Searching<'i> {
    /// Takes read locks on the index parts of these tables and of the tables of all their owners, apart from those that
    /// are hidden from the caller. `part` returns the part of a table.
    pub fn read(
        db: Db<'_>,
        tables: &[&'static Table],
        of_deleted: bool,
        part: impl Fn(&Table) -> Result<&'i Followed, store::Error>,
    ) -> Result<Searching<'i>, store::Error> {
        let mut kinds = BTreeSet::new();
        let mut left = tables.to_vec();
        left.retain(|table| db.nouns().has(table.kind));
        while let Some(table) = left.pop() {
            if kinds.insert(table.kind) {
                let part = part(table)?.current(db)?;
                let owners = part.belongings().map(|belonging| belonging.kind);
                left.extend(owners.filter(|kind| db.nouns().has(*kind)).map(Kind::table));
            }
        }
        // Lock only after all parts are built: building one may take seconds, and a held lock blocks writes.
        let hidden = kinds.iter().map(|kind| Ok((*kind, hidden(db, kind.table())?)));
        let hidden = hidden.collect::<Result<_, store::Error>>()?;
        let held = kinds.into_iter().map(|kind| Ok((kind, part(kind.table())?.current(db)?)));
        let parts = held.collect::<Result<_, store::Error>>()?;
        let own = Cached::default();
        let all = Cached::default();
        Ok(Searching { parts, of_deleted, nouns: db.nouns(), hidden, own, all })
    }

    /// Returns the part of a table that is searched.
    pub fn part(&self, kind: Kind) -> Option<&NounIndex> {
        self.parts.get(&kind).map(|part| &**part)
    }

    /// Returns the best `limit` matches of each table, and the record to open directly if there is only one.
    pub fn everything(&self, tables: &[&'static Table], text: &SearchText, limit: u32) -> Everything {
        let most = MAX_COUNTED_MATCHES.max(limit.into());
        let page = Page::first(limit).in_order(Order::Descending);
        let each = |find: &dyn Fn(Kind) -> RoaringBitmap| {
            tables.iter().map(|table| find(table.kind)).collect::<Vec<_>>()
        };
        let all = each(&|kind| self.newest_with_own(kind, text, most));
        let own = each(&|kind| self.own_alone(kind, text));
        let only = |found: &[RoaringBitmap]| {
            let total = found.iter().map(RoaringBitmap::len).sum::<u64>();
            let mut kinds = tables.iter().map(|table| table.kind).zip(found).filter(|_| total == 1);
            kinds.find_map(|(kind, ids)| Some((kind, ids.min()?)))
        };
        let is_own = own.iter().any(|ids| !ids.is_empty());
        let only = only(if is_own { &own } else { &all });
        let found = tables.iter().zip(all).zip(own).map(|((table, all), own)| Found {
            total: all.len().min(most + 1),
            // Those counted are the newest, and a better one may be older.
            ids: self.page(table.kind, text, all | own, page),
            of_deleted: false,
        });
        Everything { only, found: found.collect() }
    }

    /// Suggests a corrected text, in which each word that no record has is replaced by a similar one. Returns `None` if
    /// no word needs correction, or if an unknown word has no similar one.
    pub fn respell(&self, text: &SearchText) -> Option<String> {
        let respelled = text.terms().iter().map(|term| self.respelled(term)).collect::<Option<Vec<_>>>()?;
        let typed = text.terms().iter().flat_map(Term::words).collect::<Vec<_>>().join(" ");
        Some(respelled.join(" ")).filter(|respelled| *respelled != typed)
    }

    /// Returns the records whose own text matches a word, among those that can match, as owners too: the live ones and,
    /// if `of_deleted`, those in the trash.
    fn own(&self, kind: Kind, word: &str) -> Rc<OwnTextMatches> {
        cached(&self.own, kind, word, || {
            let Some(part) = self.parts.get(&kind) else { return OwnTextMatches::default() };
            let mut own = part.own(word, self.nouns);
            self.narrow(&mut own.all, kind, part);
            own
        })
    }

    /// Returns the records that match a word in their own text or in that of an owner.
    fn all(&self, kind: Kind, word: &str) -> Rc<RoaringBitmap> {
        cached(&self.all, kind, word, || {
            let Some(part) = self.parts.get(&kind) else { return RoaringBitmap::new() };
            let mut found = self.own(kind, word).all.clone();
            for belonging in part.belongings() {
                // Apart from the owners whose records match themselves.
                let copied = part.copied(&belonging);
                let copied = self.own(belonging.kind, word).by(|field| copied.contains(&field.column));
                let owners = &*self.all(belonging.kind, word) - copied;
                if !owners.is_empty() {
                    found |= belonging.owners.all_belonging(&owners);
                }
            }
            self.narrow(&mut found, kind, part);
            found
        })
    }

    /// Takes out what is not searched: hidden records and, unless `of_deleted`, those in the trash.
    fn narrow(&self, found: &mut RoaringBitmap, kind: Kind, part: &NounIndex) {
        if !self.of_deleted {
            *found -= part.among(true);
        }
        if let Some(hidden) = self.hidden.get(&kind) {
            *found -= hidden;
        }
    }

    /// Returns the records of `ids` that match a word in their own text or in that of an owner. Looks up owners only
    /// for the records that have not matched yet, which are few or none if the word is frequent.
    fn among(&self, kind: Kind, word: &str, ids: &RoaringBitmap) -> RoaringBitmap {
        let mut found = &self.own(kind, word).all & ids;
        let Some(part) = self.parts.get(&kind) else { return found };
        let rest = ids.len() - found.len();
        let reach = self.reach(kind, word);
        let total = part.among(false).len();
        if rest * ONE_BY_ONE > total || (reach < rest && reach * RARE < total) {
            return &*self.all(kind, word) & ids;
        }
        for belonging in part.belongings() {
            let rest = ids - &found;
            if rest.is_empty() {
                break;
            }
            let mut owners = belonging.owners.of(&rest);
            if let Some(part) = self.parts.get(&belonging.kind).filter(|_| !self.of_deleted) {
                owners -= part.among(true);
            }
            let owners = self.among(belonging.kind, word, &owners);
            found |= belonging.owners.belonging(&rest, &owners);
        }
        found
    }

    /// Returns the records of `ids` that match every term in their own text or in that of an owner.
    fn matching(&self, kind: Kind, text: &SearchText, mut ids: RoaringBitmap) -> RoaringBitmap {
        let mut terms = text.terms().iter().collect::<Vec<_>>();
        // Rare terms first: they leave few records, or none, to look at.
        terms.sort_by_cached_key(|term| {
            let words = term.words().map(|word| self.reach(kind, word)).min();
            words.unwrap_or(0) + term.whole().map_or(0, |whole| self.reach(kind, whole))
        });
        for term in terms {
            if ids.is_empty() {
                break;
            }
            ids = by_term(term, &ids, |word, ids| self.among(kind, word, ids));
        }
        ids
    }

    /// Returns the number of records, of this kind and of those of its owners, whose own text matches a word.
    fn reach(&self, kind: Kind, word: &str) -> u64 {
        let owners = self.parts.get(&kind).into_iter().flat_map(|part| part.belongings());
        let of_owners = owners.map(|belonging| self.reach(belonging.kind, word));
        of_owners.fold(self.own(kind, word).all.len(), u64::max)
    }

    /// Returns all records that the caller may see, live or in the trash as `of_deleted` says.
    fn records(&self, kind: Kind) -> RoaringBitmap {
        let mut records =
            self.parts.get(&kind).map(|part| part.among(self.of_deleted).clone()).unwrap_or_default();
        if let Some(hidden) = self.hidden.get(&kind) {
            records -= hidden;
        }
        records
    }

    /// Returns the records, live or in the trash as `of_deleted` says, that match every term in their own text or in
    /// that of an owner. If the text is a number, also returns the record with that id. If nothing matches, titles,
    /// particles and legal forms in the text are left out.
    pub fn listed(&self, kind: Kind, text: &SearchText) -> RoaringBitmap {
        let listed = self.records(kind);
        let id = text.id().filter(|id| listed.contains(*id));
        let mut found =
            if text.terms().is_empty() { RoaringBitmap::new() } else { self.matching(kind, text, listed) };
        found.extend(id);
        found |= self.named(kind, text);
        match text.counted().filter(|_| found.is_empty()) {
            Some(counted) => self.listed(kind, counted),
            None => found,
        }
    }

    /// Returns the records with this name if the text has titles, particles or legal forms, which no field need have.
    fn named(&self, kind: Kind, text: &SearchText) -> RoaringBitmap {
        text.counted().map(|_| self.with_same_name(kind, text) & self.records(kind)).unwrap_or_default()
    }

    /// Like [`listed`](Self::listed), but returns only records whose own text matches at least one of the words, and
    /// does not search by id. Returns the newest ones, and all of them if there are no more than `most`.
    fn newest_with_own(&self, kind: Kind, text: &SearchText, most: u64) -> RoaringBitmap {
        let words = text.terms().iter().flat_map(|term| term.words().chain(term.whole()));
        let own = words.map(|word| self.own(kind, word)).collect::<Vec<_>>();
        let mut rest = own.iter().map(|own| &own.all).union();
        let mut found = RoaringBitmap::new();
        let mut width = NEWEST;
        while found.len() <= most {
            let oldest = u32::try_from(rest.len().saturating_sub(width)).unwrap_or(u32::MAX);
            let Some(oldest) = rest.select(oldest) else { break };
            let mut newest = rest.clone();
            newest.remove_range(..oldest);
            rest.remove_range(oldest..);
            found |= self.matching(kind, text, newest);
            width *= WIDER;
        }
        found |= self.named(kind, text);
        match text.counted().filter(|_| found.is_empty()) {
            Some(counted) => self.newest_with_own(kind, counted, most),
            None => found,
        }
    }

    /// Returns the records that match every term in their own text, or have this name.
    fn own_alone(&self, kind: Kind, text: &SearchText) -> RoaringBitmap {
        let own = |ids: RoaringBitmap, term: &Term| {
            by_term(term, &ids, |word, ids| &self.own(kind, word).all & ids)
        };
        if text.terms().is_empty() {
            RoaringBitmap::new()
        } else {
            text.terms().iter().fold(self.records(kind), own) | self.named(kind, text)
        }
    }

    /// Returns the words of a term, each unknown one replaced by a similar word from the first kind that has one.
    /// Returns `None` if no kind has one.
    fn respelled(&self, term: &Term) -> Option<String> {
        let is_known = |word: &str| self.parts.keys().any(|kind| !self.own(*kind, word).all.is_empty());
        if term.whole().is_some_and(is_known) {
            return Some(term.words().collect::<Vec<_>>().join(" "));
        }
        let words = term.words().map(|word| match is_known(word) {
            true => Some(word),
            false => self.parts.values().find_map(|part| part.nearest(word, self.nouns)),
        });
        Some(words.collect::<Option<Vec<_>>>()?.join(" "))
    }
}

/// Returns the cached result for a kind and a word. Calls `find` the first time.
fn cached<T>(results: &Cached<T>, kind: Kind, word: &str, find: impl FnOnce() -> T) -> Rc<T> {
    let key = (kind, word.to_owned());
    if let Some(found) = results.borrow().get(&key) {
        return found.clone();
    }
    let found = Rc::new(find());
    results.borrow_mut().insert(key, found.clone());
    found
}

/// The records of `ids` that `find` returns for every word of a term, or for the term as a whole.
fn by_term(
    term: &Term,
    ids: &RoaringBitmap,
    find: impl Fn(&str, &RoaringBitmap) -> RoaringBitmap,
) -> RoaringBitmap {
    let words = term.words().fold(ids.clone(), |found, word| find(word, &found));
    match term.whole() {
        Some(whole) => words | find(whole, ids),
        None => words,
    }
}

#[cfg(test)]
mod tests;
