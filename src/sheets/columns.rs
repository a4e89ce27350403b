//! Columns of spreadsheets: their headings, and the cells of each record.

use std::collections::HashMap;

use jiff::tz::TimeZone;

use super::cells::{Cell, cell};
use crate::domain::{Bilingual, Lang, repetition};
use crate::records::{Field, Kind, List, Source, Table, Type, Value};
use crate::store::nouns::tasks;
use crate::store::records::{View, stored};
use crate::store::{self, Db, lists};

/// The heading of a record's id.
pub const ID: Bilingual = ("Id", "Id");
/// The heading for the guests who completed a task, and when.
const DONE: Bilingual = ("Concluída", "Done");

/// Returns the members of a table that exports contain, in the order of the table.
pub fn exported(table: &'static Table) -> impl Iterator<Item = &'static Field> {
    let has_label = |field: &&Field| !field.label.0.is_empty();
    let is_plain = |field: &&Field| !field.is_own() || field.is_stored();
    table.fields.iter().filter(has_label).filter(is_plain)
}

/// Reads records with only the members that exports contain.
pub fn read_exported(db: Db<'_>, table: &'static Table, ids: &[u32]) -> Result<Vec<View>, store::Error> {
    View::read_with(db, table, ids, false, |field| exported(table).any(|own| own.column == field.column))
}

/// A column of an export.
enum Column {
    /// The text of a member.
    Words(&'static Field),
    /// The ids of the records that a member points to.
    Ids(&'static Field),
}

/// Returns the columns of all members. A reference to one record has a column with the id only, because other
/// members of the table name that record. A reference to several records has a column with their names and
/// one with their ids; entries of lists have names only.
fn columns(table: &'static Table) -> impl Iterator<Item = Column> {
    exported(table).flat_map(|field| {
        let (words, ids) = match field.ty {
            Type::Record(_) => (false, true),
            Type::Links(kind) => (true, !matches!(kind, Kind::List(_))),
            _ => (true, false),
        };
        let words = words.then_some(Column::Words(field));
        words.into_iter().chain(ids.then_some(Column::Ids(field)))
    })
}

/// Returns the headings of an export. They are all different.
pub fn headings(table: &'static Table, lang: Lang) -> Vec<String> {
    let own = columns(table).map(|column| match column {
        Column::Words(field) => lang.pick(field.label.0, field.label.1).to_owned(),
        Column::Ids(field) => {
            let ids = if field.record().is_some() { "id" } else { "ids" };
            format!("{} ({ids})", lang.pick(field.label.0, field.label.1))
        }
    });
    let done = (table.kind == Kind::Task).then(|| lang.pick(DONE.0, DONE.1).to_owned());
    [lang.pick(ID.0, ID.1).to_owned()].into_iter().chain(own).chain(done).collect()
}

/// Resolves ids to the names of records and entries.
pub struct EntryNames<'z> {
    entries: HashMap<(List, u32), String>,
    zone: &'z TimeZone,
    lang: Lang,
    /// `true` if linked records are shown by their names only.
    names_alone: bool,
}

impl<'z> EntryNames<'z> {
    /// Reads the names of all entries.
    pub fn read(db: Db<'_>, zone: &'z TimeZone, lang: Lang) -> Result<EntryNames<'z>, store::Error> {
        let mut entries = HashMap::new();
        for list in List::ALL {
            for entry in lists::all(db, list)? {
                entries.insert((list, entry.id), entry.name.as_str().to_owned());
            }
        }
        Ok(EntryNames { entries, zone, lang, names_alone: false })
    }

    /// Shows linked records by their names only, for readers who must not see other people's tax numbers.
    pub fn names_alone(self) -> EntryNames<'z> {
        EntryNames { names_alone: true, ..self }
    }

    /// Returns the cells of a record, in the order of [`headings`].
    pub fn cells(&self, db: Db<'_>, view: &View) -> Result<Vec<Cell>, store::Error> {
        let mut cells = vec![Cell::Whole(view.id.into())];
        for column in columns(view.table) {
            let value = |field: &Field| view.find(|own| std::ptr::eq(own, field));
            cells.push(match column {
                Column::Words(field) => self.cell(db, field, value(field))?,
                Column::Ids(field) => cell(field.ty, value(field), self.zone, self.lang),
            });
        }
        if view.table.kind == Kind::Task {
            cells.push(self.done(db, view.id)?);
        }
        Ok(cells)
    }

    fn cell(&self, db: Db<'_>, field: &Field, value: &Value<'_>) -> Result<Cell, store::Error> {
        Ok(match (field.ty, value) {
            (Type::Reference(list), Value::Integer(_)) => {
                let name = value.id().and_then(|id| self.entries.get(&(list, id)));
                name.map_or(Cell::Empty, |name| Cell::Text(name.clone()))
            }
            (Type::Links(Kind::List(list)), Value::Ids(ids)) => {
                joined(ids.iter().filter_map(|id| self.entries.get(&(list, *id)).cloned()))
            }
            (Type::Links(kind), Value::Ids(ids)) => {
                let named = ids.iter().map(|id| self.named(db, kind.table(), *id));
                joined(named.collect::<Result<Vec<_>, _>>()?.into_iter().flatten())
            }
            (_, Value::Text(until)) if field.source == Source::Repeats => {
                Cell::Text(repetition(until, self.lang))
            }
            (ty, value) => cell(ty, value, self.zone, self.lang),
        })
    }

    /// Returns the text for a linked record: its name and, in parentheses, its unique value such as the CPF.
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::domain::text::fold;
    use crate::records::TABLES;

    #[test]
    fn no_two_columns_share_a_heading() {
        for table in TABLES.iter().copied().chain(List::ALL.map(List::table)) {
            for lang in [Lang::Pt, Lang::En] {
                let headings = headings(table, lang);
                let folded: HashSet<_> = headings.iter().map(|heading| fold(heading)).collect();
                assert_eq!(folded.len(), headings.len(), "{}: {headings:?}", table.name);
            }
        }
    }

    #[test]
    fn id_columns_are_accompanied_by_a_readable_column() {
        for table in TABLES.iter().copied() {
            let headings = headings(table, Lang::Pt);
            for (ids, words) in [
                ("Cliente (id)", &["Cliente"][..]),
                ("Clientes (ids)", &["Clientes"]),
                ("Processo (id)", &["Processo", "Número do processo"]),
            ] {
                let has = |heading: &str| headings.iter().any(|own| own == heading);
                assert!(!has(ids) || words.iter().any(|words| has(words)), "{}: {headings:?}", table.name);
            }
        }
    }
}
