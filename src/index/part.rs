//! What lists of one noun look at: an index for each member of its table that records are found by.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use jiff::tz::TimeZone;
use roaring::RoaringBitmap;

use super::field::{FieldIndex, Held, birthday, held, reversed};
use super::filter::{Condition, Filter};
use super::nested::Meant;
use super::reference::{Named, Reference};
use super::stop::Stop;
use crate::domain::TaxId;
use crate::records::{Field, Find, Kind, List, Source, Table, Type};
use crate::store::changes::{Change, runs};
use crate::store::records::{linked_names, naming, search_each};
use crate::store::{self, Db};

/// How long a process number of today is (CNJ Resolution 65/2008).
const WHOLE_PROCESS_NUMBER: usize = 20;
/// How long a CNPJ is.
const WHOLE_CNPJ: usize = 14;

pub(super) struct Part {
    table: &'static Table,
    reference: Reference,
    all: RoaringBitmap,
    members: Vec<Member>,
}

/// A member of the table that records are found by.
struct Member {
    field: &'static Field,
    /// Its place in the table.
    at: usize,
    index: FieldIndex,
}

/// What it holds of a record, member by member.
pub(super) type HeldRecord = Vec<Held>;

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
        let mut part = Part { table, members, reference: Reference::default(), all: RoaringBitmap::new() };
        part.refer(Reference::read(db)?);
        for member in &mut part.members {
            if let (Source::NamesOf(links), FieldIndex::Words(words)) =
                (member.field.source, &mut member.index)
            {
                joined_names(db, table, links, 0..=u32::MAX, |id, names| {
                    words.set(id, names);
                    stop.check()
                })?;
            }
        }
        search_each(db, table, 0..=u32::MAX, |row| {
            let id = row.id()?;
            part.all.insert(id);
            for member in &mut part.members {
                if let Some(held) = held(table, member.field, member.at, &row, zone)? {
                    member.index.set(id, &held);
                }
            }
            stop.check()
        })?;
        for member in &mut part.members {
            stop.check()?;
            member.index.settle();
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
        // Where a record is found by the names of others, it is another one when they are.
        let named = table.fields.iter().filter_map(|field| match (field.source, field.find) {
            (Source::NamesOf(links), Some(_)) => table.field(links),
            _ => None,
        });
        for field in named {
            let Type::Links(kind) = field.ty else { continue };
            for run in runs(touched(kind).collect()) {
                ids.extend(naming(db, table, kind, run)?);
            }
        }
        let members = searched(table);
        let mut records: BTreeMap<u32, Option<HeldRecord>> = ids.iter().map(|id| (*id, None)).collect();
        for run in runs(ids) {
            let mut names: BTreeMap<(usize, u32), String> = BTreeMap::new();
            for (at, field) in &members {
                if let Source::NamesOf(links) = field.source {
                    joined_names(db, table, links, run.clone(), |id, joined| {
                        names.insert((*at, id), joined.to_owned());
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
                records.insert(id, Some(held.collect::<Result<_, store::Error>>()?));
                Ok(())
            })?;
        }
        Ok(records)
    }

    /// Takes over a record, or that there is none any more. Doing so twice is doing so once.
    pub(super) fn put(&mut self, id: u32, record: Option<HeldRecord>) {
        match record {
            Some(held) => {
                self.all.insert(id);
                self.members.iter_mut().zip(&held).for_each(|(member, held)| member.index.set(id, held));
            }
            None => {
                self.all.remove(id);
                self.members.iter_mut().for_each(|member| member.index.clear(id));
            }
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

    /// The records there are.
    pub(super) fn all(&self) -> &RoaringBitmap {
        &self.all
    }

    /// About how many bytes of the heap it holds.
    pub(super) fn heap_bytes(&self) -> usize {
        self.members.iter().map(|member| member.index.heap_bytes()).sum()
    }

    /// How many records have a day of that month, by day, whatever the year.
    pub(super) fn days_of_month(&self, column: &str, month: u8) -> Vec<(u8, u64)> {
        match self.index(column) {
            Some(FieldIndex::Birthdays(days)) => {
                (1..=31).map(|day| (day, days.len_of(birthday(month, day)))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The records whose member of that column is just this.
    pub(super) fn exact(&self, column: &str, key: &str) -> RoaringBitmap {
        match self.index(column) {
            Some(FieldIndex::Keys(keys)) => keys.exact(key),
            _ => RoaringBitmap::new(),
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
            Condition::Start(start) => match self.index(column)? {
                FieldIndex::Keys(keys) if is_whole(field.ty, start) => Cow::Owned(keys.exact(start)),
                FieldIndex::Keys(keys) => Cow::Owned(keys.starting_with(start)),
                _ => return None,
            },
            Condition::Ending(digits) => {
                let endings = self.members.iter().find(|member| member.field.find == Some(Find::Ending));
                match &endings?.index {
                    FieldIndex::Keys(keys) => Cow::Owned(keys.starting_with(&reversed(digits))),
                    _ => return None,
                }
            }
            Condition::Entry(named) => self.with_entry(field, named)?,
            Condition::Days(first, last) => match self.index(column)? {
                FieldIndex::Days(days) => days.within((*first, *last))?,
                _ => return None,
            },
            Condition::Month(month) => match self.index(column)? {
                FieldIndex::Birthdays(days) => days.any_of((1..=31).map(|day| birthday(*month, day))),
                _ => return None,
            },
            Condition::Linked(_) | Condition::LinkedBy(..) => return None,
        })
    }

    fn with_words(&self, field: &Field, words: &str) -> Cow<'_, RoaringBitmap> {
        let of = |column: &str| match self.index(column) {
            Some(FieldIndex::Words(index)) => index.find(words),
            _ => Cow::default(),
        };
        match field.find {
            Some(Find::WordsOr(other)) => Cow::Owned(of(field.column).as_ref() | of(other).as_ref()),
            _ => of(field.column),
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
    let mut has_endings = false;
    let searched = table.fields.iter().enumerate().filter(|(_, field)| match (field.find, field.source) {
        (None | Some(Find::Linked(..)), _) | (_, Source::ParentOf(_)) => false,
        (Some(Find::Ending), _) => !std::mem::replace(&mut has_endings, true),
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

/// Shows `see` the names of what each record links to, joined, of the records whose ids are in the range.
fn joined_names(
    db: Db<'_>,
    table: &Table,
    links: &str,
    ids: RangeInclusive<u32>,
    mut see: impl FnMut(u32, &str) -> Result<(), store::Error>,
) -> Result<(), store::Error> {
    let (mut record, mut names) = (0, String::new());
    linked_names(db, table, links, ids, |id, name| {
        if id != record {
            if !names.is_empty() {
                see(record, &names)?;
                names.clear();
            }
            record = id;
        } else {
            names.push(' ');
        }
        names.push_str(name);
        Ok(())
    })?;
    if names.is_empty() { Ok(()) } else { see(record, &names) }
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
