//! What lists of lawsuits look at.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use jiff::tz::TimeZone;
use roaring::RoaringBitmap;

use super::buckets::Buckets;
use super::customers::with_joined;
use super::days::Days;
use super::follow::Follow;
use super::keys::Keys;
use super::nested::{Meant, Nested};
use super::reference::{Named, Reference};
use super::stop::Stop;
use super::words::Words;
use super::{day_in, day_of};
use crate::domain::compact;
use crate::domain::date::Day;
use crate::domain::text::fold;
use crate::store::changes::{Change, Kind, runs};
use crate::store::settings::List;
use crate::store::{self, Db, lawsuits};

/// Which lawsuits a list shows: all of these hold (contract 5.2). Texts are folded; nothing asked shows all.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Words of the name (its customers' names), or of the folder.
    pub name: Option<String>,
    /// The process number without punctuation, or how it begins.
    pub process_number: Option<String>,
    /// Words of the protocol number.
    pub protocol_number: Option<String>,
    /// Words of the folder.
    pub folder: Option<String>,
    /// Words of the notes.
    pub notes: Option<String>,
    /// Linked to this customer.
    pub customer: Option<u32>,
    /// Linked to the customer with this whole CPF or CNPJ, without punctuation.
    pub identification: Option<String>,
    /// The type's group.
    pub group: Option<Named>,
    /// The type.
    pub kind: Option<Named>,
    /// The responsible user.
    pub responsible: Option<Named>,
    /// The stage.
    pub stage: Option<Named>,
    /// The stage's step.
    pub step: Option<Named>,
    /// The first and the last day of its date.
    pub process_date: (Option<Day>, Option<Day>),
    /// The first and the last day of its closing.
    pub status_closure: (Option<Day>, Option<Day>),
    /// The first and the last day of creation.
    pub created: (Option<Day>, Option<Day>),
}

#[derive(Default)]
pub(super) struct Lawsuits {
    reference: Reference,
    all: RoaringBitmap,
    names: Words,
    folders: Words,
    notes: Words,
    protocols: Words,
    process_numbers: Keys,
    users: Buckets,
    types: Nested,
    stages: Nested,
    process_dates: Days,
    closures: Days,
    created: Days,
}

/// How long a process number of today is (CNJ Resolution 65/2008).
const WHOLE: usize = 20;

impl Follow for Lawsuits {
    const NAME: &'static str = "lawsuits";
    type Row = (String, Row);

    fn build(db: Db<'_>, zone: &TimeZone, stop: &Stop) -> Result<Lawsuits, store::Error> {
        let mut lawsuits = Lawsuits::default();
        lawsuits.refer(Reference::read(db)?);
        lawsuits.texts().into_iter().for_each(|words| *words = Words::loading());
        lawsuits.process_numbers = Keys::loading();
        names(db, 0..=u32::MAX, |id, name| {
            lawsuits.names.set(id, name);
            stop.check()
        })?;
        lawsuits::searchable(db, 0..=u32::MAX, |row| {
            lawsuits.set(row.id, &Row::of(&row, zone));
            stop.check()
        })?;
        for words in lawsuits.texts() {
            stop.check()?;
            words.settle();
        }
        lawsuits.process_numbers.settle();
        Ok(lawsuits)
    }

    fn read(
        db: Db<'_>,
        zone: &TimeZone,
        changes: &[Change],
    ) -> Result<BTreeMap<u32, Option<(String, Row)>>, store::Error> {
        let touched = |kind| changes.iter().filter(move |change| change.0 == kind).map(|change| change.1);
        let mut ids = touched(Kind::Lawsuit).collect::<BTreeSet<_>>();
        // A lawsuit's name is made of its customers' names.
        for run in runs(touched(Kind::Customer).collect()) {
            ids.extend(lawsuits::of_customers(db, run)?);
        }
        let mut rows: BTreeMap<_, _> = ids.iter().map(|id| (*id, None)).collect();
        for run in runs(ids) {
            let mut named = BTreeMap::new();
            names(db, run.clone(), |id, name| {
                named.insert(id, name.to_owned());
                Ok(())
            })?;
            lawsuits::searchable(db, run, |row| {
                let name = named.remove(&row.id).unwrap_or_default();
                rows.insert(row.id, Some((name, Row::of(&row, zone))));
                Ok(())
            })?;
        }
        Ok(rows)
    }

    fn put(&mut self, id: u32, row: Option<(String, Row)>) {
        match row {
            Some((name, row)) => {
                self.names.set(id, &name);
                self.set(id, &row);
            }
            None => self.clear(id),
        }
    }

    fn refer(&mut self, reference: Reference) {
        self.types.refer(reference.parents(List::Types));
        self.stages.refer(reference.parents(List::Stages));
        self.reference = reference;
    }

    fn records(&self) -> u64 {
        self.all.len()
    }

    fn heap_bytes(&self) -> usize {
        let texts = [&self.names, &self.folders, &self.notes, &self.protocols].map(Words::heap_bytes);
        let buckets = [self.users.heap_bytes(), self.types.heap_bytes(), self.stages.heap_bytes()];
        let days = [&self.process_dates, &self.closures, &self.created].map(Days::heap_bytes);
        let bytes = [texts.iter(), buckets.iter(), days.iter()].into_iter().flatten().sum::<usize>();
        bytes + self.process_numbers.heap_bytes()
    }
}

/// What the index holds of a lawsuit, beside its customers' names.
pub(super) struct Row {
    folder: String,
    notes: String,
    protocol: String,
    process_number: Option<String>,
    user: u32,
    kind: u32,
    stage: u32,
    process_date: Option<i32>,
    closure: Option<i32>,
    created: Option<i32>,
}

impl Row {
    fn of(row: &lawsuits::Searchable<'_>, zone: &TimeZone) -> Row {
        Row {
            folder: row.folder.map(fold).unwrap_or_default(),
            notes: row.notes.map(fold).unwrap_or_default(),
            protocol: row.protocol_number.map(with_joined).unwrap_or_default(),
            process_number: row.process_number.map(compact),
            user: row.user,
            kind: row.kind,
            stage: row.stage,
            process_date: day_in(row.process_date),
            closure: day_in(row.status_closure),
            created: day_of(row.created_at, zone),
        }
    }
}

impl Lawsuits {
    pub(super) fn all(&self) -> &RoaringBitmap {
        &self.all
    }

    fn texts(&mut self) -> [&mut Words; 4] {
        let Lawsuits { names, folders, notes, protocols, .. } = self;
        [names, folders, notes, protocols]
    }

    /// All of the filter but the customers, which the caller looks up.
    pub(super) fn find(&self, filter: &Filter) -> Vec<Cow<'_, RoaringBitmap>> {
        let reference = &self.reference;
        let mut found = Vec::new();
        if let Some(term) = &filter.name {
            found.push(Cow::Owned(self.names.find(term).into_owned() | self.folders.find(term).as_ref()));
        }
        let texts = [
            (&self.protocols, &filter.protocol_number),
            (&self.folders, &filter.folder),
            (&self.notes, &filter.notes),
        ];
        for (words, term) in texts {
            found.extend(term.as_ref().map(|term| words.find(term)));
        }
        if let Some(number) = &filter.process_number {
            found.push(Cow::Owned(match number.len() {
                WHOLE => self.process_numbers.exact(number),
                _ => self.process_numbers.starting_with(number),
            }));
        }
        if let Some(group) = &filter.group {
            found.push(self.types.any_of(Meant::Parents(reference.meant(List::Groups, group))));
        }
        if let Some(kind) = &filter.kind {
            found.push(self.types.any_of(Meant::Keys(reference.meant(List::Types, kind))));
        }
        if let Some(user) = &filter.responsible {
            found.push(self.users.any_of(reference.meant(List::Users, user)));
        }
        if let Some(stage) = &filter.stage {
            found.push(self.stages.first_known(as_stage(reference, stage)));
        }
        if let Some(step) = &filter.step {
            found.push(self.stages.first_known(as_step(reference, step)));
        }
        found.extend(self.process_dates.within(filter.process_date));
        found.extend(self.closures.within(filter.status_closure));
        found.extend(self.created.within(filter.created));
        found
    }

    fn set(&mut self, id: u32, row: &Row) {
        self.all.insert(id);
        self.folders.set(id, &row.folder);
        self.notes.set(id, &row.notes);
        self.protocols.set(id, &row.protocol);
        self.process_numbers.set(id, row.process_number.as_deref().as_slice());
        self.users.set(id, Some(row.user));
        self.types.set(id, Some(row.kind));
        self.stages.set(id, Some(row.stage));
        self.process_dates.set(id, row.process_date);
        self.closures.set(id, row.closure);
        self.created.set(id, row.created);
    }

    fn clear(&mut self, id: u32) {
        self.all.remove(id);
        self.texts().into_iter().for_each(|words| words.set(id, ""));
        self.process_numbers.set(id, &[]);
        self.users.set(id, None);
        self.types.set(id, None);
        self.stages.set(id, None);
        for days in [&mut self.process_dates, &mut self.closures, &mut self.created] {
            days.set(id, None);
        }
    }
}

/// The stages meant where a stage is asked for. Offices, and the sources of the contract, disagree on which of stage and
/// step is the wider one, so what is unknown as a stage is tried as a step (contract 5.2); a step's whole name goes before
/// a part of a stage's, or `Judicial` would mean the stage `Notificação extrajudicial`.
fn as_stage(reference: &Reference, asked: &Named) -> [Meant; 5] {
    [
        Meant::Keys(reference.with_id(List::Stages, asked)),
        Meant::Keys(reference.named(List::Stages, asked)),
        Meant::Parents(reference.named(List::Steps, asked)),
        Meant::Keys(reference.partly_named(List::Stages, asked)),
        Meant::Parents(reference.meant(List::Steps, asked)),
    ]
}

/// The stages meant where a step is asked for, likewise.
fn as_step(reference: &Reference, asked: &Named) -> [Meant; 5] {
    [
        Meant::Parents(reference.with_id(List::Steps, asked)),
        Meant::Parents(reference.named(List::Steps, asked)),
        Meant::Keys(reference.named(List::Stages, asked)),
        Meant::Parents(reference.partly_named(List::Steps, asked)),
        Meant::Keys(reference.meant(List::Stages, asked)),
    ]
}

/// Shows `see` the names of each lawsuit's customers, joined, of the lawsuits whose ids are in the range.
fn names(
    db: Db<'_>,
    ids: RangeInclusive<u32>,
    mut see: impl FnMut(u32, &str) -> Result<(), store::Error>,
) -> Result<(), store::Error> {
    let (mut lawsuit, mut names) = (0, String::new());
    lawsuits::names(db, ids, |id, name| {
        if id != lawsuit {
            if !names.is_empty() {
                see(lawsuit, &names)?;
                names.clear();
            }
            lawsuit = id;
        } else {
            names.push(' ');
        }
        names.push_str(name);
        Ok(())
    })?;
    if !names.is_empty() {
        see(lawsuit, &names)?;
    }
    Ok(())
}
