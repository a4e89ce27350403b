//! What lists of one noun look at: an index for each member of its table that records are found by.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use jiff::tz::TimeZone;
use roaring::RoaringBitmap;

use super::field::{FieldIndex, Held, birthday, held, key_of};
use super::filter::{Condition, Filter, Guest};
use super::nested::Meant;
use super::newest::NewestAsked;
use super::page::{self, Found};
use super::reference::{Named, Reference};
use super::stop::Stop;
use super::words::Match;
use crate::domain::{Day, Page, Sum, TaxId};
use crate::records::{Field, Find, Kind, List, Source, Table, Type};
use crate::store::changes::{Change, runs};
use crate::store::records::{linked_names, naming, referring_to, search_each};
use crate::store::{self, Db};

/// How long a process number of today is (CNJ Resolution 65/2008).
const WHOLE_PROCESS_NUMBER: usize = 20;
/// How long a CNPJ is.
const WHOLE_CNPJ: usize = 14;

pub(super) struct Part {
    table: &'static Table,
    reference: Reference,
    /// Those that were not deleted.
    all: RoaringBitmap,
    deleted: RoaringBitmap,
    members: Vec<Member>,
}

/// A member of the table that records are found by.
struct Member {
    field: &'static Field,
    /// Its place in the table.
    at: usize,
    index: FieldIndex,
}

/// What it holds of a record.
pub(super) struct HeldRecord {
    is_deleted: bool,
    /// Member by member.
    members: Vec<Held>,
}

impl Part {
    /// Reads everything, or answers `Closed` soon after `stop` was set.
    pub(super) fn build(
        table: &'static Table,
        db: Db<'_>,
        zone: &TimeZone,
        stop: &Stop,
    ) -> Result<Part, store::Error> {
        let loading = |(at, field)| Some(Member { field, at, index: FieldIndex::loading(field)? });
        let members = searched(table).into_iter().filter_map(loading).collect();
        let mut part = Part {
            table,
            members,
            reference: Reference::default(),
            all: RoaringBitmap::new(),
            deleted: RoaringBitmap::new(),
        };
        part.refer(Reference::read(db)?);
        for member in &mut part.members {
            if let (Source::NamesOf(links), FieldIndex::Words(words)) =
                (member.field.source, &mut member.index)
            {
                linked_names(db, table, links, None, |id, name| {
                    words.set(id, name);
                    stop.check()
                })?;
            }
        }
        search_each(db, table, 0..=u32::MAX, |row| {
            let id = row.id()?;
            part.note(id, Some(row.deleted_at(table)?.is_some()));
            for member in &mut part.members {
                if let Some(held) = held(table, member.field, member.at, &row, zone)? {
                    member.index.set(id, &held);
                }
            }
            stop.check()
        })?;
        // The largest go first: what it takes to settle one leaves holes in the heap, which the next ones then fill.
        let mut by_size: Vec<&mut FieldIndex> =
            part.members.iter_mut().map(|member| &mut member.index).collect();
        by_size.sort_by_key(|index| Reverse(index.loaded()));
        for index in by_size {
            stop.check()?;
            index.settle();
        }
        Ok(part)
    }

    /// Reads what the changes touched, as it is in the store now.
    pub(super) fn read(
        table: &'static Table,
        db: Db<'_>,
        zone: &TimeZone,
        changes: &[Change],
    ) -> Result<BTreeMap<u32, Option<HeldRecord>>, store::Error> {
        let touched =
            |of: Kind| changes.iter().filter(move |(kind, _)| *kind == of.into()).map(|(_, id)| *id);
        let mut ids: BTreeSet<u32> = touched(table.kind).collect();
        // Where a record is found by members of others, it is another one when they are.
        let found = table.fields.iter().filter(|field| field.find.is_some());
        let named = found.flat_map(|field| field.source.alternatives()).filter_map(|source| match source {
            Source::NamesOf(other) | Source::Of(other, _) => match table.field(other)?.ty {
                Type::Links(kind) | Type::Record(kind) => Some(kind),
                _ => None,
            },
            _ => None,
        });
        for kind in named.collect::<BTreeSet<_>>() {
            for run in runs(touched(kind).collect()) {
                ids.extend(naming(db, table, kind, run.clone())?);
                ids.extend(referring_to(db, table, kind, run)?);
            }
        }
        let members = searched(table);
        let mut records: BTreeMap<u32, Option<HeldRecord>> = ids.iter().map(|id| (*id, None)).collect();
        for run in runs(ids) {
            let mut names: BTreeMap<(usize, u32), String> = BTreeMap::new();
            for (at, field) in &members {
                if let Source::NamesOf(links) = field.source {
                    linked_names(db, table, links, Some(run.clone()), |id, name| {
                        names.entry((*at, id)).or_default().extend([" ", name]);
                        Ok(())
                    })?;
                }
            }
            search_each(db, table, run, |row| {
                let id = row.id()?;
                let held = members.iter().map(|(at, field)| {
                    let held = held(table, field, *at, &row, zone)?;
                    Ok(held.unwrap_or_else(|| Held::Text(names.remove(&(*at, id)).unwrap_or_default())))
                });
                let members = held.collect::<Result<_, store::Error>>()?;
                let is_deleted = row.deleted_at(table)?.is_some();
                records.insert(id, Some(HeldRecord { is_deleted, members }));
                Ok(())
            })?;
        }
        Ok(records)
    }

    /// Takes over a record, or that there is none any more. Doing so twice is doing so once.
    pub(super) fn put(&mut self, id: u32, record: Option<HeldRecord>) {
        self.note(id, record.as_ref().map(|held| held.is_deleted));
        match record {
            Some(HeldRecord { members, .. }) => {
                self.members.iter_mut().zip(&members).for_each(|(member, held)| member.index.set(id, held));
            }
            None => self.members.iter_mut().for_each(|member| member.index.clear(id)),
        }
    }

    /// Notes whether a record was deleted; none where there is no such record.
    fn note(&mut self, id: u32, is_deleted: Option<bool>) {
        for (records, has) in [(&mut self.all, false), (&mut self.deleted, true)] {
            match is_deleted == Some(has) {
                true => records.insert(id),
                false => records.remove(id),
            };
        }
    }

    /// Takes over the reference lists.
    pub(super) fn refer(&mut self, reference: Reference) {
        for member in &mut self.members {
            if let (FieldIndex::Entries(entries), Type::Reference(list)) =
                (&mut member.index, member.field.ty)
            {
                entries.refer(reference.parents(list));
            }
        }
        self.reference = reference;
    }

    /// The records there are, but for deleted ones.
    pub(super) fn all(&self) -> &RoaringBitmap {
        &self.all
    }

    /// The deleted records, or the others.
    pub(super) fn among(&self, deleted: bool) -> &RoaringBitmap {
        if deleted { &self.deleted } else { &self.all }
    }

    /// Whether any record was deleted.
    pub(super) fn has_deleted(&self) -> bool {
        !self.deleted.is_empty()
    }

    /// How many records have a day of that month, by day, whatever the year.
    pub(super) fn days_of_month(&self, column: &str, month: u8) -> Vec<(u8, u64)> {
        match self.index(column) {
            Some(FieldIndex::Birthdays(days)) => {
                let deleted = |day| days.any_of([birthday(month, day)]).intersection_len(&self.deleted);
                (1..=31).map(|day| (day, days.len_of(birthday(month, day)) - deleted(day))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What the member of that column comes to over those records.
    pub(super) fn sum(&self, column: &str, ids: &RoaringBitmap) -> Sum {
        match self.index(column) {
            Some(FieldIndex::Amounts(amounts)) => amounts.sum(ids),
            _ => Sum::default(),
        }
    }

    /// The records that each condition admits, but those on links, which the caller looks up.
    pub(super) fn find(&self, filter: &Filter) -> Vec<Cow<'_, RoaringBitmap>> {
        filter.conditions().filter_map(|(column, condition)| self.admitted(column, condition)).collect()
    }

    fn admitted(&self, column: &str, condition: &Condition) -> Option<Cow<'_, RoaringBitmap>> {
        let field = self.table.field(column)?;
        Some(match condition {
            Condition::Words(words) => self.with_words(field, words),
            Condition::Start(start) if is_whole(field.ty, start) => {
                self.matching(column, start, Match::Whole)
            }
            Condition::Start(start) => self.matching(column, start, Match::Prefix),
            Condition::Digits(digits) => {
                let by = if is_whole(field.ty, digits) { Match::Whole } else { Match::Infix };
                let found = self.members.iter().find(|member| member.field.find == Some(Find::Digits));
                self.matching(found?.field.column, digits, by)
            }
            Condition::Entry(named) => self.with_entry(field, named)?,
            Condition::Days(first, last) => match self.index(column)? {
                FieldIndex::Days(days) => days.within((*first, *last))?,
                _ => return None,
            },
            Condition::IsAbsent(absent) => match self.index(column)? {
                FieldIndex::Days(days) => {
                    let present = days.between(None, None);
                    Cow::Owned(if *absent { (&self.all | &self.deleted) - present } else { present })
                }
                FieldIndex::Newest(newest) => {
                    let present = newest.all();
                    if *absent { Cow::Owned(&self.all - present) } else { Cow::Borrowed(present) }
                }
                _ => return None,
            },
            Condition::Month(month) => match self.index(column)? {
                FieldIndex::Birthdays(days) => days.any_of((1..=31).map(|day| birthday(*month, day))),
                _ => return None,
            },
            Condition::Value(value) => match self.index(column)? {
                FieldIndex::Values(keys) => keys.any_of(key_of(field.ty, value)),
                _ => return None,
            },
            Condition::Guest(asked) => match self.index(column)? {
                FieldIndex::Guests(guests) => guests.find(self.users(asked).as_deref(), asked)?,
                _ => return None,
            },
            Condition::Id(id) => Cow::Owned(&RoaringBitmap::from([*id]) & (&self.all | &self.deleted)),
            Condition::Linked(_)
            | Condition::LinkedBy(..)
            | Condition::LinkedThrough(..)
            | Condition::ExternalId(_) => return None,
        })
    }

    /// The page of the newest of each record that the member `column` refers to; of `owners` where there are some.
    pub(super) fn newest(
        &self,
        column: &str,
        filter: &Filter,
        owners: Option<RoaringBitmap>,
        page: Page,
    ) -> Found {
        let nothing = Found { ids: Vec::new(), total: 0, of_deleted: false };
        let Some(FieldIndex::Newest(newest)) = self.index(column) else { return nothing };
        let by = self.table.field(column).and_then(|field| field.find);
        let (mut owners, mut days, mut admitted) = (owners, (None, None), Vec::new());
        for (own, condition) in filter.conditions() {
            match condition {
                Condition::Linked(id) if *own == column => {
                    let one = RoaringBitmap::from_iter([*id]);
                    owners = Some(owners.map_or(one.clone(), |owners| owners & one));
                }
                Condition::Days(first, last) if by == Some(Find::Newest(own)) => {
                    days = (first.map(Day::number), last.map(Day::number));
                }
                condition => admitted.extend(self.admitted(own, condition)),
            }
        }
        if filter.is_of_deleted() || self.has_deleted() {
            admitted.push(Cow::Borrowed(self.among(filter.is_of_deleted())));
        }
        let among = if admitted.is_empty() { None } else { Some(page::and_all(admitted)) };
        let asked = NewestAsked { days, among: among.as_deref(), owners: owners.as_ref() };
        Found { of_deleted: filter.is_of_deleted(), ..newest.page(&asked, page) }
    }

    /// The users that a guest has to be one of; none where it may be any.
    fn users(&self, asked: &Guest) -> Option<Vec<u32>> {
        let named = asked.name.as_ref().map(|name| self.reference.partly_named(List::Users, name));
        match (asked.user, named) {
            (Some(user), Some(named)) => Some(named.into_iter().filter(|one| *one == user).collect()),
            (user, named) => user.map(|user| vec![user]).or(named),
        }
    }

    fn with_words(&self, field: &Field, words: &str) -> Cow<'_, RoaringBitmap> {
        let found = self.matching(field.column, words, Match::Infix);
        match field.find {
            Some(Find::WordsOr(other)) => {
                Cow::Owned(found.as_ref() | self.matching(other, words, Match::Infix).as_ref())
            }
            _ => found,
        }
    }

    /// The records whose member of that column has words that match these.
    pub(super) fn matching(&self, column: &str, words: &str, by: Match) -> Cow<'_, RoaringBitmap> {
        match self.index(column) {
            Some(FieldIndex::Words(index)) => index.find(words, by),
            _ => Cow::default(),
        }
    }

    fn with_entry(&self, field: &Field, named: &Named) -> Option<Cow<'_, RoaringBitmap>> {
        let referring = match field.source {
            Source::ParentOf(column) => self.table.field(column)?,
            _ => field,
        };
        let (Some(FieldIndex::Entries(entries)), Type::Reference(list)) =
            (self.index(referring.column), referring.ty)
        else {
            return None;
        };
        let of_parent = matches!(field.source, Source::ParentOf(_));
        Some(match (field.find?, list.parent()) {
            (Find::EntryOrParent(_), Some(parent)) => {
                entries.first_known(either(&self.reference, list, parent, of_parent, named))
            }
            (_, Some(parent)) if of_parent => {
                entries.any_of(Meant::Parents(self.reference.meant(parent, named)))
            }
            _ => entries.any_of(Meant::Keys(self.reference.meant(list, named))),
        })
    }

    fn index(&self, column: &str) -> Option<&FieldIndex> {
        self.members.iter().find(|member| member.field.column == column).map(|member| &member.index)
    }
}

/// The members that have an index of their own, each with its place in the table. What an entry belongs to is found by the
/// member that refers to the entry, links are found by the store, and telephone numbers of whichever member by one index.
fn searched(table: &'static Table) -> Vec<(usize, &'static Field)> {
    let mut has_digits = false;
    let searched = table.fields.iter().enumerate().filter(|(_, field)| match (field.find, field.source) {
        (None | Some(Find::Linked(..) | Find::Record | Find::RecordOrLinked(..) | Find::ExternalId), _)
        | (_, Source::ParentOf(_)) => false,
        (Some(Find::Digits), _) => !std::mem::replace(&mut has_digits, true),
        _ => true,
    });
    searched.collect()
}

/// The entries meant where offices, and the sources of the contract, disagree on which of two words is the wider one: what
/// is unknown as a stage is tried as a step, and the other way round (contract 5.2); a whole name of the other goes before
/// a part of the own, or `Judicial` would mean the stage `Notificação extrajudicial`.
fn either(reference: &Reference, list: List, parent: List, of_parent: bool, named: &Named) -> [Meant; 5] {
    let own = |ids| if of_parent { Meant::Parents(ids) } else { Meant::Keys(ids) };
    let other = |ids| if of_parent { Meant::Keys(ids) } else { Meant::Parents(ids) };
    let (own_list, other_list) = if of_parent { (parent, list) } else { (list, parent) };
    [
        own(reference.with_id(own_list, named)),
        own(reference.named(own_list, named)),
        other(reference.named(other_list, named)),
        own(reference.partly_named(own_list, named)),
        other(reference.meant(other_list, named)),
    ]
}

/// Whether these letters and digits are all of a number, and not how one begins.
fn is_whole(ty: Type, compact: &str) -> bool {
    match ty {
        // Eleven characters that are no CPF may begin a CNPJ (contract 4.2).
        Type::TaxId => compact.len() == WHOLE_CNPJ || TaxId::parse(compact).is_ok(),
        Type::ProcessNumber => compact.len() == WHOLE_PROCESS_NUMBER,
        _ => false,
    }
}
