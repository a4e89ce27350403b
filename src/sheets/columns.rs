//! The columns of spreadsheets: what stands of each record, and under which headings.

use std::collections::HashMap;

use jiff::tz::TimeZone;

use super::cells::{Cell, cell};
use crate::domain::{Bilingual, Lang};
use crate::records::{Field, Kind, List, Source, Table, Type, Value};
use crate::store::records::{View, stored};
use crate::store::{self, Db, settings, tasks};

/// The heading of a record's number.
pub const ID: Bilingual = ("Id", "Id");
/// The heading of who has done a task, and when.
const DONE: Bilingual = ("Concluída", "Done");

/// The members that exports show of a table's records, in its order.
pub fn exported(table: &'static Table) -> impl Iterator<Item = &'static Field> {
    let has_label = |field: &&Field| !field.label.0.is_empty();
    let is_plain = |field: &&Field| !field.is_own() || matches!(field.source, Source::Links(..));
    table.fields.iter().filter(has_label).filter(is_plain)
}

/// The records of a table with what exports show of them, deleted ones alone where that is asked for.
///
/// # Errors
/// Why the store cannot be read.
pub fn read_exported(
    db: Db<'_>,
    table: &'static Table,
    ids: &[u32],
    of_deleted: bool,
) -> Result<Vec<View>, store::Error> {
    View::read_with(db, table, ids, of_deleted, |field| exported(table).any(|own| own.column == field.column))
}

/// The headings of an export.
pub fn headings(table: &'static Table, lang: Lang) -> Vec<&'static str> {
    let (pt, en) = ID;
    let own = exported(table).map(|field| lang.pick(field.label.0, field.label.1));
    let done = (table.kind == Kind::Task).then(|| lang.pick(DONE.0, DONE.1));
    [lang.pick(pt, en)].into_iter().chain(own).chain(done).collect()
}

/// What names records and entries in cells.
pub struct EntryNames<'z> {
    entries: HashMap<(List, u32), String>,
    zone: &'z TimeZone,
    lang: Lang,
    /// Whether linked records are called by their names alone.
    names_alone: bool,
}

impl<'z> EntryNames<'z> {
    /// Reads the names of all entries.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn read(db: Db<'_>, zone: &'z TimeZone, lang: Lang) -> Result<EntryNames<'z>, store::Error> {
        let mut entries = HashMap::new();
        for list in List::ALL {
            for entry in settings::all(db, list)? {
                entries.insert((list, entry.id), entry.name.as_str().to_owned());
            }
        }
        Ok(EntryNames { entries, zone, lang, names_alone: false })
    }

    /// The same for whom the numbers of other people are not meant: linked records are called by their names alone.
    pub fn names_alone(self) -> EntryNames<'z> {
        EntryNames { names_alone: true, ..self }
    }

    /// The cells of a record, under [`headings`].
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn cells(&self, db: Db<'_>, view: &View) -> Result<Vec<Cell>, store::Error> {
        let mut cells = vec![Cell::Whole(view.id.into())];
        for field in exported(view.table) {
            cells.push(self.cell(db, field, view.value(field.column))?);
        }
        if view.table.kind == Kind::Task {
            cells.push(self.done(db, view.id)?);
        }
        Ok(cells)
    }

    fn cell(&self, db: Db<'_>, field: &Field, value: &Value<'_>) -> Result<Cell, store::Error> {
        Ok(match (field.ty, value) {
            (Type::Reference(list), Value::Integer(_)) => {
                joined(value.ids().iter().filter_map(|id| self.entries.get(&(list, *id)).cloned()))
            }
            (Type::Links(Kind::List(list)), Value::Ids(ids)) => {
                joined(ids.iter().filter_map(|id| self.entries.get(&(list, *id)).cloned()))
            }
            (Type::Links(kind), Value::Ids(ids)) => {
                let named = ids.iter().map(|id| self.named(db, kind.table(), *id));
                joined(named.collect::<Result<Vec<_>, _>>()?.into_iter().flatten())
            }
            // By its number a lawsuit is found again in another office too.
            (Type::Record(Kind::Lawsuit), Value::Integer(_)) => {
                let id = value.ids().first().copied().unwrap_or_default();
                let lawsuit = stored(db, Kind::Lawsuit.table(), id, ["process_number"])?;
                let number = lawsuit.and_then(|[number]| number.text().map(str::to_owned));
                number.map_or_else(|| cell(field.ty, value, self.zone, self.lang), Cell::Text)
            }
            (ty, value) => cell(ty, value, self.zone, self.lang),
        })
    }

    /// What a record is called where others link to it: its name, and what no other one shares.
    fn named(&self, db: Db<'_>, table: &'static Table, id: u32) -> Result<Option<String>, store::Error> {
        let unique = table.fields.iter().find(|field| field.unique && !self.names_alone);
        let found = stored(db, table, id, ["name", unique.map_or("", |field| field.column)])?;
        Ok(found.map(|[name, own]| {
            let own = own.text().map(|own| format!(" ({own})")).unwrap_or_default();
            [name.text().unwrap_or_default(), &own].concat()
        }))
    }

    fn done(&self, db: Db<'_>, task: u32) -> Result<Cell, store::Error> {
        let done = tasks::guests(db, task)?.into_iter().filter_map(|guest| {
            let at = jiff::Timestamp::from_second(guest.completed_at?).unwrap_or_default();
            Some(format!("{} {}", guest.name, self.zone.to_datetime(at).strftime("%d/%m/%Y %H:%M:%S")))
        });
        Ok(joined(done))
    }
}

fn joined(names: impl Iterator<Item = String>) -> Cell {
    let names = names.collect::<Vec<_>>().join("; ");
    if names.is_empty() { Cell::Empty } else { Cell::Text(names) }
}
