//! Records with everything that the store keeps of them, as exports take them out and an empty store takes them in: their
//! ids, moments, places, deletions, and who of a task's guests has done it.

use super::journal::Actor;
use super::records::{self, value};
use super::{Db, Error, Tx};
use crate::domain::fold;
use crate::records::{Field, Find, Kind, List, Source, TABLES, Table, Type, Value};

/// All tables, what others point to first: the lists, then the nouns.
pub fn tables() -> impl Iterator<Item = &'static Table> {
    List::ALL.iter().map(|list| list.table()).chain(TABLES.iter().copied())
}

/// A record with everything that the store keeps of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WholeRecord<'r> {
    /// Its id.
    pub id: u32,
    /// Its values, in the order of [`Table::stored`].
    pub values: Vec<Value<'r>>,
    /// What the store keeps beside them, in the order of [`WholeTable::beside`].
    pub beside: Vec<Value<'r>>,
    /// Of a task: which guests have done it, each with when, in seconds since 1970.
    pub completions: Vec<(u32, i64)>,
}

/// A column that no member of a record has, and the kind of its values.
pub type BesideColumn = (&'static str, Type);

/// What reads and writes whole records of a table.
pub struct WholeTable {
    table: &'static Table,
    /// The columns that no member has.
    beside: Vec<BesideColumn>,
    read: String,
    read_one: String,
    insert: String,
}

impl WholeTable {
    /// That of a table.
    pub fn of(table: &'static Table) -> WholeTable {
        let has = |source| table.fields.iter().any(|field| field.source == source);
        let mut beside: Vec<BesideColumn> = Vec::new();
        if has(Source::Place) {
            beside.push(("place", Type::Id));
        }
        if has(Source::Created) {
            beside.extend([("created_at", Type::Moment), ("updated_at", Type::Moment)]);
        }
        if table.can_be_deleted() {
            beside.extend([("deleted_at", Type::Moment), ("deleted_reason", Type::Text(0))]);
            beside.extend([("deleted_with", Type::Id), ("merged_into", Type::Id)]);
        }
        if table.kind == Kind::Transaction {
            beside.extend([
                ("series_id", Type::Id),
                ("series_at", Type::Text(0)),
                ("series_until", Type::Text(0)),
            ]);
        }
        let columns = columns(table).map(|field| field.column).chain(beside.iter().map(|(name, _)| *name));
        let columns = columns.collect::<Vec<_>>();
        let keys = table.stored().filter_map(|field| field.key);
        let written: Vec<&str> = ["id"].into_iter().chain(columns.iter().copied()).chain(keys).collect();
        let values: Vec<String> = (1..=written.len()).map(|at| ["?", &at.to_string()].concat()).collect();
        let select = ["SELECT id, ", &columns.join(", "), " FROM ", table.name].concat();
        WholeTable {
            table,
            read: [&select, " ORDER BY id"].concat(),
            read_one: [&select, " WHERE id = ?1"].concat(),
            insert: [
                &["INSERT INTO ", table.name, " (", &written.join(", ")].concat()[..],
                &[") VALUES (", &values.join(", "), ")"].concat(),
            ]
            .concat(),
            beside,
        }
    }

    /// What its records consist of.
    pub fn table(&self) -> &'static Table {
        self.table
    }

    /// The columns that no member has.
    pub fn beside(&self) -> &[BesideColumn] {
        &self.beside
    }

    /// How many records it has, deleted ones included.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn count(&self, db: Db<'_>) -> Result<u64, Error> {
        let count = ["SELECT count(*) FROM ", self.table.name].concat();
        Ok(db.conn().query_row(&count, [], |row| row.get(0))?)
    }

    /// Shows `see` every record, deleted ones included, by id. The caller opens a snapshot.
    ///
    /// # Errors
    /// Why the store cannot be read, or what `see` answers.
    pub fn each<E: From<Error>>(
        &self,
        db: Db<'_>,
        mut see: impl FnMut(&WholeRecord<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut statement = db.conn().prepare_cached(&self.read).map_err(Error::from)?;
        let mut rows = statement.query([]).map_err(Error::from)?;
        while let Some(row) = rows.next().map_err(Error::from)? {
            see(&self.record(db, row)?)?;
        }
        Ok(())
    }

    /// The record with that id, also a deleted one.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn by_id(&self, db: Db<'_>, id: u32) -> Result<Option<WholeRecord<'static>>, Error> {
        let mut statement = db.conn().prepare_cached(&self.read_one)?;
        let mut rows = statement.query([id])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let WholeRecord { id, values, beside, completions } = self.record(db, row)?;
        let owned = |values: Vec<Value<'_>>| values.into_iter().map(Value::into_owned).collect();
        Ok(Some(WholeRecord { id, values: owned(values), beside: owned(beside), completions }))
    }

    fn record<'r>(&self, db: Db<'_>, row: &'r rusqlite::Row<'_>) -> Result<WholeRecord<'r>, Error> {
        let id: u32 = row.get(0)?;
        let (mut at, mut values, mut completions) = (1, Vec::new(), Vec::new());
        for field in self.table.stored() {
            values.push(match field.source {
                Source::Links(..) => Value::Ids(records::links(db, self.table, field.column, id)?),
                _ => value(row, at)?,
            });
            at += usize::from(field.source == Source::Column);
            if field.find == Some(Find::Guests) {
                let mut done = db.conn().prepare_cached(COMPLETIONS)?;
                let done = done.query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?;
                completions = done.collect::<Result<_, _>>()?;
            }
        }
        let beside = (at..at + self.beside.len()).map(|at| value(row, at)).collect::<Result<_, _>>()?;
        Ok(WholeRecord { id, values, beside, completions })
    }

    /// Stores a record as it is. What it points to may come later in the same transaction, at
    /// whose end [`dangling`] tells what never did.
    ///
    /// # Errors
    /// Why the store cannot be written: `Defect` where another record has its id, or what no two may share.
    pub fn insert(&self, tx: Tx<'_>, record: &WholeRecord<'_>) -> Result<(), Error> {
        let mut statement = tx.conn().prepare_cached(&self.insert)?;
        statement.raw_bind_parameter(1, record.id)?;
        let stored = || self.table.stored().zip(&record.values);
        let columns = stored().filter(|(field, _)| field.source == Source::Column).map(|(_, value)| value);
        let mut at = 1;
        for value in columns.chain(&record.beside) {
            at += 1;
            statement.raw_bind_parameter(at, value)?;
        }
        for (_, value) in stored().filter(|(field, _)| field.key.is_some()) {
            at += 1;
            statement.raw_bind_parameter(at, value.text().map(fold))?;
        }
        statement.raw_execute()?;
        drop(statement);
        records::link(tx, self.table, record.id, &record.values)?;
        for (user, done) in &record.completions {
            tx.conn().prepare_cached(COMPLETED)?.execute((record.id, user, done))?;
        }
        Ok(())
    }
}

const COMPLETIONS: &str =
    "SELECT user_id, completed_at FROM task_completions WHERE task_id = ?1 ORDER BY user_id";
const COMPLETED: &str = "INSERT INTO task_completions (task_id, user_id, completed_at) VALUES (?1, ?2, ?3)";

fn columns(table: &'static Table) -> impl Iterator<Item = &'static Field> {
    table.stored().filter(|field| field.source == Source::Column)
}

/// Whether no record was ever made; entries of lists are none.
///
/// # Errors
/// Why the store cannot be read.
pub fn is_empty(db: Db<'_>) -> Result<bool, Error> {
    for table in TABLES {
        if db.conn().prepare(&["SELECT 1 FROM ", table.name, " LIMIT 1"].concat())?.exists([])? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Begins to take whole records into an empty store: the lists that it started with go, and what points to records is
/// looked at in the end.
///
/// # Errors
/// Why the store cannot be written.
pub fn begin(tx: Tx<'_>) -> Result<(), Error> {
    // Of this transaction alone.
    tx.conn().pragma_update(None, "defer_foreign_keys", true)?;
    for list in List::ALL {
        tx.conn().execute(&["DELETE FROM ", list.table().name].concat(), [])?;
    }
    Ok(())
}

/// Ends taking whole records in: whoever follows the changes learns that everything was replaced.
///
/// # Errors
/// Why the store cannot be written.
pub fn end(tx: Tx<'_>, by: &Actor) -> Result<(), Error> {
    tx.tell_replaced(by)
}

/// The first record of each member that points to something which is not there: its table, its id, the member, and the id
/// that nothing has.
///
/// # Errors
/// Why the store cannot be read.
pub fn dangling(db: Db<'_>) -> Result<Vec<(&'static Table, u32, &'static Field, u32)>, Error> {
    let mut found = Vec::new();
    for table in tables() {
        for field in table.stored() {
            let to = match field.ty {
                Type::Reference(list) => list.table(),
                Type::Record(kind) | Type::Links(kind) => kind.table(),
                _ => continue,
            };
            let (from, own, other) = match field.source {
                Source::Links(links, own, other) => (links, own, other),
                _ => (table.name, "id", field.column),
            };
            let sql = [
                &["SELECT t.", own, ", t.", other, " FROM ", from, " t WHERE t.", other].concat()[..],
                &[" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ", to.name, " o WHERE o.id = t.", other]
                    .concat(),
                ") LIMIT 1",
            ]
            .concat();
            let mut statement = db.conn().prepare(&sql)?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            for row in rows {
                let (id, missing) = row?;
                found.push((table, id, field, missing));
            }
        }
    }
    Ok(found)
}
