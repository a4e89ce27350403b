//! Queries specific to the reference lists that records point to (contract 6).

use super::records::sql::list_sql;
use super::records::{Row, show_each, show_list};
use super::{Db, Error, Tx};
use crate::domain::id::Id;
use crate::domain::text::{Name, fold};
pub use crate::records::List;
use crate::records::{ListEntry, Value};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Unique within the list.
    pub id: u32,
    /// Unique within the list when folded.
    pub name: Name,
    pub name_key: String,
    /// The group of a type, or the step of a stage.
    pub parent: Option<u32>,
    /// `false` if the entry can no longer be chosen. Records that refer to it keep it.
    pub active: bool,
    /// One value per field of the list's table.
    pub values: Vec<Value<'static>>,
}

impl Entry {
    fn read(list: List, row: &Row<'_>) -> Result<Entry, Error> {
        let fields = list.table().fields;
        let values = (0..fields.len()).map(|at| row.value(at).map(Value::into_owned));
        let values = values.collect::<Result<Vec<_>, _>>()?;
        let of = |column| {
            fields.iter().zip(&values).find(|(field, _)| field.column == column).map(|(_, value)| value)
        };
        let name = of("name").and_then(Value::text).unwrap_or_default().to_owned();
        let parent = list.table().parent().and_then(|(_, field)| of(field.column)?.id());
        Ok(Entry {
            id: row.id()?,
            name_key: fold(&name),
            name: Name::from_stored(name),
            parent,
            active: of("active") == Some(&Value::Integer(1)),
            values,
        })
    }
}

/// Returns all entries of a list in list order, inactive ones included.
pub fn all(db: Db<'_>, list: List) -> Result<Vec<Entry>, Error> {
    let mut entries = Vec::new();
    show_list(db, list, |row| {
        entries.push(Entry::read(list, &row)?);
        Ok(())
    })?;
    Ok(entries)
}

pub fn by_id(db: Db<'_>, list: List, id: u32) -> Result<Option<Entry>, Error> {
    let mut found = None;
    show_each(db, list.table(), &[id], |row| {
        found = Some(Entry::read(list, &row)?);
        Ok(())
    })?;
    Ok(found)
}

/// Returns `true` if no other entry can be chosen than this one.
pub fn is_last_active(entries: &[Entry], id: u32) -> bool {
    let mut active = entries.iter().filter(|entry| entry.active);
    active.next().is_some_and(|entry| entry.id == id) && active.next().is_none()
}

/// Returns `Some(true)` if the entry can be chosen, and `None` if it does not exist.
pub fn is_active(db: Db<'_>, list: List, id: u32) -> Result<Option<bool>, Error> {
    db.first_value(&list_sql(list)?.active, [id])
}

/// Returns the first active entry that belongs to `parent`.
pub fn first_of(db: Db<'_>, list: List, parent: u32) -> Result<Option<u32>, Error> {
    let entries = all(db, list)?;
    Ok(entries.iter().find(|entry| entry.active && entry.parent == Some(parent)).map(|entry| entry.id))
}

/// Finds another entry with the folded name of this one.
pub fn namesake<R: ListEntry>(db: Db<'_>, entry: &R, own: Option<Id<R>>) -> Result<Option<u32>, Error> {
    let found = named(db, R::LIST, entry.name(), &entry.values())?;
    Ok(found.filter(|id| Some(*id) != own.map(Id::get)))
}

fn named(db: Db<'_>, list: List, name: &Name, values: &[Value<'_>]) -> Result<Option<u32>, Error> {
    let part =
        list.table().stored().zip(values).find(|(field, _)| field.unique_with_name).map(|(_, value)| value);
    db.first_value(&list_sql(list)?.named, (fold(name.as_str()), part))
}

/// Moves an entry to a position, counted from 1, among the entries with its parent. A position past the end means last.
pub fn set_position(tx: Tx<'_>, list: List, id: u32, position: u32) -> Result<(), Error> {
    let mut entries = all(*tx, list)?;
    let Some(from) = entries.iter().position(|entry| entry.id == id) else { return Ok(()) };
    let entry = entries.remove(from);
    let mut own = entries.iter().enumerate().filter(|(_, other)| other.parent == entry.parent);
    let before = usize::try_from(position).unwrap_or(usize::MAX).saturating_sub(1);
    let to = own.nth(before).map_or(entries.len(), |(at, _)| at);
    entries.insert(to, entry);
    let mut statement = tx.conn().prepare_cached(&list_sql(list)?.place)?;
    for (position, entry) in (1u32..).zip(&entries) {
        statement.execute([position, entry.id])?;
    }
    Ok(())
}
