//! Complete records, for full exports and for imports into an empty store: with ids, timestamps, places,
//! deletions, and the completions of task guests.

use super::sql::parameters;
use super::value;
use crate::domain::text::fold;
use crate::records::{Field, Find, Kind, List, Source, TABLES, Table, Type, Value};
use crate::store::journal::Actor;
use crate::store::records::{self};
use crate::store::{Db, Error, Tx};

/// Returns all tables in reference order: the lists first, then the nouns.
pub fn tables() -> impl Iterator<Item = &'static Table> {
    List::ALL.iter().map(|list| list.table()).chain(TABLES.iter().copied())
}

/// A record with everything that the store keeps about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FullRecord<'r> {
    pub id: u32,
    /// Values in the order of [`Table::stored`].
    pub values: Vec<Value<'r>>,
    /// Values of the columns in [`FullTable::beside`], in that order.
    pub beside: Vec<Value<'r>>,
    /// For a task: the guests who have done it, with the time in seconds since 1970.
    pub completions: Vec<(u32, i64)>,
}

/// A column that belongs to no member, and the type of its values.
pub type BesideColumn = (&'static str, Type);

/// Reads and writes complete records of a table.
pub struct FullTable {
    table: &'static Table,
    /// The columns that belong to no member.
    beside: Vec<BesideColumn>,
    read: String,
    read_one: String,
    insert: String,
}

impl FullTable {
    /// Returns the value of a stored column.
    pub fn value<'a, 'r>(&self, record: &'a FullRecord<'r>, column: &str) -> Option<&'a Value<'r>> {
        let mut stored = self.table.stored().zip(&record.values);
        stored.find(|(field, _)| field.column == column).map(|(_, value)| value)
    }

    /// Prepares the statements for a table.
    pub fn of(table: &'static Table) -> FullTable {
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
                ("agreed", Type::Money),
            ]);
        }
        let columns = columns(table).map(|field| field.column).chain(beside.iter().map(|(name, _)| *name));
        let columns = columns.collect::<Vec<_>>();
        let keys = table.stored().filter_map(|field| field.key);
        let written: Vec<&str> = ["id"].into_iter().chain(columns.iter().copied()).chain(keys).collect();
        let values = parameters(table, &written);
        let select = ["SELECT id, ", &columns.join(", "), " FROM ", table.name].concat();
        FullTable {
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

    pub fn table(&self) -> &'static Table {
        self.table
    }

    /// Returns the columns that belong to no member.
    pub fn beside(&self) -> &[BesideColumn] {
        &self.beside
    }

    /// Counts the records, deleted ones included.
    pub fn count(&self, db: Db<'_>) -> Result<u64, Error> {
        let count = ["SELECT count(*) FROM ", self.table.name].concat();
        Ok(db.conn().query_row(&count, [], |row| row.get(0))?)
    }

    /// Calls `see` with every record ordered by id, deleted ones included. The caller opens a snapshot.
    pub fn each<E: From<Error>>(
        &self,
        db: Db<'_>,
        mut see: impl FnMut(&FullRecord<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut statement = db.conn().prepare_cached(&self.read).map_err(Error::from)?;
        let mut rows = statement.query([]).map_err(Error::from)?;
        while let Some(row) = rows.next().map_err(Error::from)? {
            see(&self.record(db, row)?)?;
        }
        Ok(())
    }

    /// Returns a record, even if it is deleted.
    pub fn by_id(&self, db: Db<'_>, id: u32) -> Result<Option<FullRecord<'static>>, Error> {
        let mut statement = db.conn().prepare_cached(&self.read_one)?;
        let mut rows = statement.query([id])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let FullRecord { id, values, beside, completions } = self.record(db, row)?;
        let owned = |values: Vec<Value<'_>>| values.into_iter().map(Value::into_owned).collect();
        Ok(Some(FullRecord { id, values: owned(values), beside: owned(beside), completions }))
    }

    fn record<'r>(&self, db: Db<'_>, row: &'r rusqlite::Row<'_>) -> Result<FullRecord<'r>, Error> {
        let id: u32 = row.get(0)?;
        let mut at = 1;
        let mut values = Vec::new();
        let mut completions = Vec::new();
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
        Ok(FullRecord { id, values, beside, completions })
    }

    /// Stores a record. The records that it refers to can follow later in the same transaction;
    /// [`dangling`] finds those that never did.
    ///
    /// Returns `Defect` if the id or another unique value is already taken.
    pub fn insert(&self, tx: Tx<'_>, record: &FullRecord<'_>) -> Result<(), Error> {
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
            tx.run(COMPLETED, (record.id, user, done))?;
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

/// Returns `true` if the store has no records, deleted ones included. List entries do not count.
pub fn is_empty(db: Db<'_>) -> Result<bool, Error> {
    Ok(!records::has_records(db.conn())?)
}

/// Starts an import of complete records into an empty store: removes its initial lists and defers the foreign
/// key checks to the end of the transaction.
pub fn begin(tx: Tx<'_>) -> Result<(), Error> {
    // Applies to this transaction only.
    tx.conn().pragma_update(None, "defer_foreign_keys", true)?;
    for list in List::ALL {
        tx.conn().execute(&["DELETE FROM ", list.table().name].concat(), [])?;
    }
    Ok(())
}

/// Finishes the import: the journal reports that everything was replaced.
pub fn end(tx: Tx<'_>, by: &Actor) -> Result<(), Error> {
    tx.journal_replaced(by)
}

/// Returns for each member the first record that refers to a missing id: its table, its id, the member, and the
/// missing id.
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
