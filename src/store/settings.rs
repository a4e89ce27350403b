//! The reference lists that customers and lawsuits point to (contract 6).

use rusqlite::{OptionalExtension, Row, Statement, ToSql};

use super::columns::Cells;
use super::{Db, Error, Tx, gone};
use crate::domain::email::Email;
use crate::domain::phone::Phone;
use crate::domain::text::{Name, fold};
pub use crate::records::List;

/// An entry of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its id within the list.
    pub id: u32,
    /// Its name, unique within the list when folded.
    pub name: Name,
    /// The folded name.
    pub name_key: String,
    /// A type's group, a stage's step.
    pub parent: Option<u32>,
    /// A user's e-mail address.
    pub email: Option<Email>,
    /// A user's mobile phone.
    pub cellphone: Option<Phone>,
    /// Whether it can be chosen; one that cannot stays on the records that point to it.
    pub active: bool,
}

/// What is written of an entry.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields of `Entry`")]
pub struct Fields {
    pub name: Name,
    pub parent: Option<u32>,
    pub email: Option<Email>,
    pub cellphone: Option<Phone>,
    pub active: bool,
}

impl Fields {
    /// An active entry of that name, with nothing else.
    pub fn new(name: Name) -> Fields {
        Fields { name, parent: None, email: None, cellphone: None, active: true }
    }
}

impl From<&Entry> for Fields {
    fn from(entry: &Entry) -> Fields {
        Fields {
            name: entry.name.clone(),
            parent: entry.parent,
            email: entry.email.clone(),
            cellphone: entry.cellphone.clone(),
            active: entry.active,
        }
    }
}

/// The statements of a list. They differ in the table and in the columns that only some lists have.
struct Sql {
    all: &'static str,
    by_id: &'static str,
    active: &'static str,
    named: &'static str,
    insert: &'static str,
    update: &'static str,
    place: &'static str,
}

macro_rules! sql {
    ($table:literal, $email:literal, $cellphone:literal, $parent:literal, $columns:literal, $values:literal, $set:literal) => {
        Sql {
            all: concat!(
                "SELECT id, name, name_key, ",
                $parent,
                ", ",
                $email,
                ", ",
                $cellphone,
                ", active FROM ",
                $table,
                " ORDER BY place, id"
            ),
            by_id: concat!(
                "SELECT id, name, name_key, ",
                $parent,
                ", ",
                $email,
                ", ",
                $cellphone,
                ", active FROM ",
                $table,
                " WHERE id = ?1"
            ),
            active: concat!("SELECT active FROM ", $table, " WHERE id = ?1"),
            named: concat!("SELECT id FROM ", $table, " WHERE name_key = ?1"),
            insert: concat!(
                "INSERT INTO ",
                $table,
                " (name, name_key, active, place",
                $columns,
                ") VALUES (:name, :key, :active, (SELECT coalesce(max(place), 0) + 1 FROM ",
                $table,
                ")",
                $values,
                ")"
            ),
            update: concat!(
                "UPDATE ",
                $table,
                " SET name = :name, name_key = :key, active = :active",
                $set,
                " WHERE id = :id"
            ),
            place: concat!("UPDATE ", $table, " SET place = ?1 WHERE id = ?2 AND place <> ?1"),
        }
    };
}

fn sql(list: List) -> Sql {
    match list {
        List::Users => sql!(
            "users",
            "email",
            "cellphone",
            "NULL",
            ", email, cellphone",
            ", :email, :cellphone",
            ", email = :email, cellphone = :cellphone"
        ),
        List::Origins => sql!("origins", "NULL", "NULL", "NULL", "", "", ""),
        List::Groups => sql!("groups", "NULL", "NULL", "NULL", "", "", ""),
        List::Types => {
            sql!("types", "NULL", "NULL", "group_id", ", group_id", ", :parent", ", group_id = :parent")
        }
        List::Steps => sql!("steps", "NULL", "NULL", "NULL", "", "", ""),
        List::Stages => {
            sql!("stages", "NULL", "NULL", "step_id", ", step_id", ", :parent", ", step_id = :parent")
        }
    }
}

/// All entries of a list, inactive ones included, in their order.
///
/// # Errors
/// Why the store cannot be read.
pub fn all(db: Db<'_>, list: List) -> Result<Vec<Entry>, Error> {
    let mut statement = db.conn().prepare_cached(sql(list).all)?;
    let entries = statement.query_map([], entry)?;
    Ok(entries.collect::<Result<_, _>>()?)
}

/// The entry with that id.
///
/// # Errors
/// Why the store cannot be read.
pub fn by_id(db: Db<'_>, list: List, id: u32) -> Result<Option<Entry>, Error> {
    let mut statement = db.conn().prepare_cached(sql(list).by_id)?;
    Ok(statement.query_row([id], entry).optional()?)
}

/// Whether the entry with that id can be chosen; `None` where there is no such entry.
///
/// # Errors
/// Why the store cannot be read.
pub fn is_active(db: Db<'_>, list: List, id: u32) -> Result<Option<bool>, Error> {
    let mut statement = db.conn().prepare_cached(sql(list).active)?;
    Ok(statement.query_row([id], |row| row.get(0)).optional()?)
}

/// The first active entry that belongs to `parent`.
///
/// # Errors
/// Why the store cannot be read.
pub fn first_of(db: Db<'_>, list: List, parent: u32) -> Result<Option<u32>, Error> {
    let entries = all(db, list)?;
    Ok(entries.iter().find(|entry| entry.active && entry.parent == Some(parent)).map(|entry| entry.id))
}

fn entry(row: &Row<'_>) -> Result<Entry, rusqlite::Error> {
    let mut cells = Cells::of(row);
    Ok(Entry {
        id: cells.next()?,
        name: cells.next()?,
        name_key: cells.next()?,
        parent: cells.next()?,
        email: cells.next()?,
        cellphone: cells.next()?,
        active: cells.next()?,
    })
}

/// The entry that has this name, however it is written.
///
/// # Errors
/// Why the store cannot be read.
pub fn named(db: Db<'_>, list: List, name: &Name) -> Result<Option<u32>, Error> {
    let mut statement = db.conn().prepare_cached(sql(list).named)?;
    Ok(statement.query_row([fold(name.as_str())], |row| row.get(0)).optional()?)
}

/// Adds an entry. The caller has made sure that its name is free and its parent exists.
///
/// # Errors
/// Why the store cannot be written.
pub fn insert(tx: Tx<'_>, list: List, fields: &Fields) -> Result<u32, Error> {
    let mut statement = tx.conn().prepare_cached(sql(list).insert)?;
    write(&mut statement, fields)?;
    u32::try_from(tx.conn().last_insert_rowid()).map_err(|_| gone("an entry"))
}

/// Stores an entry anew.
///
/// # Errors
/// Why the store cannot be written.
pub fn update(tx: Tx<'_>, list: List, id: u32, fields: &Fields) -> Result<(), Error> {
    let mut statement = tx.conn().prepare_cached(sql(list).update)?;
    super::columns::bind(&mut statement, &[(":id", &id)])?;
    write(&mut statement, fields)
}

/// Moves an entry to a place, counted from 1, among those that belong to the same one. Behind the last there is no place.
///
/// # Errors
/// Why the store cannot be written.
pub fn place(tx: Tx<'_>, list: List, id: u32, place: u32) -> Result<(), Error> {
    let mut entries = all(*tx, list)?;
    let Some(from) = entries.iter().position(|entry| entry.id == id) else { return Ok(()) };
    let entry = entries.remove(from);
    let mut own = entries.iter().enumerate().filter(|(_, other)| other.parent == entry.parent);
    let before = usize::try_from(place).unwrap_or(usize::MAX).saturating_sub(1);
    let to = own.nth(before).map_or(entries.len(), |(at, _)| at);
    entries.insert(to, entry);
    let mut statement = tx.conn().prepare_cached(sql(list).place)?;
    for (place, entry) in (1u32..).zip(&entries) {
        statement.execute([place, entry.id])?;
    }
    Ok(())
}

/// Binds what the list's statement has parameters for.
fn write(statement: &mut Statement<'_>, fields: &Fields) -> Result<(), Error> {
    let key = fold(fields.name.as_str());
    let values: [(&str, &dyn ToSql); 6] = [
        (":name", &fields.name),
        (":key", &key),
        (":active", &fields.active),
        (":parent", &fields.parent),
        (":email", &fields.email),
        (":cellphone", &fields.cellphone),
    ];
    for (name, value) in values {
        if let Some(at) = statement.parameter_index(name)? {
            statement.raw_bind_parameter(at, value)?;
        }
    }
    statement.raw_execute()?;
    Ok(())
}
