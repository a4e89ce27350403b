//! The console's search: words of different kinds together, each of which matches a record or one that it belongs to.
//!
//! A word is looked for in the records of every kind themselves. What belongs to those that match follows from the owners of
//! each record, so that no text is kept twice: a task is found by a phone of its lawsuit's customer, of which the task knows
//! nothing.

use std::borrow::Cow;
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use parking_lot::MappedRwLockReadGuard;
use roaring::RoaringBitmap;

use super::follow::Followed;
use super::page::{Found, page_from_end};
use super::part::Part;
use super::terms::{SearchText, Term};
use crate::records::{Kind, Table};
use crate::store::{self, Db};

/// One in so many records is worth to be looked at by itself; of more, all are.
const ONE_BY_ONE: u64 = 32;

/// What a search over everything finds.
#[derive(Debug, Default)]
pub struct Everything {
    /// Of each of the tables that were asked for: the newest, and how many there are.
    pub found: Vec<Found>,
    /// The only record that has all that was typed itself; if none has, the only one that is found.
    pub only: Option<(Kind, u32)>,
}

/// A search over the records of some kinds and of all that they belong to.
pub(super) struct Searching<'i> {
    parts: BTreeMap<Kind, MappedRwLockReadGuard<'i, Part>>,
    of_deleted: bool,
    /// What was found already: the records that a word matches themselves, and those with what they belong to.
    own: Matches,
    all: Matches,
}

/// The records of a kind that a word matches, by their names as well or not.
type Matches = RefCell<BTreeMap<(Kind, bool, String), Rc<RoaringBitmap>>>;

impl<'i> Searching<'i> {
    /// The parts of these tables and of what their records belong to. `part` finds those.
    pub fn read(
        db: Db<'_>,
        tables: &[&'static Table],
        of_deleted: bool,
        part: impl Fn(&Table) -> Result<&'i Followed, store::Error>,
    ) -> Result<Searching<'i>, store::Error> {
        let (mut kinds, mut left) = (BTreeSet::new(), tables.to_vec());
        while let Some(table) = left.pop() {
            if kinds.insert(table.kind) {
                let part = part(table)?.current(db)?;
                left.extend(part.belongings().map(|belonging| belonging.kind.table()));
            }
        }
        // Only now that all of them stand: a write waits for each part that is held, and to build one may take seconds.
        let held = kinds.into_iter().map(|kind| Ok((kind, part(kind.table())?.current(db)?)));
        let parts = held.collect::<Result<_, store::Error>>()?;
        Ok(Searching { parts, of_deleted, own: Matches::default(), all: Matches::default() })
    }

    /// The newest `limit` records of each of these tables, and the only one that is meant.
    pub fn everything(&self, tables: &[&'static Table], text: &SearchText, limit: usize) -> Everything {
        let each = |find: &dyn Fn(Kind) -> RoaringBitmap| {
            tables.iter().map(|table| find(table.kind)).collect::<Vec<_>>()
        };
        let all = each(&|kind| self.with_own(kind, text));
        let own = each(&|kind| self.own_alone(kind, text));
        let only = |found: &[RoaringBitmap]| {
            let total = found.iter().map(RoaringBitmap::len).sum::<u64>();
            let mut kinds = tables.iter().map(|table| table.kind).zip(found).filter(|_| total == 1);
            kinds.find_map(|(kind, ids)| Some((kind, ids.min()?)))
        };
        let is_own = own.iter().any(|ids| !ids.is_empty());
        let found = all.iter().map(|ids| Found {
            ids: page_from_end(ids, 0, limit),
            total: ids.len(),
            of_deleted: false,
        });
        Everything { only: only(if is_own { &own } else { &all }), found: found.collect() }
    }

    /// The text in words that records have, each that none has replaced by the one most like it; `None` if nothing is replaced,
    /// or a word is like none.
    pub fn respell(&self, text: &SearchText) -> Option<String> {
        let respelled = text.terms().iter().map(|term| self.respelled(term)).collect::<Option<Vec<_>>>()?;
        let typed = text.terms().iter().flat_map(Term::words).collect::<Vec<_>>().join(" ");
        Some(respelled.join(" ")).filter(|respelled| *respelled != typed)
    }

    /// The records that count; none of a kind that is not searched.
    fn live(&self, kind: Kind) -> Cow<'_, RoaringBitmap> {
        self.parts.get(&kind).map_or_else(Cow::default, |part| Cow::Borrowed(part.among(self.of_deleted)))
    }

    /// The records that a word matches themselves.
    fn own(&self, kind: Kind, word: &str, by_name: bool) -> Rc<RoaringBitmap> {
        let key = (kind, by_name, word.to_owned());
        if let Some(own) = self.own.borrow().get(&key) {
            return own.clone();
        }
        let own = self.parts.get(&kind).map(|part| part.own(word, by_name)).unwrap_or_default();
        let own = Rc::new(own & &*self.live(kind));
        self.own.borrow_mut().insert(key, own.clone());
        own
    }

    /// The records that a word matches, or of which it matches what they belong to.
    fn all(&self, kind: Kind, word: &str, by_name: bool) -> Rc<RoaringBitmap> {
        let key = (kind, by_name, word.to_owned());
        if let Some(all) = self.all.borrow().get(&key) {
            return all.clone();
        }
        let mut all = (*self.own(kind, word, by_name)).clone();
        for belonging in self.parts.get(&kind).iter().flat_map(|part| part.belongings()) {
            let owners = self.all(belonging.kind, word, !belonging.has_names);
            if !owners.is_empty() {
                all |= belonging.owners.all_belonging(&owners) & &*self.live(kind);
            }
        }
        let all = Rc::new(all);
        self.all.borrow_mut().insert(key, all.clone());
        all
    }

    /// The same of these records alone.
    fn among(&self, kind: Kind, word: &str, by_name: bool, ids: &RoaringBitmap) -> RoaringBitmap {
        if ids.len() * ONE_BY_ONE >= self.live(kind).len() {
            return &*self.all(kind, word, by_name) & ids;
        }
        let mut found = &*self.own(kind, word, by_name) & ids;
        for belonging in self.parts.get(&kind).iter().flat_map(|part| part.belongings()) {
            let rest = ids - &found;
            let owners = belonging.owners.of(&rest) & &*self.live(belonging.kind);
            if !owners.is_empty() {
                let owners = self.among(belonging.kind, word, !belonging.has_names, &owners);
                found |= belonging.owners.belonging(&rest, &owners);
            }
        }
        found
    }

    /// Those of these records that every term matches.
    fn matching(&self, kind: Kind, text: &SearchText, mut ids: RoaringBitmap) -> RoaringBitmap {
        let mut terms = text.terms().iter().collect::<Vec<_>>();
        // The longer, the fewer as a rule; if nothing is left, the others need no look.
        terms.sort_by_key(|term| Reverse(term.words().map(str::len).sum::<usize>()));
        for term in terms {
            if ids.is_empty() {
                break;
            }
            ids = by_term(term, &ids, |word, ids| self.among(kind, word, true, ids));
        }
        ids
    }

    /// The records that a text finds, by what they belong to as well.
    pub fn listed(&self, kind: Kind, text: &SearchText) -> RoaringBitmap {
        let live = self.live(kind).into_owned();
        let id = text.id().filter(|id| live.contains(*id));
        let mut found =
            if text.terms().is_empty() { RoaringBitmap::new() } else { self.matching(kind, text, live) };
        found.extend(id);
        found
    }

    /// The same of those in which at least a part of the text is found itself.
    fn with_own(&self, kind: Kind, text: &SearchText) -> RoaringBitmap {
        let words = text.terms().iter().flat_map(|term| term.words().chain(term.whole()));
        let own = words.fold(RoaringBitmap::new(), |all, word| all | &*self.own(kind, word, true));
        self.matching(kind, text, own)
    }

    /// The records that every term matches themselves.
    fn own_alone(&self, kind: Kind, text: &SearchText) -> RoaringBitmap {
        let Some((first, others)) = text.terms().split_first() else { return RoaringBitmap::new() };
        let own = |term: &Term, ids: &RoaringBitmap| {
            by_term(term, ids, |word, ids| &*self.own(kind, word, true) & ids)
        };
        others.iter().fold(own(first, &self.live(kind)), |found, term| own(term, &found))
    }

    /// The words of a term, each that no record has replaced by the one most like it; `None` if none is.
    fn respelled(&self, term: &Term) -> Option<String> {
        let is_known = |word: &str| self.parts.keys().any(|kind| !self.own(*kind, word, true).is_empty());
        if term.whole().is_some_and(is_known) {
            return Some(term.words().collect::<Vec<_>>().join(" "));
        }
        let words = term.words().map(|word| match is_known(word) {
            true => Some(word),
            false => self.parts.values().find_map(|part| part.nearest(word)),
        });
        Some(words.collect::<Option<Vec<_>>>()?.join(" "))
    }
}

/// Those of these records that `find` finds by every word of a term, or by the whole of it.
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
