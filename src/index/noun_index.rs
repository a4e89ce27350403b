//! The index of one noun: an index for each searchable field of its table.

mod build;
pub(super) mod own;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use jiff::tz::TimeZone;
use roaring::RoaringBitmap;

use super::field::{FieldIndex, IndexedField, IndexedValues, birthday, held, key_of};
use super::filter::{Condition, Filter, Guest};
use super::names::parties::PartyIndex;
use super::page::{Filling, page_by_keys, put};
use super::values::reference::{Named, Reference, first_known};
use super::words::Match;
use super::words::terms::other_notation;
use crate::domain::parties::similar_names::words::with_spellings;
use crate::domain::{Page, Situation, TaxId};
use crate::records::{Field, Find, Kind, List, Source, Table, Type, Value};
use crate::store::journal::affected_records::{Change, RowKind, runs};
use crate::store::records::{linked_names, naming, referring_to, search_each};
use crate::store::{self, Db};

/// Length of a process number in its current form (CNJ Resolution 65/2008).
const WHOLE_PROCESS_NUMBER: usize = 20;
const WHOLE_CNPJ: usize = 14;

pub(super) struct NounIndex {
    table: &'static Table,
    reference: Reference,
    /// The live records.
    all: RoaringBitmap,
    deleted: RoaringBitmap,
    members: Vec<Member>,
}

/// A searchable field of the table.
struct Member {
    of: IndexedField,
    index: FieldIndex,
}

impl Member {
    /// Returns the link column whose linked records' ids or names this field holds.
    fn links(&self) -> Option<&'static str> {
        links(self.of.field)
    }
}

fn refers_to_lists(table: &Table) -> bool {
    table.fields.iter().any(|field| matches!(field.ty, Type::Reference(_)))
}

fn links(field: &Field) -> Option<&'static str> {
    match (field.source, field.find) {
        (Source::NamesOf(links), _) => Some(links),
        (Source::Links(..), Some(Find::Linked(..))) => Some(field.column),
        _ => None,
    }
}

/// The indexed values of one record.
struct HeldRecord {
    is_deleted: bool,
    /// With the field's position in the table, ascending.
    members: Vec<(usize, IndexedValues)>,
}

impl HeldRecord {
    fn member(&self, at: usize) -> Option<&IndexedValues> {
        let found = self.members.binary_search_by_key(&at, |(at, _)| *at).ok()?;
        self.members.get(found).map(|(_, held)| held)
    }
}

/// The current state of everything that some changes touched.
pub(super) struct Touched {
    /// The reference lists, if one of them changed and the noun refers to some.
    reference: Option<Reference>,
    /// `None` if the record does not exist any more.
    records: BTreeMap<u32, Option<HeldRecord>>,
}

impl NounIndex {
    /// Reads the current state of everything that the changes touched. `found_by` is [`found_by`] of the table.
    pub(super) fn read(
        table: &'static Table,
        found_by: &[Kind],
        db: Db<'_>,
        zone: &TimeZone,
        changes: &[Change],
    ) -> Result<Touched, store::Error> {
        let is_list_changed = changes.iter().any(|(kind, _)| *kind == RowKind::Settings);
        let reference =
            if is_list_changed && refers_to_lists(table) { Some(Reference::read(db)?) } else { None };
        let touched =
            |of: Kind| changes.iter().filter(move |(kind, _)| *kind == of.into()).map(|(_, id)| *id);
        let mut ids: BTreeSet<u32> = touched(table.kind).collect();
        // A record that is found by fields of other records changes when those records do.
        for kind in found_by.iter().copied() {
            for run in runs(touched(kind).collect::<BTreeSet<_>>()) {
                ids.extend(naming(db, table, kind, run.clone())?);
                ids.extend(referring_to(db, table, kind, run)?);
            }
        }
        if ids.is_empty() {
            return Ok(Touched { reference, records: BTreeMap::new() });
        }
        let members = IndexedField::all(table);
        let mut records: BTreeMap<u32, Option<HeldRecord>> = ids.iter().map(|id| (*id, None)).collect();
        for run in runs(ids) {
            let mut linked: BTreeMap<(usize, u32), IndexedValues> = BTreeMap::new();
            for member in &members {
                if let Some(links) = links(member.field) {
                    linked_names(db, table, links, Some(run.clone()), |id, other, name| {
                        let held = linked.entry((member.at, id)).or_default();
                        held.text.extend([" ", &with_spellings(name)]);
                        held.owners.push(other);
                        Ok(())
                    })?;
                }
            }
            search_each(db, table, run, |row| {
                let id = row.id()?;
                let held = members.iter().map(|member| match linked.remove(&(member.at, id)) {
                    Some(linked) => Ok((member.at, linked)),
                    None => Ok((member.at, held(member, &row, zone)?)),
                });
                let members = held.collect::<Result<_, store::Error>>()?;
                let is_deleted = row.deleted_at(table)?.is_some();
                records.insert(id, Some(HeldRecord { is_deleted, members }));
                Ok(())
            })?;
        }
        Ok(Touched { reference, records })
    }

    /// Applies what was read. Idempotent.
    pub(super) fn take(&mut self, touched: Touched) {
        let nothing = IndexedValues::default();
        for (id, record) in touched.records {
            self.note(id, record.as_ref().map(|held| held.is_deleted));
            for member in &mut self.members {
                let held = record.as_ref().and_then(|record| record.member(member.of.at));
                member.index.set(id, held.unwrap_or(&nothing));
            }
        }
        if let Some(reference) = touched.reference {
            self.reference = reference;
        }
    }

    /// Registers the record as live or deleted. `None` removes it.
    fn note(&mut self, id: u32, is_deleted: Option<bool>) {
        put(&mut self.all, id, is_deleted == Some(false));
        put(&mut self.deleted, id, is_deleted == Some(true));
    }

    pub(super) fn all(&self) -> &RoaringBitmap {
        &self.all
    }

    /// Returns the deleted records if `deleted`, the live ones if not.
    pub(super) fn among(&self, deleted: bool) -> &RoaringBitmap {
        if deleted { &self.deleted } else { &self.all }
    }

    /// Returns the matches of each condition, except conditions on links, which the caller evaluates.
    pub(super) fn find(&self, filter: &Filter) -> Vec<Cow<'_, RoaringBitmap>> {
        filter.conditions().filter_map(|(column, condition)| self.admitted(column, condition)).collect()
    }

    fn admitted(&self, column: &str, condition: &Condition) -> Option<Cow<'_, RoaringBitmap>> {
        let field = self.table.field(column)?;
        Some(match (condition, self.index(column)) {
            (Condition::Words(words), _) => self.with_words(field, words),
            (Condition::Start(start), _) => self.with_number(field, start, Match::Prefix),
            (Condition::Digits(digits), _) => {
                let found = self.members.iter().find(|member| member.of.field.find == Some(Find::Digits));
                self.with_number(found?.of.field, digits, Match::Infix)
            }
            (Condition::Entry(named), _) => self.with_entry(field, named)?,
            (Condition::Days(first, last), Some(FieldIndex::Days(days))) => days.within((*first, *last))?,
            (Condition::IsAbsent(absent), Some(FieldIndex::Days(days))) => {
                self.or_others(Cow::Owned(days.all()), *absent)
            }
            (Condition::IsAbsent(absent), Some(FieldIndex::Newest(newest))) => {
                self.or_others(Cow::Borrowed(newest.all()), *absent)
            }
            (Condition::Month(month), Some(FieldIndex::Keys(days))) => {
                let born = days.any_of((1..=31).map(|day| birthday(*month, day)));
                Cow::Owned(&*born - &*self.deceased())
            }
            (Condition::Value(value), Some(FieldIndex::Keys(keys))) => keys.any_of(key_of(field.ty, value)),
            (Condition::Guest(guest), Some(FieldIndex::Guests(guests))) => {
                guests.find(self.users(guest).as_deref(), guest)?
            }
            (Condition::Id(id), _) => Cow::Owned(&RoaringBitmap::from([*id]) & (&self.all | &self.deleted)),
            _ => return None,
        })
    }

    /// Returns these records, or, if `others`, all records that are not among them.
    fn or_others<'p>(&self, ids: Cow<'p, RoaringBitmap>, others: bool) -> Cow<'p, RoaringBitmap> {
        if others { Cow::Owned((&self.all | &self.deleted) - &*ids) } else { ids }
    }

    /// Returns the users of which one must be the guest, or `None` if any may be.
    fn users(&self, guest: &Guest) -> Option<Vec<u32>> {
        let named = guest.name.as_ref().map(|name| self.reference.meant(List::Users, name));
        match (guest.user, named) {
            (Some(user), Some(named)) => Some(named.into_iter().filter(|one| *one == user).collect()),
            (user, named) => user.map(|user| vec![user]).or(named),
        }
    }

    fn with_words(&self, field: &Field, words: &str) -> Cow<'_, RoaringBitmap> {
        let found = self.matching(field.column, words, Match::Infix);
        let Some(Find::WordsOr(other)) = field.find else { return found };
        Cow::Owned(found.as_ref() | self.matching(other, words, Match::Infix).as_ref())
    }

    /// Returns the records whose column has this number: exactly if it is a whole one, else as a part that matches `by`.
    fn with_number(&self, field: &Field, number: &str, by: Match) -> Cow<'_, RoaringBitmap> {
        let find = |number: &str| {
            let by = if is_whole(field.ty, number) { Match::Whole } else { by };
            self.matching(field.column, number, by)
        };
        match other_notation(field, number) {
            Some(other) => Cow::Owned(find(number).as_ref() | find(&other).as_ref()),
            None => find(number),
        }
    }

    /// Returns the records whose column has words that match these.
    pub(super) fn matching(&self, column: &str, words: &str, by: Match) -> Cow<'_, RoaringBitmap> {
        let index = self.index(column).and_then(FieldIndex::words);
        index.map(|index| index.find(words, by)).unwrap_or_default()
    }

    /// Returns the records with a word in the texts that only the console's search uses.
    pub(super) fn matching_searched(&self, word: &str, by: Match) -> Cow<'_, RoaringBitmap> {
        match self.members.iter().find(|member| member.of.field.searched).map(|member| &member.index) {
            Some(FieldIndex::Words(index)) => index.find(word, by),
            _ => Cow::default(),
        }
    }

    /// Returns the names of opposing parties.
    pub(super) fn parties(&self) -> Option<&PartyIndex> {
        self.members.iter().find_map(|member| match &member.index {
            FieldIndex::Parties(parties) => Some(&**parties),
            _ => None,
        })
    }

    /// Returns the origins whose customers are on the opposing side.
    pub(super) fn opposing_origins(&self) -> &[u32] {
        self.reference.opposing_origins()
    }

    /// Returns the records that refer to one of these entries by the column.
    pub(super) fn referring(&self, column: &str, entries: impl IntoIterator<Item = u32>) -> RoaringBitmap {
        match self.index(column) {
            Some(FieldIndex::Keys(keys)) => keys.any_of(entries).into_owned(),
            _ => RoaringBitmap::new(),
        }
    }

    fn with_entry(&self, field: &Field, named: &Named) -> Option<Cow<'_, RoaringBitmap>> {
        let referring = match field.source {
            Source::ParentOf(column) => self.table.field(column)?,
            _ => field,
        };
        let (FieldIndex::Keys(keys), Type::Reference(list)) = (self.index(referring.column)?, referring.ty)
        else {
            return None;
        };
        let reference = &self.reference;
        let of_parent = matches!(field.source, Source::ParentOf(_));
        let entries = match (field.find?, list.parent()) {
            (Find::EntryOrParent(_), Some(parent)) => {
                first_known(either(reference, list, parent, of_parent, named))
            }
            (_, Some(parent)) if of_parent => reference.belonging(list, &reference.meant(parent, named)),
            _ => reference.meant(list, named),
        };
        Some(keys.any_of(entries))
    }

    /// Returns a page of these records sorted by the column, then by id; records without a value come last.
    /// Returns `None` if no index has that order.
    pub(super) fn page_by(&self, column: &str, ids: &RoaringBitmap, requested: Page) -> Option<Vec<u32>> {
        let field = self.table.field(column)?;
        let mut page = Filling::new(requested);
        match (field.source, field.ty) {
            (Source::NameOf(of), _) => {
                let FieldIndex::Keys(keys) = self.index(of)? else { return None };
                let Type::Reference(list) = self.table.field(of)?.ty else { return None };
                let names = self.reference.by_name(list).into_iter();
                page.take_all(names.map(|entries| keys.any_of(entries)), ids);
            }
            (
                Source::Column,
                Type::EntryType | Type::Situation | Type::DoubledParty | Type::CalendarEffect,
            ) => {
                let FieldIndex::Keys(keys) = self.index(column)? else { return None };
                let mut words = (0u32..).zip(field.ty.words()).collect::<Vec<_>>();
                words.sort_by_key(|(_, word)| **word);
                page.take_all(words.into_iter().map(|(key, _)| keys.any_of([key])), ids);
            }
            (Source::Column, Type::Day | Type::SlashedDay) => {
                let FieldIndex::Days(days) = self.index(column)? else { return None };
                days.fill(ids, &mut page);
            }
            (Source::Column, Type::Money) => {
                let FieldIndex::Amounts(amounts) = self.index(column)? else { return None };
                return Some(page_by_keys(amounts.of(ids), requested));
            }
            _ => return None,
        }
        Some(page.into_ids())
    }

    /// Returns the customers who are deceased.
    pub(super) fn deceased(&self) -> Cow<'_, RoaringBitmap> {
        let deceased = Value::Text(Situation::Deceased.as_str().into());
        match self.index("situation") {
            Some(FieldIndex::Keys(keys)) => keys.any_of(key_of(Type::Situation, &deceased)),
            _ => Cow::default(),
        }
    }

    pub(super) fn index(&self, column: &str) -> Option<&FieldIndex> {
        self.members.iter().find(|member| member.of.field.column == column).map(|member| &member.index)
    }
}

/// Returns the kinds of the other records by whose fields records of a table are found.
pub(super) fn found_by(table: &Table) -> Vec<Kind> {
    let found = table.fields.iter().filter(|field| field.find.is_some());
    let named = found.flat_map(|field| field.source.alternatives()).filter_map(|source| match source {
        Source::NamesOf(other) | Source::MemberOf(other, _) => match table.field(other)?.ty {
            Type::Links(kind) | Type::Record(kind) => Some(kind),
            _ => None,
        },
        _ => None,
    });
    named.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Candidates for the entries meant, best first. Offices and the sources of the contract disagree on which of
/// two terms is the wider one. An unknown stage is therefore tried as a step, and the other way round
/// (contract 5.2). A whole name in the other list goes before a part of a name in the own one; otherwise
/// `Judicial` would mean the stage `Notificação extrajudicial`.
fn either(reference: &Reference, list: List, parent: List, of_parent: bool, named: &Named) -> [Vec<u32>; 5] {
    let of =
        |queried: List, ids: Vec<u32>| if queried == list { ids } else { reference.belonging(list, &ids) };
    let (own, other) = if of_parent { (parent, list) } else { (list, parent) };
    [
        of(own, reference.with_id(own, named)),
        of(own, reference.named(own, named)),
        of(other, reference.named(other, named)),
        of(own, reference.partly_named(own, named)),
        of(other, reference.meant(other, named)),
    ]
}

/// Returns `true` if these letters and digits are a complete number, and not the beginning of one.
fn is_whole(ty: Type, compact: &str) -> bool {
    match ty {
        // Eleven characters that are not a CPF may begin a CNPJ (contract 4.2).
        Type::TaxId => compact.len() == WHOLE_CNPJ || TaxId::parse(compact).is_ok(),
        Type::ProcessNumber => compact.len() == WHOLE_PROCESS_NUMBER,
        _ => false,
    }
}
